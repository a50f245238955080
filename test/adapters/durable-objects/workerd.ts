// workerd with the Worker of these tests, in two isolates that share the objects.

import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, Response as Reply } from "miniflare";
import { build } from "tsup";
import type { ObjectNamespaceLike } from "../../../adapters/durable-objects/index";
import { PATIENCE_MS } from "../../support/patience";
import { runFolder } from "../../support/run-folder";
import { bucketBehind, bucketWorker } from "../s3/r2-bucket";
import type { Task } from "./tested-worker";

let building: Promise<string> | undefined;

/** The Worker in one file. */
function script(): Promise<string> {
  building ??= (async () => {
    const outDir = await mkdtemp(join(runFolder() ?? tmpdir(), "durable-objects-"));
    await build({
      entry: { worker: "test/adapters/durable-objects/tested-worker.ts" },
      outDir,
      format: "esm",
      platform: "browser",
      noExternal: [/^(?!cloudflare:)/],
      external: [/^cloudflare:/],
      splitting: false,
      config: false,
      silent: true,
      outExtension: () => ({ js: ".js" }),
    });
    return readFile(join(outDir, "worker.js"), "utf8");
  })();
  return building;
}

export type Workerd = Awaited<ReturnType<typeof startWorkerd>>;

/** Starts workerd; what it keeps is in a folder, if there is one. */
export async function startWorkerd(
  options: { readonly folder?: string; readonly record?: (line: string) => void } = {},
) {
  const contents = await script();
  const objects = (className: string) => ({ className, scriptName: "one", useSQLite: true });
  const common = {
    modules: [{ type: "ESModule" as const, path: "worker.mjs", contents }],
    compatibilityDate: "2026-04-01",
    durableObjects: {
      OBJECTS: objects("OctavoObject"),
      HOSTILE: objects("HostileObject"),
      FLEETING: objects("FleetingObject"),
      OPEN: objects("OpenObject"),
    },
    r2Buckets: { BUCKET: "bucket" },
    bindings: { PATIENCE: PATIENCE_MS },
    serviceBindings: {
      RECORD: async (request: { text(): Promise<string> }) => {
        options.record?.(await request.text());
        return new Reply();
      },
    },
  };
  const miniflare = new Miniflare({
    ...(options.folder === undefined ? {} : { durableObjectsPersist: join(options.folder, "objects") }),
    // It tells of every object that a test has evicted.
    handleRuntimeStdio: (...streams: { resume(): unknown }[]) => {
      for (const stream of streams) stream.resume();
    },
    workers: [
      { ...common, name: "one" },
      { ...common, name: "other" },
      { name: "bucket", modules: true, script: bucketWorker, r2Buckets: { BUCKET: "bucket" } },
    ],
  });
  await miniflare.ready;
  // Miniflare's types for this need those of Workers, which do not go together with Node's.
  const ask = async (worker: string, url: string, init: object) =>
    ((await miniflare.getWorker(worker)) as unknown as { fetch(url: string, init: object): Promise<Response> }).fetch(
      url,
      init,
    );
  /** Has a Worker do something; two have isolates of their own. */
  const run = async (task: Task, worker: "one" | "other" = "one") => {
    const answer = await ask(worker, "http://worker/", { method: "POST", body: JSON.stringify(task) });
    const told = (await answer.json()) as { result: unknown } | { error: string };
    if ("error" in told) throw new Error(told.error);
    return told.result;
  };
  return {
    run,
    /** Called from this process. */
    objects: {
      idFromName: (name: string) => name,
      get: (object: string) => {
        const call = (method: string, given: readonly unknown[]) => run({ task: "call", object, method, given });
        return new Proxy(
          {},
          {
            get:
              (_, method) =>
              (...given: unknown[]) =>
                call(String(method), given),
          },
        );
      },
    } satisfies ObjectNamespaceLike as ObjectNamespaceLike,
    bucket: bucketBehind((url, init) => ask("bucket", url, init)),
    stop: () => miniflare.dispose(),
  };
}
