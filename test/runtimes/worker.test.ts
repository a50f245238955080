// Cloudflare's workerd, the real one, through miniflare, which brings R2: the example as it is, in one bundle.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../scripts/packaging/size";
import { ADMIN_TOKEN, project, SECRET, type Served } from "./project";
import { walk, walkOverARestart } from "./scenario";

let path: string;
let script: string;
let engine: Buffer;
const running = new Set<Miniflare>();

beforeAll(async () => {
  path = await project("worker");
  script = await bundle(join(path, "worker/index.ts"), join(path, "bundle"));
  engine = await readFile(join(path, "node_modules/octavo/dist/sandbox.wasm"));
});
afterAll(() => Promise.all([...running].map((workerd) => workerd.dispose())));

/** Starts workerd on the bucket of the project, with what `wrangler.json` says. */
async function start(): Promise<Served & { readonly workerd: Miniflare }> {
  const settings = JSON.parse(await readFile(join(path, "worker/wrangler.json"), "utf8"));
  const [bucket] = settings.r2_buckets;
  const workerd = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: script },
      { type: "CompiledWasm", path: "octavo/sandbox.wasm", contents: engine },
    ],
    host: "127.0.0.1",
    compatibilityDate: settings.compatibility_date,
    r2Buckets: { [bucket.binding]: bucket.bucket_name },
    r2Persist: join(path, "r2"),
    bindings: { ...settings.vars, ADMIN_TOKEN, SECRET },
  });
  running.add(workerd);
  const { origin } = await workerd.ready;
  const stop = async () => {
    running.delete(workerd);
    await workerd.dispose();
    return 0;
  };
  return { origin, stop, workerd };
}

test("the example answers in a Worker, and another isolate on the same bucket goes on where it has stopped", async () => {
  await walkOverARestart(start);
});

test("many requests at once in one isolate do not wait for each other's work", async () => {
  const { origin, stop } = await start();
  const { id } = await walk(origin);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const make = (title: string) =>
    fetch(`${origin}/v1/orgs/${id}/teams`, { method: "PUT", headers, body: JSON.stringify({ title }) });
  for (let round = 0; round < 3; round++) {
    const titles = Array.from({ length: 8 }, (_, at) => `Team ${round}-${at}`);
    // Somebody who goes away in the middle of a write must not take the others along.
    const impatient = { method: "PATCH", headers, body: '{"title":"Never mind"}', signal: AbortSignal.timeout(5) };
    void fetch(`${origin}/v1/orgs/${id}`, impatient).catch(() => {});
    const answers = await Promise.all(titles.map(make));
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 201));
  }
  const { count } = await (await fetch(`${origin}/v1/orgs/${id}/teams`, { headers })).json();
  expect(count).toBe(2 + 3 * 8);
  await stop();
});

test("the timer of a Worker does the work that waits", async () => {
  const { stop, workerd } = await start();
  // Miniflare's types for this need those of Workers, which do not go together with Node's.
  const worker = (await workerd.getWorker()) as unknown as { scheduled(): Promise<{ readonly outcome: string }> };
  expect(await worker.scheduled()).toMatchObject({ outcome: "ok" });
  await stop();
});
