// Writes a second in a Worker: on a Durable Object against R2's engine, both in one workerd. Every write is a request with a
// storage of its own, as in a Worker.

import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { outDir } from "./built";
import { compare, concurrently, type Row } from "./measure";

const AT_ONCE = 32;
const MOST_TRIES = 100;
const VALUE = "a value of some length, as records have them";

/** A request commits one entry, in a partition that all share. */
const worker = `
  import { DurableObject } from "cloudflare:workers";
  import { durableObjectClass, durableObjectStorage } from "${outDir}durable-objects.js";
  import { r2Blobs, r2Storage } from "${outDir}r2.js";
  export const OctavoObject = durableObjectClass(DurableObject);
  export default {
    async fetch(request, { OBJECTS, BUCKET }) {
      const isObject = new URL(request.url).pathname === "/object";
      const storage = isObject
        ? durableObjectStorage(OBJECTS, { blobs: r2Blobs(BUCKET) })
        : r2Storage(BUCKET, { merges: false });
      const puts = [{ key: crypto.randomUUID(), value: ${JSON.stringify(VALUE)} }];
      const { ok } = await storage.partition("one").commit({ checks: [], puts, deletes: [], adds: [] });
      return new Response(null, { status: ok ? 204 : 500 });
    },
  };
`;

export async function durableObjects(): Promise<Row[]> {
  const contents = await bundled();
  const workerd = new Miniflare({
    modules: [{ type: "ESModule", path: "worker.mjs", contents }],
    compatibilityDate: "2026-04-01",
    durableObjects: { OBJECTS: { className: "OctavoObject", useSQLite: true } },
    r2Buckets: ["BUCKET"],
  });
  const { origin } = await workerd.ready;
  // Whoever is told to try again does, and so does whoever finds that the connection was closed since it was used last.
  const write = async (path: string) => {
    for (let tries = 1; ; tries++) {
      const status = await fetch(origin + path, { method: "POST" }).then(
        (answer) => answer.status,
        () => "no answer",
      );
      if (status === 204) return;
      if (tries === MOST_TRIES) throw new Error(`A write was not made in ${tries} tries: ${status}.`);
    }
  };
  try {
    return [
      await compare({
        what: `a commit on a Durable Object, ${AT_ONCE} requests at once in one partition`,
        against: "the commits/s of R2's engine in the same workerd, whose R2 has no limit",
        budget: { atLeast: 20 },
        ours: concurrently(640, AT_ONCE, () => write("/object")),
        theirs: concurrently(32, AT_ONCE, () => write("/bucket")),
        rounds: 2,
        warmUp: 1,
      }),
    ];
  } finally {
    await workerd.dispose();
  }
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: worker, resolveDir: outDir },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    external: ["cloudflare:*"],
  });
  return outputFiles[0]!.text;
}
