// A storage as version 1 of the format has written it, in `fixture/`: it must open for good, and what is written today
// must still look the same. `WRITE_FIXTURE=1 npx vitest run test/adapters/s3/fixture.test.ts` writes the files of a new format.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { buildBatch } from "../../../adapters/conformance/cases";
import { createObjectStorage } from "../../../adapters/s3/engine";
import { ObjectsInMemory } from "./objects-in-memory";

const folder = fileURLToPath(new URL("./fixture/", import.meta.url));

async function written(): Promise<ObjectsInMemory> {
  const objects = new ObjectsInMemory();
  let ids = 0;
  const storage = createObjectStorage(objects, {
    inlineBytes: 300,
    retentionMs: 1000,
    testConditions: false,
    autoMerge: false,
    now: () => 1_700_000_000_000,
    newId: (what) => `${what}${++ids}`,
  });
  const docs = storage.partition("docs");
  await docs.commit(
    buildBatch({ puts: { "page\x00a": { title: "Über uns", tags: ["ü", "漢", "🎈"] }, "page\x00b": null } }),
  );
  for (let i = 0; i < 24; i++)
    await docs.commit(buildBatch({ puts: { [`revision\xff${i}`]: `text ${i} `.repeat(6) }, adds: { count: 1 } }));
  await docs.commit(buildBatch({ deletes: ["page\x00b"], puts: { 'quote"\\\t\n': [1.5, true, {}] } }));
  await storage.maintain();
  await docs.commit(buildBatch({ deletes: ["revision\xff3"], adds: { count: 1 } }));
  await storage.partition("directory").commit(buildBatch({ puts: { user: { name: "Ada" } } }));
  await storage.blobs.put(
    "picture",
    Uint8Array.from({ length: 300 }, (_, i) => i & 255),
  );
  await storage.close();
  return objects;
}

async function committed(): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(folder.length), new Uint8Array(await readFile(path)));
  }
  return found;
}

describe("the format", () => {
  beforeAll(async () => {
    if (!env.WRITE_FIXTURE) return;
    await rm(folder, { recursive: true, force: true });
    const objects = await written();
    for (const name of objects.namesNow("")) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      const got = objects.getNow(name);
      if (got.outcome === "found") await writeFile(join(folder, name), got.bytes);
    }
  });

  test("data of an earlier version can be read and written", async () => {
    const objects = new ObjectsInMemory();
    for (const [name, bytes] of await committed()) objects.putNow(name, bytes);
    const storage = createObjectStorage(objects);
    const names: string[] = [];
    for await (const name of storage.partitions()) names.push(name);
    expect(names).toEqual(["directory", "docs"]);

    const docs = storage.partition("docs");
    const snapshot = await docs.snapshot();
    expect(snapshot.version).toBe(27);
    const keys = ["page\x00a", "page\x00b", "count", 'quote"\\\t\n', "revision\xff3", "revision\xff23"];
    expect(await snapshot.get(keys)).toEqual([
      { key: keys[0], value: { title: "Über uns", tags: ["ü", "漢", "🎈"] }, version: 1 },
      undefined,
      { key: keys[2], value: 25, version: 27 },
      { key: keys[3], value: [1.5, true, {}], version: 26 },
      undefined,
      { key: keys[5], value: "text 23 ".repeat(6), version: 25 },
    ]);
    expect((await snapshot.list({ under: "revision", limit: 100 })).length).toBe(23);
    const blob = await storage.blobs.get("picture", { start: 255, end: 258 });
    expect(new Uint8Array(await new Response(blob!.stream).arrayBuffer())).toEqual(new Uint8Array([255, 0, 1]));

    expect(await docs.commit(buildBatch({ checks: { count: 27 }, adds: { count: 1 } }))).toEqual({
      ok: true,
      version: 28,
    });
    await storage.maintain();
    expect((await (await docs.snapshot()).list({ under: "", limit: 100 })).length).toBe(26);
  });

  test("the written format has not changed", async () => {
    const objects = await written();
    const files = await committed();
    expect(objects.namesNow("")).toEqual([...files.keys()].sort());
    for (const [name, bytes] of files)
      expect([name, objects.getNow(name)]).toMatchObject([name, { outcome: "found", bytes }]);
  });
});
