// The room of a commit: a transaction knows what is left, work that exceeds one commit stops in time and continues in
// the next, and what cannot fit is one error that says so.

import type { Batch, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { encodeKey } from "../../src/storage/key";
import { checkBatch } from "../../src/storage/limits";
import { defineRecordSet } from "../../src/storage/records";
import { MAX_BATCH_BYTES, MAX_BATCH_CHECKS, MAX_BATCH_ENTRIES } from "../../src/storage/storage";
import { createStore, type Store } from "../../src/storage/store";
import { type Transaction, TransactionTooLargeError } from "../../src/storage/transaction";
import { forEachEntry, isFull, processInCommits } from "../../src/storage/transaction-budget";
import { seeded } from "../support/setting";
import { through } from "../support/through";

let store: Store;
/** The batches that were committed. */
let storage: Storage;
let batches: Batch[];

beforeEach(() => {
  batches = [];
  storage = through(memoryStorage(), {
    commit(batch, go) {
      batches.push(batch);
      return go();
    },
  });
  store = createStore(storage, { now: () => new Date(0), random: seeded(1), pause: async () => {} });
});

const write = <T>(body: (tx: Transaction) => Promise<T>) => store.write("p", body);
const at = (n: number) => encodeKey("at", n);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("the remaining room of a commit", () => {
  test("a transaction reports the remaining entries, checks and bytes as the contract counts them", async () => {
    await write(async (tx) => {
      expect(tx.budget).toEqual({ entries: MAX_BATCH_ENTRIES, checks: MAX_BATCH_CHECKS, bytes: MAX_BATCH_BYTES });
      await tx.getMany([at(1), at(2)]);
      await tx.get(at(1));
      tx.put(at(1), { text: "漢\u0001" });
      tx.put(at(1), { text: "漢漢\u0001" });
      tx.delete(at(2));
      tx.add(at(3), 1);
      // What comes back to nothing is not written.
      tx.add(at(4), 1);
      tx.add(at(4), -1);
      const written = [at(1), at(2), at(3)].join("").length + '{"text":"\\u0001"}'.length + 6 + 8;
      expect(tx.budget).toEqual({
        entries: MAX_BATCH_ENTRIES - 3,
        checks: MAX_BATCH_CHECKS - 2,
        bytes: MAX_BATCH_BYTES - written,
      });
    });
  });

  test("what just fits is accepted, and one byte more is not", async () => {
    const fill = async (tx: Transaction, more: string) => {
      for (let n = 0; tx.budget.bytes > 50_000; n++) tx.put(at(n), "x".repeat(40_000));
      const left = tx.budget.bytes - at(1000).length - 2;
      tx.put(at(1000), "x".repeat(left) + more);
      expect(tx.budget.bytes).toBe(0 - more.length);
    };
    await write((tx) => fill(tx, ""));
    await expect(write((tx) => fill(tx, "x"))).rejects.toBeInstanceOf(TransactionTooLargeError);
  });

  test.each([
    ["entries", async (tx: Transaction) => numbers(MAX_BATCH_ENTRIES + 1).forEach((n) => void tx.put(at(n), 1))],
    [
      "checks",
      async (tx: Transaction) => {
        await tx.getMany(numbers(MAX_BATCH_CHECKS + 1).map(at));
        tx.put(at(0), 1);
      },
    ],
    ["bytes of a value", async (tx: Transaction) => tx.put(at(0), "x".repeat(70_000))],
  ] as const)("a commit with too many %s is one error, and nothing is written", async (_, body) => {
    await expect(write(body)).rejects.toMatchObject({ name: "TransactionTooLargeError", code: "too_large" });
    expect((await store.read("p")).version).toBe(0);
  });
});

type Pet = { readonly id: string; readonly kind: string; readonly said: string };

const pets = defineRecordSet("pet-in-room", {
  key: (pet: Pet) => [pet.id],
  indexes: { ofKind: (pet) => [pet.kind], all: () => [] },
  unique: { id: (pet) => [pet.id] },
  totals: { all: () => [] },
});

const many = (count: number, kind = "cat", said = "") =>
  processInCommits(
    store,
    "p",
    numbers(count).map((n) => ({ id: `${kind}${n}`, kind, said })),
    pets.put,
  );

describe("draining record sets", () => {
  test.each([
    ["rows of several entries", 700, "", undefined],
    ["large records", 120, "x".repeat(30_000), undefined],
    [
      "rows that leave much behind",
      300,
      "",
      async (tx: Transaction, { id }: Pet) => tx.put(encodeKey("left", id), "y".repeat(20_000)),
    ],
    ["rows that look at much", 300, "", async (tx: Transaction, { id }: Pet) => tx.getMany(names(id))],
  ] as const)("a record set is drained as far as the commit allows: %s", async (_, count, said, follow) => {
    await many(count, "cat", said);
    await many(3, "dog");
    batches.length = 0;
    const gone: string[] = [];
    const drainSome = (tx: Transaction) =>
      pets.drain(tx, "ofKind", ["cat"], async (pet) => {
        gone.push(pet.id);
        return follow?.(tx, pet);
      });
    while (await write(drainSome));
    expect(gone.length).toBe(count);
    expect(new Set(gone).size).toBe(count);
    expect(await pets.total(await store.read("p"), "all")).toBe(3);
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches) expect(() => checkBatch(batch)).not.toThrow();
  });

  const names = (id: string) => numbers(30).map((n) => encodeKey("looked at", id, n));

  test("several record sets share one commit, which also has room for what belongs to it", async () => {
    await many(20, "cat");
    await many(20, "dog");
    batches.length = 0;
    const hasMore = await write(async (tx) => {
      const more = (await pets.drain(tx, "ofKind", ["cat"])) || (await pets.drain(tx, "ofKind", ["dog"]));
      for (const n of numbers(100)) tx.put(at(n), 1);
      return more;
    });
    expect([hasMore, batches.length]).toEqual([false, 1]);
  });

  test("a record that changes meanwhile is not drained in its old state", async () => {
    await many(2);
    let runs = 0;
    await write(async (tx) => {
      await pets.drain(tx, "all", []);
      if (runs++ === 0) await store.write("p", (other) => pets.put(other, { id: "cat1", kind: "cat", said: "Meow" }));
    });
    expect(runs).toBe(2);
  });

  test("a record with more dependents than fit stays and is revisited", async () => {
    await many(3);
    const done: string[] = [];
    const each = async (tx: Transaction) =>
      pets.each(tx, "all", [], async ({ id }) => {
        for (let n = done.length; !isFull(tx); n++) tx.put(encodeKey("piece", id, n), 1);
        if (id === "cat1" && done.length === 1) return done.push("half of it") > 0;
        done.push(id);
        await pets.delete(tx, id);
        return false;
      });
    const rounds = [await write(each), await write(each), await write(each), await write(each)];
    expect(done).toEqual(["cat0", "half of it", "cat1", "cat2"]);
    expect(rounds).toEqual([true, true, true, false]);
  });
});

