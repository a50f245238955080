// Content-addressed objects: a referenced object can be read, an unreferenced one is deleted, and a sweep never deletes
// an object that a concurrent writer is about to reference, in the orders of a few hundred seeds.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { encodeKey } from "../../src/storage/key";
import {
  addStagedObject,
  findObjectBytes,
  MAX_INLINE_BYTES,
  type StagedObject,
  stageObject,
  sweepPartition,
} from "../../src/storage/objects";
import { createStore, type Store } from "../../src/storage/store";
import type { Reader } from "../../src/storage/transaction";
import { seeded } from "../support/setting";
import { firstFailure, interleave } from "./interleave";

const P = "org-a";
const world = (seed: number) => ({ now: () => new Date(0), random: seeded(seed), pause: async () => {} });
const root = (id: string) => encodeKey("root", id);
const later = new Date(1);

/** The hashes that roots name. */
async function reachable(view: Reader): Promise<Set<string>> {
  const roots = await view.list({ under: encodeKey("root"), limit: 100 });
  return new Set(roots.map((entry) => entry.value as string));
}

async function nameAs(store: Store, id: string, staged: StagedObject): Promise<void> {
  await store.write(P, async (tx) => {
    await addStagedObject(tx, staged);
    tx.put(root(id), staged.hash);
  });
}

/** `toEqual` takes seconds for a megabyte. */
const isSame = (actual: Uint8Array | undefined, wanted: Uint8Array) =>
  actual !== undefined && Buffer.compare(actual, wanted) === 0;
const text = (length: number, letter = "x") => new TextEncoder().encode(letter.repeat(length));

