// Records: indexes, unique names and totals agree with the records after any history.

import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test } from "vitest";
import { DuplicateError, defineRecordSet } from "../../src/storage/records";
import { createStore, type Store } from "../../src/storage/store";
import type { Transaction } from "../../src/storage/transaction";
import { seeded } from "../support/setting";

type Pet = { readonly id: string; readonly kind: string; readonly age: number; readonly chip?: string };

const pets = defineRecordSet("pet", {
  key: (pet: Pet) => [pet.id],
  indexes: { age: (pet) => [pet.age], chipped: (pet) => (pet.chip === undefined ? undefined : [pet.chip]) },
  unique: { chip: (pet) => (pet.chip === undefined ? undefined : [pet.chip]) },
  totals: { all: () => [], ofKind: (pet) => [pet.kind], chipped: (pet) => (pet.chip === undefined ? undefined : []) },
});

type Toy = { readonly id: string; readonly price: number | null; readonly colour: string };

const toys = defineRecordSet("toy", {
  key: (toy: Toy) => [toy.id],
  guards: { price: { part: (toy) => (toy.price === null ? undefined : [toy.price]) } },
});

let store: Store;

beforeEach(() => {
  store = createStore(memoryStorage(), { now: () => new Date(0), random: seeded(1), pause: async () => {} });
});

const put = (pet: Pet) => store.write("p", (tx) => pets.put(tx, pet));
const view = () => store.read("p");

test("a record is found by its key, its unique name and its indexes", async () => {
  await put({ id: "b", kind: "cat", age: 3, chip: "x1" });
  await put({ id: "a", kind: "cat", age: 10 });
  const tx = await view();
  expect(await pets.get(tx, "a")).toMatchObject({ age: 10 });
  expect(await pets.find(tx, "chip", "x1")).toMatchObject({ id: "b" });
  expect(await pets.find(tx, "chip", "x2")).toBeUndefined();
  expect((await pets.getMany(tx, [["b"], ["none"], ["a"]])).map((pet) => pet?.id)).toEqual(["b", undefined, "a"]);
  expect((await pets.list(tx, "age", { limit: 10 })).map((row) => row.record.id)).toEqual(["b", "a"]);
  expect((await pets.list(tx, "age", { limit: 10, reverse: true })).map((row) => row.record.id)).toEqual(["a", "b"]);
  expect((await pets.list(tx, "age", { under: [10], limit: 10 })).map((row) => row.record.id)).toEqual(["a"]);
  expect((await pets.list(tx, "chipped", { limit: 10 })).length).toBe(1);
});

test("a list continues after a position, in both directions, even if that row is gone", async () => {
  for (const [i, id] of ["a", "b", "c", "d"].entries()) await put({ id, kind: "cat", age: i });
  const rows = await pets.list(await view(), "age", { limit: 10 });
  await store.write("p", (tx) => pets.delete(tx, "b"));
  const after = { after: rows[1]!.position, limit: 10 };
  expect((await pets.list(await view(), "age", after)).map((row) => row.record.id)).toEqual(["c", "d"]);
  expect((await pets.list(await view(), "age", { ...after, reverse: true })).map((row) => row.record.id)).toEqual([
    "a",
  ]);
});

test("a unique name held by another record is Taken, and is free again after it is given up", async () => {
  await put({ id: "a", kind: "cat", age: 1, chip: "x" });
  await expect(put({ id: "b", kind: "cat", age: 1, chip: "x" })).rejects.toThrow(DuplicateError);
  await put({ id: "a", kind: "cat", age: 2, chip: "x" });
  await put({ id: "a", kind: "cat", age: 2 });
  await put({ id: "b", kind: "cat", age: 1, chip: "x" });
  expect((await pets.find(await view(), "chip", "x"))?.id).toBe("b");
});

test("reading a total guards the group, so a concurrent change retries the transaction", async () => {
  await put({ id: "a", kind: "cat", age: 1 });
  await put({ id: "b", kind: "cat", age: 1 });
  const removeUnlessLast = (id: string) =>
    store.write("p", async (tx) => {
      if ((await pets.total(tx, "ofKind", "cat")) > 1) await pets.delete(tx, id);
    });
  await Promise.all([removeUnlessLast("a"), removeUnlessLast("b")]);
  expect(await pets.total(await view(), "ofKind", "cat")).toBe(1);
});

test("after any history, lists and totals match the records", async () => {
  const pet = fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    kind: fc.constantFrom("cat", "dog"),
    age: fc.integer({ min: 0, max: 3 }),
    chip: fc.option(fc.constantFrom("x", "y", "z"), { nil: undefined }),
  });
  const step = fc.oneof(fc.record({ put: pet }), fc.record({ delete: fc.constantFrom("a", "b", "c", "d") }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (history) => {
      store = createStore(memoryStorage(), { now: () => new Date(0), random: seeded(1), pause: async () => {} });
      const model = new Map<string, Pet>();
      for (const change of history) {
        if ("delete" in change) {
          await store.write("p", (tx) => pets.delete(tx, change.delete));
          model.delete(change.delete);
          continue;
        }
        const { chip, ...rest } = change.put;
        const next: Pet = chip === undefined ? rest : { ...rest, chip };
        const isTaken =
          chip !== undefined && [...model.values()].some((other) => other.chip === chip && other.id !== next.id);
        if (isTaken) await expect(put(next)).rejects.toThrow(DuplicateError);
        else {
          await put(next);
          model.set(next.id, next);
        }
      }
      const tx = await view();
      const all = [...model.values()];
      const byAge = all.toSorted((a, b) => a.age - b.age || (a.id < b.id ? -1 : 1));
      expect((await pets.list(tx, "age", { limit: 100 })).map((row) => row.record)).toEqual(byAge);
      expect(await pets.total(tx, "all")).toBe(all.length);
      expect(await pets.totals(tx, "ofKind", [["cat"], ["dog"]])).toEqual(
        ["cat", "dog"].map((kind) => all.filter((it) => it.kind === kind).length),
      );
      expect(await pets.total(tx, "chipped")).toBe(all.filter((it) => it.chip !== undefined).length);
      for (const chip of ["x", "y", "z"])
        expect(await pets.find(tx, "chip", chip)).toEqual(all.find((it) => it.chip === chip));
    }),
    { numRuns: 150 },
  );
});

