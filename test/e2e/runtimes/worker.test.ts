// Cloudflare's workerd, the real one, through miniflare, which brings Durable Objects and R2: the examples as they are, each
// in one bundle.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../../scripts/packaging/size";
import { until } from "../../support/patience";
import { ADMIN_TOKEN, project, SECRET, type Served } from "./project";
import { walk, walkOverARestart } from "./scenario";

let path: string;
let engine: Buffer;
const running = new Set<Miniflare>();

beforeAll(async () => {
  path = await project("worker");
  engine = await readFile(join(path, "node_modules/octavo/dist/sandbox.wasm"));
});
afterAll(() => Promise.all([...running].map((workerd) => workerd.dispose())));

const scripts = new Map<string, Promise<string>>();

/** The code of a Worker, with all that it imports. */
function bundled(main: string): Promise<string> {
  const known = scripts.get(main) ?? bundle(join(path, "worker", main), join(path, `bundle-${main}`));
  scripts.set(main, known);
  return known;
}

/** Starts workerd on what the project keeps, with what its settings say. */
async function start(file = "wrangler.json"): Promise<Omit<Served, "printed"> & { readonly workerd: Miniflare }> {
  const settings = JSON.parse(await readFile(join(path, "worker", file), "utf8"));
  const [bucket] = settings.r2_buckets;
  const bindings: { readonly name: string; readonly class_name: string }[] = settings.durable_objects?.bindings ?? [];
  const withSqlite: string[] =
    settings.migrations?.flatMap((step: { new_sqlite_classes: string[] }) => step.new_sqlite_classes) ?? [];
  const workerd = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: await bundled(settings.main) },
      { type: "CompiledWasm", path: "octavo/sandbox.wasm", contents: engine },
    ],
    host: "127.0.0.1",
    compatibilityDate: settings.compatibility_date,
    durableObjects: Object.fromEntries(
      bindings.map(({ name, class_name }) => [
        name,
        { className: class_name, useSQLite: withSqlite.includes(class_name) },
      ]),
    ),
    durableObjectsPersist: join(path, "objects"),
    r2Buckets: { [bucket.binding]: bucket.bucket_name },
    r2Persist: join(path, `r2-${file}`),
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

test("the example answers in a Worker, and another isolate with the same objects continues where it stopped", async () => {
  await walkOverARestart(() => start());
});

test("many simultaneous requests in one isolate do not wait for each other's work", async () => {
  const { origin, stop } = await start();
  const { id } = await walk(origin);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const make = (title: string) =>
    fetch(`${origin}/v1/orgs/${id}/teams`, { method: "PUT", headers, body: JSON.stringify({ title }) });
  const teams = async () => (await (await fetch(`${origin}/v1/orgs/${id}/teams`, { headers })).json()).count;
  const before = await teams();
  for (let round = 0; round < 3; round++) {
    const titles = Array.from({ length: 8 }, (_, at) => `Team ${round}-${at}`);
    // Somebody who goes away in the middle of a write must not take the others along.
    const impatient = { method: "PATCH", headers, body: '{"title":"Never mind"}', signal: AbortSignal.timeout(5) };
    void fetch(`${origin}/v1/orgs/${id}`, impatient).catch(() => {});
    const answers = await Promise.all(titles.map(make));
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 201));
  }
  expect(await teams()).toBe(before + 3 * 8);
  await stop();
});

test("an alarm runs the waiting jobs", async () => {
  const { origin, stop, workerd } = await start();
  expect((await fetch(`${origin}/v1/user`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).status).toBe(200);
  // Miniflare's types for this need those of Workers, which do not go together with Node's.
  const objects = (await workerd.getDurableObjectNamespace("OBJECTS")) as unknown as {
    idFromName(name: string): unknown;
    get(id: unknown): { currentVersion(): Promise<{ readonly version: number }>; wake(at: number): Promise<void> };
  };
  const object = (name: string) => objects.get(objects.idFromName(name));
  const { version } = await object("p/directory").currentVersion();
  await object("clock").wake(Date.now());
  // A piece of the work is written down when it begins and when it is done.
  await until(async () =>
    expect((await object("p/directory").currentVersion()).version).toBeGreaterThanOrEqual(version + 2),
  );
  await stop();
});

test("the example with only a bucket answers, and its timer runs the waiting jobs", async () => {
  const { origin, stop, workerd } = await start("r2-alone.json");
  await walk(origin);
  // Miniflare's types for this need those of Workers, which do not go together with Node's.
  const worker = (await workerd.getWorker()) as unknown as { scheduled(): Promise<{ readonly outcome: string }> };
  expect(await worker.scheduled()).toMatchObject({ outcome: "ok" });
  await stop();
});
