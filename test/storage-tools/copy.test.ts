// A storage that is copied answers as before, whatever it is copied to; a copy that stops goes on; nothing else is overwritten.

import { createDocsApi, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { copyStorage, StorageToolError } from "octavo/storage-tools";
import { beforeAll, describe, expect, test } from "vitest";
import { buildBatch } from "../../adapters/conformance/cases";
import { dump, SECRET } from "../support/setting";
import { storages } from "../support/storages";
import { type System, system } from "./walk";

let source: System;

beforeAll(async () => {
  source = await system();
});

/** Names, versions and contents of everything. */
async function everything(storage: Storage) {
  const versions: [string, number][] = [];
  for await (const name of storage.partitions())
    versions.push([name, (await storage.partition(name).snapshot()).version]);
  const blobs: string[] = [];
  for await (const name of storage.blobs.list()) blobs.push(name);
  return { versions, entries: await dump(storage), blobs };
}

describe("copies", () => {
  test("a copy between storages leaves every response the same", async () => {
    const wanted = await everything(source.storage);
    let from: Storage = source.storage;
    const opened = [];
    for (const [, open] of [...storages.slice(1), storages[0]!]) {
      const { storage, cleanUp } = await open();
      opened.push({ storage, cleanUp });
      const told: string[] = [];
      const moved = await copyStorage(from, storage, { onProgress: ({ step }) => told.push(step) });
      expect(moved).toMatchObject({ isOneMoment: true, blobs: wanted.blobs.length });
      expect(new Set(told)).toEqual(new Set(["blobs", "entries", "check"]));
      expect(await everything(storage)).toEqual(wanted);
      from = storage;
    }
    expect(await source.walk(from)).toEqual(source.answers);
    for (const { storage, cleanUp } of opened) {
      await storage.close();
      await cleanUp();
    }
  });

  test("an interrupted copy is not served and continues when called again, even after the source changed", async () => {
    const from = source.storage.copy();
    const to = memoryStorage();
    const stop = new AbortController();
    let steps = 0;
    const onProgress = () => void (++steps === 5 && stop.abort(new Error("enough")));
    await expect(copyStorage(from, to, { onProgress, signal: stop.signal })).rejects.toThrow("enough");
    await expect(createDocsApi(to, { secret: SECRET }).ready()).rejects.toThrow(/incomplete/);
    await expect(createDocsApi(to).ready()).rejects.toThrow(/incomplete/);

    const partition = from.partition(`org-${source.cast.org.slice(4)}`);
    const [first] = await (await partition.snapshot()).list({ under: "", limit: 1 });
    await partition.commit(buildBatch({ deletes: [first!.key], puts: { "\x03zz\x00": "new" } }));
    await copyStorage(from, to);
    expect(await everything(to)).toEqual(await everything(from));
  });

  test("a copy into a storage with other content is refused", async () => {
    const full = memoryStorage();
    await full.partition("org-x").commit(buildBatch({ puts: { a: 1 } }));
    await expect(copyStorage(source.storage, full)).rejects.toThrow(/holds the partition org-x/);
    const withBlob = memoryStorage();
    await withBlob.blobs.put("a-blob", new Uint8Array(3));
    await expect(copyStorage(source.storage, withBlob)).rejects.toThrow(/holds the blob a-blob/);
    expect([...(await dump(withBlob)).keys()]).toEqual([]);

    const other = memoryStorage();
    await createDocsApi(other, { secret: `another ${SECRET}` }).ready();
    const half = memoryStorage();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(copyStorage(source.storage, half, { signal })).rejects.toThrow("enough");
    await expect(copyStorage(other, half)).rejects.toThrow(StorageToolError);
  });

  test("data that arrives changed is detected", async () => {
    const to = memoryStorage();
    const forgetful: Storage = {
      ...to,
      partition: (name) => {
        const partition = to.partition(name);
        return {
          snapshot: () => partition.snapshot(),
          commit: (it) => partition.commit({ ...it, puts: it.puts.slice(1) }),
        };
      },
    };
    await expect(copyStorage(source.storage, forgetful)).rejects.toThrow(/does not hold what was written/);
  });

  test("a copy of a storage in use has each partition at one version that is not lower", async () => {
    const from = source.storage.copy();
    const home = from.partition("directory");
    const other = from.partition(`org-${source.cast.org.slice(4)}`);
    // Both change with every look, so that no moment is found.
    const busy: Storage = {
      ...from,
      partition: (name) => ({
        commit: (it) => from.partition(name).commit(it),
        async snapshot() {
          await other.commit(buildBatch({ adds: { "\x03pair\x00": 1 } }));
          await home.commit(buildBatch({ adds: { "\x03pair\x00": 1 } }));
          return from.partition(name).snapshot();
        },
      }),
    };
    const to = memoryStorage();
    expect(await copyStorage(busy, to)).toMatchObject({ isOneMoment: false });
    const version = async (storage: Storage, name: string) => (await storage.partition(name).snapshot()).version;
    const latest = [...(await everything(from)).versions];
    for (const [name, reached] of latest) expect(await version(to, name)).toBeGreaterThan(reached - 60);
    const [sum] = await (await to.partition("directory").snapshot()).get(["\x03pair\x00"]);
    expect(await version(to, "directory")).toBeGreaterThanOrEqual(sum!.version);
  });
});