describe("a single writer", () => {
  const kinds: [string, Uint8Array][] = [
    ["empty", new Uint8Array()],
    ["a short text", text(10)],
    ["a text with a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)],
    ["bytes that are no text", Uint8Array.from({ length: 300 }, (_, i) => i & 255)],
    ["control characters, which JSON writes long", new Uint8Array(MAX_INLINE_BYTES)],
    ["the largest that is a record", text(MAX_INLINE_BYTES)],
    ["the smallest that is a blob", text(MAX_INLINE_BYTES + 1)],
    ["a megabyte", text(1_000_000)],
  ];
  test.each(kinds)("a named object is read back byte for byte: %s", async (_, bytes) => {
    const store = createStore(memoryStorage(), world(1));
    const staged = await stageObject(store, P, bytes);
    expect(await findObjectBytes(store, await store.read(P), staged.hash)).toBeUndefined();
    await nameAs(store, "r", staged);
    expect(isSame(await findObjectBytes(store, await store.read(P), staged.hash), bytes)).toBe(true);
  });

  test("equal bytes are stored once", async () => {
    const storage = memoryStorage();
    const store = createStore(storage, world(1));
    for (const id of ["a", "b", "c"]) await nameAs(store, id, await stageObject(store, P, text(100_000)));
    await sweepPartition(store, P, { reachable, olderThan: later });
    const names: string[] = [];
    for await (const blob of storage.blobs.list()) names.push(blob);
    expect(names.length).toBe(1);
  });

  test("a sweep removes exactly unnamed objects, abandoned uploads and their blobs", async () => {
    const storage = memoryStorage();
    const store = createStore(storage, world(1));
    const kept = await stageObject(store, P, text(50_000, "k"));
    const dropped = await stageObject(store, P, text(50_000, "d"));
    await nameAs(store, "kept", kept);
    await nameAs(store, "dropped", dropped);
    await stageObject(store, P, text(50_000, "u"));
    await store.write(P, async (tx) => tx.delete(root("dropped")));
    expect(await sweepPartition(store, P, { reachable, olderThan: later })).toEqual({
      objects: 1,
      uploads: 1,
      blobs: 2,
    });
    expect(await sweepPartition(store, P, { reachable, olderThan: later })).toEqual({
      objects: 0,
      uploads: 0,
      blobs: 0,
    });
    expect(isSame(await findObjectBytes(store, await store.read(P), kept.hash), text(50_000, "k"))).toBe(true);
    expect(await findObjectBytes(store, await store.read(P), dropped.hash)).toBeUndefined();
    const names: string[] = [];
    for await (const blob of storage.blobs.list()) names.push(blob);
    expect(names.length).toBe(1);
  });

  test("a recent upload is left alone", async () => {
    const store = createStore(memoryStorage(), world(1));
    const staged = await stageObject(store, P, text(50_000));
    expect((await sweepPartition(store, P, { olderThan: new Date(0) })).uploads).toBe(0);
    await nameAs(store, "r", staged);
  });
});

describe("writers and a sweeper", () => {
  const contents = [text(MAX_INLINE_BYTES + 1, "a"), text(MAX_INLINE_BYTES + 1, "b"), text(50, "c")];
  type Sweep = (store: Store) => Promise<unknown>;
  const proper: Sweep = (store) => sweepPartition(store, P, { reachable, olderThan: later });

  /** Writers put and drop roots over few contents; each root must be readable at every moment. */
  async function play(seed: number, sweepOnce: Sweep, killOneIn?: number): Promise<void> {
    const storage = memoryStorage();
    const { storageFor, run } = interleave(storage, seed, killOneIn ? { killOneIn } : {});
    const direct = createStore(storage, world(seed));
    const writers = [0, 1, 2].map((i) => async () => {
      const store = createStore(storageFor(i), world(seed * 10 + i));
      for (let round = 0; round < 3; round++) {
        const staged = await stageObject(store, P, contents[(i + round + seed) % contents.length]!);
        await nameAs(store, `r${i}`, staged).catch(() => {});
        if (round < 2) await store.write(P, async (tx) => tx.delete(root(`r${i}`)));
      }
    });
    const sweepers = [3, 4].map((i) => async () => {
      const store = createStore(storageFor(i), world(seed * 10 + i));
      for (let round = 0; round < 2; round++) await sweepOnce(store);
    });
    await run([...writers, ...sweepers], async () => {
      const view = await direct.read(P);
      for (const hash of await reachable(view)) expect(await findObjectBytes(direct, view, hash)).toBeDefined();
    });
    await direct.write(P, async (tx) => {
      for (const { key: at } of await tx.list({ under: encodeKey("root"), limit: 100 })) tx.delete(at);
    });
    await proper(direct);
    expect(await (await direct.read(P)).list({ under: "", limit: 10 })).toEqual([]);
    for await (const blob of storage.blobs.list()) expect(blob).toBeUndefined();
  }

  test("a named object can be read at every moment", async () => {
    for (let seed = 1; seed <= 100; seed++) await play(seed, proper);
  });

  test("nothing is left in the end even when writers and sweepers die midway", async () => {
    for (let seed = 1; seed <= 100; seed++) await play(seed, proper, 25);
  });

  test("control: a sweeper that trusts an old mark removes what a writer has just named", async () => {
    const trusting: Sweep = async (store) => {
      const view = await store.read(P);
      const live = await reachable(view);
      const objects = await view.list({ under: encodeKey("object"), limit: 100 });
      const garbage = objects.filter((entry) => ![...live].some((hash) => entry.key.includes(hash)));
      await store.write(P, async (tx) => {
        for (const { key: at } of garbage) tx.delete(at);
      });
      await sweepPartition(store, P, { olderThan: new Date(0) });
    };
    expect(await firstFailure(150, (seed) => play(seed, trusting))).toBeDefined();
  });

  test("control: a sweeper that deletes the blob before its commit leaves an unreadable root", async () => {
    const hasty: Sweep = async (store) => {
      const uploads = await (await store.read(P)).list({ under: encodeKey("upload"), limit: 100 });
      for (const upload of uploads)
        await store.storage.blobs.delete(upload.key.slice(upload.key.lastIndexOf("\x03") + 1, -1));
      await proper(store);
    };
    expect(await firstFailure(150, (seed) => play(seed, hasty))).toBeDefined();
  });
});