test("a guard is touched by every change of its group, a total by additions and removals, and neither by anything else", async () => {
  type Key = { readonly door: string; readonly holder: string; readonly level: number };
  const held = defineRecordSet("held-key", {
    key: (it: Key) => [it.door, it.holder],
    indexes: { ofDoor: (it) => [it.door] },
    totals: { ofDoor: (it) => [it.door] },
    guards: { ofDoor: (it) => [it.door] },
  });
  const by = defineRecordSet("held-by", {
    key: (it: Key) => [it.door, it.holder],
    indexes: { ofDoor: (it) => [it.door] },
    totals: { ofDoor: (it) => [it.door] },
  });
  const changes: [told: string, change: (tx: Transaction, set: typeof held) => Promise<void>, touches: string][] = [
    ["put", (tx, set) => set.put(tx, { door: "a", holder: "new", level: 1 }), "both"],
    ["change", (tx, set) => set.put(tx, { door: "a", holder: "one", level: 2 }), "guard"],
    ["delete", (tx, set) => set.delete(tx, "a", "one"), "both"],
    ["elsewhere", (tx, set) => set.put(tx, { door: "b", holder: "new", level: 1 }), "none"],
  ];
  for (const [told, change, touches] of changes) {
    for (const [kind, set] of [["guard", held] as const, ["total", by as unknown as typeof held] as const]) {
      await store.write("p", async (tx) => {
        for (const holder of ["one", "two", "new"]) await set.delete(tx, "a", holder);
        for (const holder of ["one", "two"]) await set.put(tx, { door: "a", holder, level: 1 });
      });
      let runs = 0;
      const seen = await store.write("p", async (tx) => {
        const group = await set.readGuarded(tx, "ofDoor", [["a"]]);
        const rows = await set.list(group, "ofDoor", { under: ["a"], limit: 10 });
        if (++runs === 1) await store.write("p", (other) => change(other, set));
        tx.put("decided", rows.length);
        return rows.map(({ record }) => `${record.holder}${record.level}`);
      });
      const isTouched = touches === "both" || touches === kind;
      expect(runs, `${told}, ${kind}`).toBe(isTouched ? 2 : 1);
      if (isTouched) expect(seen, told).not.toEqual(["one1", "two1"]);
    }
  }
});

test("a string longer than a key is found in full and listed by its prefix", async () => {
  const long = (last: string) => "漢".repeat(400) + last;
  await put({ id: "a", kind: long("a"), age: 1, chip: long("a") });
  await put({ id: "b", kind: long("b"), age: 1, chip: long("b") });
  await put({ id: "c", kind: "cat", age: 1, chip: "x" });
  await put({ id: "d", kind: "cat", age: 1, chip: "\u{1F600}" });
  const tx = await view();
  expect(await pets.find(tx, "chip", long("b"))).toMatchObject({ id: "b" });
  expect(await pets.find(tx, "chip", long("c"))).toBeUndefined();
  expect(await pets.total(tx, "ofKind", long("a"))).toBe(1);
  expect((await pets.list(tx, "chipped", { under: [long("a")], limit: 9 })).map(({ record }) => record.id)).toEqual([
    "a",
  ]);
  const all = (await pets.list(tx, "chipped", { limit: 9 })).map(({ record }) => record.id);
  expect([all[0], new Set(all.slice(1, 3)), all[3]]).toEqual(["c", new Set(["a", "b"]), "d"]);
  await expect(put({ id: "e", kind: "cat", age: 1, chip: long("a") })).rejects.toThrow(DuplicateError);
});

test("a partial guard is touched only when that part of a record changes, appears or disappears", async () => {
  await put({ id: "a", kind: "cat", age: 1 });
  const touched = async () => toys.getGuardVersion(await view(), "price");
  const putToy = (toy: Toy) => store.write("p", (tx) => toys.put(tx, toy));
  expect(await touched()).toBeUndefined();
  const seen = [undefined] as (number | undefined)[];
  const expectTouched = async (isTouched: boolean) => {
    const now = await touched();
    expect(now !== seen.at(-1)).toBe(isTouched);
    seen.push(now);
  };
  await putToy({ id: "ball", price: 1, colour: "red" });
  await expectTouched(true);
  await putToy({ id: "ball", price: 1, colour: "blue" });
  await expectTouched(false);
  await putToy({ id: "ball", price: 2, colour: "blue" });
  await expectTouched(true);
  await putToy({ id: "gift", price: null, colour: "blue" });
  await expectTouched(false);
  await store.write("p", async (tx) => {
    await toys.delete(tx, "ball");
    await toys.put(tx, { id: "ball", price: 2, colour: "blue" });
  });
  await expectTouched(true);
  await store.write("p", (tx) => toys.delete(tx, "gift"));
  await expectTouched(false);
  await store.write("p", (tx) => toys.delete(tx, "ball"));
  await expectTouched(true);
});

test("the position of a record is its position in a list", async () => {
  await put({ id: "a", kind: "cat", age: 7 });
  const [row] = await pets.list(await view(), "age", { limit: 1 });
  expect(pets.getPosition("age", row!.record)).toBe(row!.position);
  expect(pets.getPosition("chipped", row!.record)).toBeUndefined();
});
