// More objects than fit into one commit: announced, stored first, and referenced together. A sweep never deletes one
// that is about to be referenced, and deletes abandoned ones. A writer whose announcement is gone references nothing.

import type { Storage } from "octavo";
import { Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { encodeKey } from "../../src/storage/key";
import {
  addStagedObjects,
  findObjectBytes,
  MAX_INLINE_BYTES,
  type StagedSet,
  stageObjects,
  sweepPartition,
} from "../../src/storage/objects";
import { createStore, type Store } from "../../src/storage/store";
import type { Reader, Transaction } from "../../src/storage/transaction";
import { sha256Hex } from "../../src/utils/sha256";
import { seeded } from "../support/setting";
import { runs } from "../support/test-length";
import { through } from "../support/through";
import { firstFailure, interleave } from "./interleave";

const P = "org-a";
const world = (seed: number) => ({ now: () => new Date(0), random: seeded(seed), pause: async () => {} });
const root = (id: string, part = 0) => encodeKey("root", id, part);
/** Everything that was announced is older than this, or nothing is. */
const [later, never] = [new Date(1), new Date(0)];

/** Small objects and two large ones, more than a commit takes; those with one seed share half with those of the next. */
function objectsOf(seed: number, count = 160): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const add = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    found.set(sha256Hex(bytes), bytes);
  };
  for (let i = 0; i < count; i++) add(`object ${seed * (count / 2) + i}`);
  add("x".repeat(MAX_INLINE_BYTES + 1));
  add(`${seed}`.repeat(MAX_INLINE_BYTES + 1));
  return found;
}

/** The hashes that roots name. */
async function reachable(view: Reader): Promise<Set<string>> {
  const roots = await view.list({ under: encodeKey("root"), limit: 100 });
  return new Set(roots.flatMap((entry) => entry.value as string[]));
}

/** Which of the objects that roots name are not there. */
async function missing(store: Store): Promise<string[]> {
  const view = await store.read(P);
  const hashes = [...(await reachable(view))];
  const found = await view.getMany(hashes.map((hash) => encodeKey("object", hash)));
  const blobs = new Set<string>();
  for await (const blob of store.storage.blobs.list()) blobs.add(blob);
  const isThere = (it: unknown) => {
    const stored = it as { blob?: string } | undefined;
    return stored !== undefined && (stored.blob === undefined || blobs.has(stored.blob));
  };
  return hashes.filter((_, i) => !isThere(found[i]));
}

async function nameAs(
  store: Store,
  id: string,
  objects: ReadonlyMap<string, Uint8Array>,
  staged: StagedSet,
): Promise<void> {
  await store.write(P, async (tx) => {
    await addStagedObjects(tx, staged);
    putRoot(tx, id, objects);
  });
}

/** A value takes some hundreds of hashes. */
function putRoot(tx: Transaction, id: string, objects: ReadonlyMap<string, Uint8Array>): void {
  const hashes = [...objects.keys()];
  for (let at = 0; at < hashes.length; at += 500) tx.put(root(id, at), hashes.slice(at, at + 500));
}

async function dropRoots(store: Store, id?: string): Promise<void> {
  await store.write(P, async (tx) => {
    const under = id === undefined ? encodeKey("root") : encodeKey("root", id);
    for (const { key: at } of await tx.list({ under, limit: 100 })) tx.delete(at);
  });
}

const sweepAll = (store: Store, olderThan: Date) => sweepPartition(store, P, { reachable, olderThan });

/** How much of a partition is left: rows, and blobs. */
async function left(storage: Storage): Promise<{ rows: string[]; blobs: string[] }> {
  const entries = await (await storage.partition(P).snapshot()).list({ under: "", limit: 10_000 });
  const blobs: string[] = [];
  for await (const blob of storage.blobs.list()) blobs.push(blob);
  return { rows: entries.map((entry) => entry.key), blobs };
}

