// A backup is one stream. It is restored elsewhere as it was; one that is cut or changed is refused at the
// place; a later one leaves out what an earlier one has.

import { readFile } from "node:fs/promises";
import { createDocsApi, type Storage } from "octavo";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { backup, readBackupHeader, restore, StorageToolError, verify } from "octavo/storage-tools";
import { beforeAll, describe, expect, test } from "vitest";
import { buildBatch } from "../../adapters/conformance/cases";
import { encodeKey } from "../../src/storage/key";
import { sha256Hex as hashOf } from "../../src/utils/sha256";
import { dump, open, SECRET, seeded } from "../support/setting";
import { storages } from "../support/storages";
import { type System, system } from "./walk";

let source: System;
let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  source = await system();
  ({ bytes } = await backedUp(source.storage));
});

/** The bytes of a backup. */
async function backedUp(storage: Storage, base?: Uint8Array<ArrayBuffer>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const [made, buffer] = await Promise.all([
    backup(storage, writable, { base: base && streamOf(base) }),
    new Response(readable).arrayBuffer(),
  ]);
  return { made, bytes: new Uint8Array(buffer) };
}

/** Bytes in pieces of a length that fits nothing. */
function streamOf(bytes: Uint8Array<ArrayBuffer>, piece = 777): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + piece));
      at += piece;
    },
  });
}

async function blobsIn(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const name of storage.blobs.list()) names.push(name);
  return names;
}