test("entries are visited in order up to a key, as long as they fit", async () => {
  await processInCommits(store, "p", numbers(900), (tx, n) => tx.put(at(n), n));
  const seen: number[] = [];
  const drop = (tx: Transaction) =>
    forEachEntry(tx, { under: encodeKey("at"), before: at(800) }, async (entry) => {
      seen.push(entry.value as number);
      tx.delete(entry.key);
    });
  while (await write(drop));
  expect(seen).toEqual(numbers(800));
});

describe("work over several commits", () => {
  test("each item is processed once, in order, across commits, and counted if it says so", async () => {
    const others = createStore(storage, { now: () => new Date(0), random: seeded(2), pause: async () => {} });
    let interruptions = 3;
    async function* coming() {
      for (const n of numbers(1000)) yield n;
    }
    const counted = await processInCommits(store, "p", coming(), async (tx, n) => {
      const before = ((await tx.get(encodeKey("sum"))) as number | undefined) ?? 0;
      tx.put(encodeKey("sum"), before + n);
      tx.put(at(n), n);
      if (n % 300 === 299 && interruptions-- > 0)
        await others.write("p", async (other) => other.add(encodeKey("sum"), 0.5));
      return n % 2 === 0;
    });
    const view = await store.read("p");
    expect(await view.get(encodeKey("sum"))).toBe((999 * 1000) / 2 + 1.5);
    expect((await view.list({ under: encodeKey("at"), limit: 2000 })).length).toBe(1000);
    expect(counted).toBe(500);
  });

  test("the guard is checked in every commit, and nothing is done without it", async () => {
    let held = 0;
    const guard = async () => {
      if (++held > 2) throw new Error("Not ours any more");
    };
    await expect(processInCommits(store, "p", numbers(2000), (tx, n) => tx.put(at(n), n), guard)).rejects.toThrow(
      "Not ours",
    );
    expect(batches.length).toBe(2);
  });

  test("an empty list makes no commit", async () => {
    expect(await processInCommits(store, "p", [], () => true)).toBe(0);
    expect(batches).toEqual([]);
  });
});