describe("a single writer", () => {
  test.each([
    ["none", 0],
    ["few", 10],
    ["more than a commit takes", 160],
    ["more than an announcement takes", 1200],
  ])("objects named together are read back byte for byte: %s", async (_, count) => {
    const storage = memoryStorage();
    const store = createStore(storage, world(1));
    const objects = count === 0 ? new Map<string, Uint8Array>() : objectsOf(1, count);
    await nameAs(store, "r", objects, await stageObjects(store, P, objects));
    const view = await store.read(P);
    for (const [hash, bytes] of objects)
      expect(Buffer.compare((await findObjectBytes(store, view, hash))!, bytes)).toBe(0);
    expect(await view.list({ under: encodeKey("upload"), limit: 10 })).toEqual([]);
    expect(await sweepAll(store, later)).toEqual({ objects: 0, uploads: 0, blobs: 0 });
    await dropRoots(store);
    await sweepAll(store, later);
    expect(await left(storage)).toEqual({ rows: [], blobs: [] });
  });

  test("more objects than a commit can announce are named in one commit, and no announcement remains", async () => {
    const store = createStore(memoryStorage(), world(1));
    const objects = objectsOf(1, 13_000);
    const staged = await stageObjects(store, P, objects);
    expect(await sweepAll(store, never)).toEqual({ objects: 0, uploads: 0, blobs: 0 });
    await store.write(P, (tx) => addStagedObjects(tx, staged));
    expect(await (await store.read(P)).list({ under: encodeKey("upload"), limit: 10 })).toEqual([]);
    expect(await sweepAll(store, later)).toEqual({ objects: objects.size, uploads: 0, blobs: 2 });
  });

  test("objects that fill a commit by size alone are staged in advance", async () => {
    const store = createStore(memoryStorage(), world(1));
    const objects = new Map<string, Uint8Array>();
    for (let i = 0; i < 40; i++) {
      const bytes = new TextEncoder().encode(`${i}${"\n".repeat(32_000)}`);
      objects.set(sha256Hex(bytes), bytes);
    }
    const staged = await stageObjects(store, P, objects);
    expect("announcements" in staged).toBe(true);
    await nameAs(store, "r", objects, staged);
    expect(await missing(store)).toEqual([]);
  });

  test("an announced object is spared while it is young and can be named later", async () => {
    const store = createStore(memoryStorage(), world(1));
    const objects = objectsOf(1);
    const staged = await stageObjects(store, P, objects);
    expect(await sweepAll(store, never)).toEqual({ objects: 0, uploads: 0, blobs: 0 });
    await nameAs(store, "r", objects, staged);
    expect(await missing(store)).toEqual([]);
  });

  test("an abandoned object is given up in one sweep and removed in the next", async () => {
    const storage = memoryStorage();
    const store = createStore(storage, world(1));
    await stageObjects(store, P, objectsOf(1, 1200));
    expect(await sweepAll(store, later)).toEqual({ objects: 0, uploads: 3, blobs: 0 });
    expect(await sweepAll(store, later)).toEqual({ objects: 1202, uploads: 0, blobs: 2 });
    expect(await left(storage)).toEqual({ rows: [], blobs: [] });
  });

  test("a writer whose announcement was given up must retry and names nothing", async () => {
    const storage = memoryStorage();
    const store = createStore(storage, world(1));
    const objects = objectsOf(1, 1200);
    const staged = await stageObjects(store, P, objects);
    const { announcements } = staged as { announcements: string[] };
    expect(announcements.length).toBe(3);
    // The first is the one that the set needs: a sweep gives up none below it before.
    await store.write(P, async (tx) => tx.delete(announcements[0]!));
    const naming = nameAs(store, "r", objects, staged);
    await expect(naming).rejects.toBeInstanceOf(Unavailable);
    await expect(naming).rejects.toMatchObject({ outcome: "none" });
    expect((await (await store.read(P)).list({ under: encodeKey("root"), limit: 1 })).length).toBe(0);
    await nameAs(store, "again", objects, await stageObjects(store, P, objects));
    await sweepAll(store, later);
    expect(await missing(store)).toEqual([]);
  });

  test("a set that was named cannot be named again", async () => {
    const store = createStore(memoryStorage(), world(1));
    const objects = objectsOf(1);
    const staged = await stageObjects(store, P, objects);
    await nameAs(store, "r", objects, staged);
    await expect(nameAs(store, "s", objects, staged)).rejects.toBeInstanceOf(Unavailable);
  });
});

describe("a sweep between any two calls of a writer", () => {
  /** The storage, with something done before the call of that number. */
  function before(storage: Storage, call: number, run: () => Promise<unknown>) {
    let calls = 0;
    const count = async <Result>(go: () => Promise<Result>) => {
      if (++calls === call) await run();
      return go();
    };
    const wrapped = through(storage, {
      snapshot: count,
      commit: (_, go) => count(go),
      blob: (kind, go) => (kind === "put" ? count(go) : go()),
    });
    return { wrapped, calls: () => calls };
  }

  /** Half of the objects lie there already, named by nobody. */
  async function play(call: number, olderThan: Date): Promise<{ isOver: boolean; error: unknown }> {
    const storage = memoryStorage();
    const direct = createStore(storage, world(2));
    await nameAs(direct, "old", objectsOf(0), await stageObjects(direct, P, objectsOf(0)));
    await dropRoots(direct);
    const { wrapped, calls } = before(storage, call, async () => {
      for (let round = 0; round < 2; round++) await sweepAll(direct, olderThan);
    });
    const store = createStore(wrapped, world(1));
    const objects = objectsOf(1);
    const error = await stageObjects(store, P, objects)
      .then((staged) => nameAs(store, "r", objects, staged))
      .then(
        () => undefined,
        (error) => error,
      );
    expect(await missing(direct), `swept before call ${call}`).toEqual([]);
    expect((await reachable(await direct.read(P))).size).toBe(error ? 0 : objects.size);
    for (let round = 0; round < 2; round++) await sweepAll(direct, later);
    expect(await missing(direct)).toEqual([]);
    const { rows, blobs } = await left(storage);
    expect(rows.filter((row) => row.startsWith(encodeKey("object"))).length).toBe(error ? 0 : objects.size);
    expect(blobs.length).toBe(error ? 0 : 2);
    return { isOver: calls() < call, error };
  }

  test("a sweep between any two calls takes nothing from an active writer", async () => {
    let call = 1;
    for (let isOver = false; !isOver; call++) {
      const played = await play(call, never);
      expect(played.error).toBeUndefined();
      isOver = played.isOver;
    }
    expect(call).toBeGreaterThan(10);
  });

  test("a sweep gives a writer up completely or leaves everything to it", async () => {
    const seen = { named: 0, refused: 0 };
    for (let call = 1, isOver = false; !isOver; call++) {
      const played = await play(call, later);
      if (played.error) expect(played.error).toBeInstanceOf(Unavailable);
      seen[played.error ? "refused" : "named"]++;
      isOver = played.isOver;
    }
    expect(Math.min(seen.named, seen.refused)).toBeGreaterThan(2);
  });
});