describe("backups", () => {
  test("a backup is restored on every storage with the same entries and blobs", async () => {
    for (const [name, open] of storages) {
      const { storage, cleanUp } = await open();
      const moved = await restore(streamOf(bytes), storage);
      expect(moved).toMatchObject({ partitions: 4, isOneMoment: true });
      expect([name, await dump(storage)]).toEqual([name, await dump(source.storage)]);
      expect(await blobsIn(storage)).toEqual(await blobsIn(source.storage));
      await storage.close();
      await cleanUp();
    }
  });

  test("a backup truncated anywhere is refused with the position, and what it filled is not served", async () => {
    for (const part of [0, 0.001, 0.2, 0.5, 0.9, 0.999]) {
      const cut = bytes.slice(0, Math.floor(bytes.length * part));
      const storage = memoryStorage();
      const failing = restore(streamOf(cut), storage);
      await expect(failing).rejects.toThrow(part === 0 ? "This is no backup." : `it ends at byte ${cut.length}, `);
      await expect(failing).rejects.toThrow(StorageToolError);
      if (part >= 0.2) await expect(createDocsApi(storage, { secret: SECRET }).ready()).rejects.toThrow(/incomplete/);
    }
  });

  test("a backup with one changed byte anywhere is refused", async () => {
    for (let i = 0; i < 24; i++) {
      const changed = bytes.slice();
      const at = Math.floor((bytes.length * i) / 24);
      changed[at]! ^= 1;
      await expect(restore(streamOf(changed), memoryStorage())).rejects.toThrow(StorageToolError);
    }
    const middle = bytes.slice();
    middle[Math.floor(bytes.length / 2)]! ^= 1;
    await expect(restore(streamOf(middle), memoryStorage())).rejects.toThrow(/damaged at byte \d+, in the /);
    const longer = new Uint8Array([...bytes, 1]);
    await expect(restore(streamOf(longer), memoryStorage())).rejects.toThrow(/goes on after its end/);
    const later = new Uint8Array([...new TextEncoder().encode("octavo-backup 3\n"), ...bytes.slice(16)]);
    await expect(restore(streamOf(later), memoryStorage())).rejects.toThrow(/later format/);
  });

  test("an interrupted restore continues in the same storage and in no other", async () => {
    const storage = memoryStorage();
    await expect(restore(streamOf(bytes.slice(0, bytes.length / 2)), storage)).rejects.toThrow(StorageToolError);
    const another = (await backedUp(source.storage)).bytes;
    await expect(restore(streamOf(another), storage)).rejects.toThrow(/unfinished restore of something else/);
    await restore(streamOf(bytes), storage);
    expect(await dump(storage)).toEqual(await dump(source.storage));
    await expect(restore(streamOf(bytes), storage)).rejects.toThrow(/not empty/);
    expect((await verify(storage, { secret: SECRET })).findings).toEqual([]);
  });

  test("an incremental backup omits what an earlier one has and is restored with it", async () => {
    const storage = source.storage.copy();
    await write(storage, "First news");
    const second = await backedUp(storage, bytes);
    await write(storage, "Second news");
    const third = await backedUp(storage, second.bytes);
    expect(second.bytes.length).toBeLessThan((await backedUp(storage)).bytes.length - 2000);
    expect(third.made).toMatchObject({ blobs: 0, needs: [second.made.id, second.made.needs[0]] });
    const kept = new Map([bytes, second.bytes, third.bytes].map((it) => [it, readBackupHeader(streamOf(it))]));
    const earlier = async (id: string) => {
      for (const [it, header] of kept) if ((await header).id === id) return streamOf(it);
      return undefined;
    };
    const target = memoryStorage();
    await restore(streamOf(third.bytes), target, { earlier });
    expect(await dump(target)).toEqual(await dump(storage));
    expect(await blobsIn(target)).toEqual(await blobsIn(storage));
    expect((await verify(target, { secret: SECRET })).findings).toEqual([]);

    await expect(restore(streamOf(third.bytes), memoryStorage())).rejects.toThrow(/needs the earlier backup/);
    const wrong = async () => streamOf(second.bytes);
    await expect(restore(streamOf(third.bytes), memoryStorage(), { earlier: wrong })).rejects.toThrow(/in place of/);
  });

  test("an incremental backup can be based on one of the first format", async () => {
    const first = new Uint8Array(await readFile(new URL("../storage/formats/backup-1.octavo", import.meta.url)));
    const storage = memoryStorage();
    await restore(streamOf(first), storage);
    await storage.partition("extra").commit(buildBatch({ puts: { a: 1 } }));
    const later = await backedUp(storage, first);
    expect(later.made.blobs).toBe(0);
    expect(later.bytes.length).toBeLessThan((await backedUp(storage)).bytes.length);
    const target = memoryStorage();
    await restore(streamOf(later.bytes), target, { earlier: async () => streamOf(first) });
    expect(await dump(target)).toEqual(await dump(storage));
  });

  test("a backup groups similar entries, so many nodes that differ little take little space", async () => {
    const storage = memoryStorage();
    // As the nodes of a page that was changed two hundred times: their names are hashes, so they lie anywhere.
    const chance = seeded(3);
    const node = Array.from({ length: 150 }, () => Buffer.from(chance(16)).toString("hex"));
    for (let i = 0; i < 200; i++) {
      node[i % 150] = Buffer.from(chance(16)).toString("hex");
      const text = JSON.stringify(node);
      await storage
        .partition("p")
        .commit(buildBatch({ puts: { [encodeKey("object", hashOf(text))]: { size: text.length, text } } }));
      const other = Buffer.from(chance(3000)).toString("base64");
      await storage
        .partition("p")
        .commit(buildBatch({ puts: { [encodeKey("object", hashOf(other))]: { size: 4000, text: other } } }));
    }
    const { bytes } = await backedUp(storage);
    // The texts that have nothing in common take 600 KB; 200 nodes of 5 KB take little beside.
    expect(bytes.length).toBeLessThan(700_000);
    const target = memoryStorage();
    await restore(streamOf(bytes, 65_536), target);
    expect(await dump(target)).toEqual(await dump(storage));
  });

  test("a backup taken during writes is consistent", async () => {
    const storage = source.storage.copy();
    let isOver = false;
    // So many are enough: each compressed piece of the backup waits for a write.
    const writing = (async () => {
      for (let i = 0; i < 30 && !isOver; i++) await write(storage, `News ${i}`);
    })();
    const taken = await backedUp(storage);
    isOver = true;
    await writing;
    const target = memoryStorage();
    await restore(streamOf(taken.bytes), target);
    expect((await verify(target, { secret: SECRET })).findings).toEqual([]);
  });

  test("a backup takes a newer snapshot of a partition in which a blob was swept meanwhile", async () => {
    const storage = source.storage.copy();
    const home = `org-${source.cast.org.slice(4)}`;
    const partition = storage.partition(home);
    const [large] = (await (await partition.snapshot()).list({ under: "\x03object\0", limit: 1000 })).filter(
      ({ value }) => "blob" in (value as object),
    );
    const { blob } = large!.value as { blob: string };
    // It is gone when the blobs are listed, and its object when it is looked for again.
    const sweeping: Storage = {
      ...storage,
      blobs: {
        ...storage.blobs,
        async get(name, range) {
          if (name === blob) await partition.commit(buildBatch({ deletes: [large!.key] }));
          return name === blob ? undefined : storage.blobs.get(name, range);
        },
        async *list(after) {
          for await (const name of storage.blobs.list(after)) if (name !== blob) yield name;
        },
      },
    };
    const target = memoryStorage();
    await restore(streamOf((await backedUp(sweeping)).bytes), target);
    expect((await dump(target)).has(`${home} ${large!.key}`)).toBe(false);
    const [object] = await (await target.partition(home).snapshot()).get([large!.key]);
    expect(object).toBeUndefined();
  });
});

let written = 1000;

async function write(storage: MemoryStorage, title: string): Promise<void> {
  // Chance of its own: no two writes make the same ids.
  const { clock, askWith } = open(storage, { random: seeded(++written) });
  clock.now = source.cast.clock.now;
  const changes = [{ operation: "insert_page", title, document: { markdown: `${title} for everybody.` } }];
  const { status } = await askWith(source.cast.tokens.admin, `POST /v1/spaces/${source.cast.innerSpace}/content`, {
    changes,
  });
  expect(status).toBe(200);
}
