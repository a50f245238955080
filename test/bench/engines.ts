// Durable writes on a PostgreSQL of its own, which syncs every commit, against raw commits of one row on the same server;
// and what a read costs in statements. Then writes in a Worker, on Durable Objects against R2.

import { randomUUID } from "node:crypto";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import type { Batch, Storage } from "octavo";
import type { QueryClient } from "octavo/postgres";
import pg from "pg";
import { startServer } from "../adapters/postgres/server";
import { outDir, postgresStorage } from "./built";
import { compare, concurrently, type Row, type Side, withoutBudget } from "./measure";
import { moves } from "./moves";
import { createSubject } from "./subject";

const VALUE = "a value of some length, as records have them";

// Writes a second in a Worker: on a Durable Object against R2's engine, both in one workerd. Every write is a request with a
// storage of its own, as in a Worker.

const REQUESTS = 32;
const MOST_TRIES = 100;

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

async function durableObjects(): Promise<Row[]> {
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
        what: `a commit on a Durable Object, ${REQUESTS} requests at once in one partition`,
        against: "the commits/s of R2's engine in the same workerd, whose R2 has no limit",
        budget: { atLeast: 20 },
        ours: concurrently(640, REQUESTS, () => write("/object")),
        theirs: concurrently(32, REQUESTS, () => write("/bucket")),
        rounds: [2, 1],
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

const AT_ONCE = 64;
const ORGANIZATIONS = 16;
const WRITES = 1280;

export async function engines(): Promise<Row[]> {
  const server = await startServer({ isDurable: true });
  if ("leftOut" in server) throw new Error(server.leftOut);
  const raw = new pg.Pool({ connectionString: server.url, max: AT_ONCE });
  const ours = new pg.Pool({ connectionString: server.url, max: 10 });
  try {
    await raw.query("CREATE TABLE raw (key bigint PRIMARY KEY, value text)");
    let rows = 0;
    const theirs = concurrently(WRITES, AT_ONCE, () => raw.query("INSERT INTO raw VALUES ($1, $2)", [++rows, VALUE]));
    return [
      ...(await commits(theirs, ours)),
      ...(await slowCommits()),
      ...(await calls(theirs, ours)),
      ...(await warmReads(ours)),
      ...(await durableObjects()),
      ...(await moves(ours, server.url)),
    ];
  } finally {
    await Promise.all([raw.end(), ours.end()]);
    await server.stop();
  }
}

/** Commits of one entry, as the storage is handed them: to one partition, and to several in turn. */
function sidesOf(storage: Storage): { readonly one: Side; readonly many: Side } {
  let keys = 0;
  const batch = (): Batch => ({ checks: [], puts: [{ key: `key-${++keys}`, value: VALUE }], deletes: [], adds: [] });
  const commit = (partition: string) => storage.partition(partition).commit(batch());
  let turn = 0;
  return {
    one: concurrently(WRITES, AT_ONCE, () => commit("one")),
    many: concurrently(WRITES * 4, AT_ONCE * ORGANIZATIONS, () => commit(`org-${turn++ % ORGANIZATIONS}`)),
  };
}

async function commits(raw: Side, ours: pg.Pool): Promise<Row[]> {
  const storage = postgresStorage(ours, { schema: "commits" });
  const { one, many } = sidesOf(storage);
  const rows = [
    await compare({
      what: `durable commit, PostgreSQL, ${AT_ONCE} at once in one partition`,
      against: `the commits/s of raw inserts of one row over ${AT_ONCE} connections`,
      budget: { atLeast: 0.6 },
      ours: one,
      theirs: raw,
      rounds: [5, 2],
    }),
    // One partition already takes as much processor time as there is, because its commits travel together.
    withoutBudget(
      await compare({
        what: `the same over ${ORGANIZATIONS} partitions, ${AT_ONCE} at once in each, where a sync takes no time`,
        against: "the commits/s of one partition",
        budget: { atLeast: 0 },
        ours: many,
        theirs: one,
        rounds: [5, 1],
      }),
    ),
  ];
  await storage.close();
  return rows;
}

/** How long the slow server takes to sync, in ms: as with a standby in another region that confirms each commit. */
const SLOW_SYNC_MS = 50;

/** The same where a commit is a wait, and not work: partitions wait at the same time. */
async function slowCommits(): Promise<Row[]> {
  // PostgreSQL itself waits before it syncs.
  const settings = [`commit_delay=${SLOW_SYNC_MS * 1000}`, "commit_siblings=0"];
  const server = await startServer({ isDurable: true, settings });
  if ("leftOut" in server) throw new Error(server.leftOut);
  const storage = postgresStorage(server.url, { connections: ORGANIZATIONS });
  try {
    const { one, many } = sidesOf(storage);
    return [
      await compare({
        what: `the same over ${ORGANIZATIONS} partitions, where a sync takes ${SLOW_SYNC_MS} ms`,
        against: "the commits/s of one partition on the same server",
        budget: { atLeast: 3 },
        ours: many,
        theirs: one,
        rounds: [3, 1],
      }),
    ];
  } finally {
    await storage.close();
    await server.stop();
  }
}

/** Writes through the API: a team is made, with its indexes, totals, guard, event and audit event. */
async function calls(raw: Side, ours: pg.Pool): Promise<Row[]> {
  const storage = postgresStorage(ours, { schema: "calls" });
  const { path, ask } = await createSubject(storage);
  const paths = [path];
  for (let i = 1; i < ORGANIZATIONS; i++)
    paths.push(`/v1/orgs/${JSON.parse(await ask("POST", "/v1/orgs", { title: `Org ${i}` })).id}`);
  const createTeam = (of: string) => ask("PUT", `${of}/teams`, { title: randomUUID() });
  let turn = 0;
  const one = concurrently(WRITES / 2, AT_ONCE, () => createTeam(path));
  const rows = [
    await compare({
      what: `durable write through the API, PostgreSQL, ${AT_ONCE} at once in one organization`,
      against: `the commits/s of raw inserts of one row over ${AT_ONCE} connections`,
      budget: { atLeast: 0 },
      ours: one,
      theirs: raw,
      rounds: [4, 3],
    }),
    await compare({
      what: `the same over ${ORGANIZATIONS} organizations`,
      against: "the writes/s of one organization",
      budget: { atLeast: 0 },
      ours: concurrently(WRITES, AT_ONCE, () => createTeam(paths[turn++ % ORGANIZATIONS]!)),
      theirs: one,
      rounds: [3, 1],
    }),
  ];
  await storage.close();
  // They depend on what an API call costs this process.
  return rows.map(withoutBudget);
}

/** What a read costs that was made before, in statements: of the storage, and of the API. */
async function warmReads(ours: pg.Pool): Promise<Row[]> {
  let statements = 0;
  const counting: QueryClient = {
    query(text, values) {
      statements++;
      return ours.query(text, values);
    },
  };
  const storage = postgresStorage(counting, { schema: "reads" });
  const partition = storage.partition("p");
  await partition.commit({ checks: [], puts: [{ key: "a", value: 1 }], deletes: [], adds: [] });
  const { path, ask } = await createSubject(storage);
  const reads: [string, () => Promise<unknown>][] = [
    ["a read that is warm: a snapshot and an entry", async () => (await partition.snapshot()).get(["a"])],
    ["a GET of the API that is warm", () => ask("GET", path)],
  ];
  const rows: Row[] = [];
  for (const [what, read] of reads) {
    await read();
    statements = 0;
    const times = 100;
    for (let i = 0; i < times; i++) await read();
    const each = statements / times;
    const measured = String(each);
    rows.push({ what, against: "statements that were sent", measured, budget: "at most 1", holds: each <= 1 });
  }
  await storage.close();
  return rows;
}