describe("writers and sweepers in seeded order", () => {
  type Sweep = (store: Store) => Promise<unknown>;
  type Naming = typeof nameAs;
  const patient: Sweep = (store) => sweepAll(store, never);
  const impatient: Sweep = (store) => sweepAll(store, later);

  /** Writers put and drop roots over objects that they share in part; each root must be whole at every moment. */
  async function play(
    seed: number,
    sweepOnce: Sweep,
    options: { killOneIn?: number; naming?: Naming } = {},
  ): Promise<number> {
    const { killOneIn, naming = nameAs } = options;
    const storage = memoryStorage();
    const { storageFor, run } = interleave(storage, seed, killOneIn ? { killOneIn } : {});
    const direct = createStore(storage, world(seed));
    let refused = 0;
    let writing = 3;
    const writers = [0, 1, 2].map((i) => async () => {
      const store = createStore(storageFor(i), world(seed * 10 + i));
      for (let round = 0; round < 2; round++) {
        const objects = objectsOf(i + round);
        try {
          const staged = await stageObjects(store, P, objects);
          // Time in which much may happen.
          for (let pause = 0; pause < 8; pause++) await store.read(P);
          await naming(store, `r${i}`, objects, staged);
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
          refused++;
        }
        if (round === 0) await dropRoots(store, `r${i}`);
      }
      writing--;
    });
    const sweepers = [3, 4].map((i) => async () => {
      const store = createStore(storageFor(i), world(seed * 10 + i));
      for (let round = 0; round < 3 || (writing > 0 && round < 25); round++) await sweepOnce(store);
    });
    await run([...writers, ...sweepers], async () => {
      expect(await missing(direct)).toEqual([]);
    });
    await dropRoots(direct);
    for (let round = 0; round < 2; round++) await impatient(direct);
    expect(await left(storage)).toEqual({ rows: [], blobs: [] });
    return refused;
  }

  test("no writer is refused while its announcement is young", async () => {
    for (let seed = 1; seed <= runs(64); seed++) expect(await play(seed, patient)).toBe(0);
  });

  test("a root is complete or absent, however early sweepers run", async () => {
    let refused = 0;
    for (let seed = 1; seed <= runs(64); seed++) refused += await play(seed, impatient);
    expect(refused).toBeGreaterThan(5);
  });

  test("nothing is left in the end even when writers and sweepers die midway", async () => {
    for (let seed = 1; seed <= runs(80); seed++) await play(seed, seed % 2 ? impatient : patient, { killOneIn: 40 });
  });

  test("control: a sweeper that ignores announcements removes what a writer is about to name", async () => {
    const deaf: Sweep = async (store) => {
      const view = await store.read(P);
      const live = await reachable(view);
      const objects = await view.list({ under: encodeKey("object"), limit: 1000 });
      const garbage = objects.filter(({ key: at }) => ![...live].some((hash) => at.includes(hash)));
      for (let at = 0; at < garbage.length; at += 100) {
        await store.write(P, async (tx) => {
          for (const { key: it } of garbage.slice(at, at + 100)) {
            const put = await tx.getVersion(it);
            const used = (await tx.getVersion(it.replace(encodeKey("object"), encodeKey("use")))) ?? 0;
            if (put !== undefined && put <= view.version && used <= view.version) tx.delete(it);
          }
        });
      }
    };
    expect(await firstFailure(40, async (seed) => void (await play(seed, deaf)))).toBeDefined();
  });

  test("control: a writer that keeps its announcement names what is gone", async () => {
    const careless: Naming = async (store, id, objects) => {
      await store.write(P, async (tx) => putRoot(tx, id, objects));
    };
    expect(
      await firstFailure(40, async (seed) => void (await play(seed, impatient, { naming: careless }))),
    ).toBeDefined();
  });
});
