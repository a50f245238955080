// The cache that all others are built on: versions, the time limit, the size.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VersionedCache } from "../../src/utils/versioned-cache";
import { runs } from "../support/test-length";

describe("validity", () => {
  test("a value is returned only for the versions that it was made from", async () => {
    const cache = new VersionedCache<object>(10_000);
    const first = {};
    const compute = (value: object) =>
      cache.getOrCompute(
        "a",
        [1, "x", undefined],
        async () => value,
        () => 1,
      );
    expect(await compute(first)).toBe(first);
    expect(await compute({})).toBe(first);
    for (const versions of [
      [2, "x", undefined],
      [1, "y", undefined],
      [1, "x", null],
      [1, "x"],
      [1, "x", undefined, undefined],
      [],
    ])
      expect(cache.get("a", versions)).toBeUndefined();
    expect(cache.get("a")).toBeUndefined();
    expect(cache.get("b", [1, "x", undefined])).toBeUndefined();
    cache.set("a", {}, { versions: [2] });
    expect(cache.get("a", [1, "x", undefined])).toBeUndefined();
  });

  test("a value with a time limit is returned only before it, and never without a time", () => {
    const cache = new VersionedCache<string>(10);
    cache.set("a", "A", { expiresAt: 1000 });
    expect(cache.get("a", [], 999)).toBe("A");
    expect(cache.get("a", [], 1000)).toBeUndefined();
    expect(cache.get("a")).toBeUndefined();
    cache.set("a", "A", { expiresAt: Number.NaN });
    expect(cache.get("a", [], 0)).toBeUndefined();
    cache.set("a", "B");
    expect([cache.get("a"), cache.get("a", [], 5000)]).toEqual(["B", "B"]);
  });

  test("a look at a value that may be outdated does not count", () => {
    const cache = new VersionedCache<string>(10);
    cache.set("a", "A", { versions: [1] });
    expect([cache.peek("a"), cache.peek("b")]).toEqual(["A", undefined]);
    expect(cache.getStats()).toMatchObject({ hits: 0, misses: 0 });
    expect([cache.get("a", [1]), cache.get("a", [2])]).toEqual(["A", undefined]);
    expect(cache.getStats()).toMatchObject({ hits: 1, misses: 1 });
  });
});

describe("size", () => {
  test("a cache never exceeds its size, even for a value that grows", () => {
    const cache = new VersionedCache<object>(100, 10);
    for (let i = 0; i < 50; i++) cache.set(`n${i}`, {}, { bytes: 20 });
    expect(cache.getStats()).toEqual({ entries: 3, size: 90, limit: 100, hits: 0, misses: 0 });
    const grown = {};
    cache.set("n49", grown, { bytes: 60 });
    cache.set("n49", grown, { bytes: 75 });
    expect(cache.getStats()).toMatchObject({ entries: 1, size: 85 });
    cache.set("large", {}, { bytes: 91 });
    expect([cache.get("large"), cache.get("n48"), cache.get("n49")]).toEqual([undefined, undefined, grown]);
  });

  test("a cache without bytes is limited by the number of its entries", () => {
    const cache = new VersionedCache<number>(2.5);
    for (let i = 0; i < 5; i++) cache.set(`n${i}`, i);
    expect(cache.getStats()).toMatchObject({ entries: 2, size: 2, limit: 2 });
    cache.clear();
    expect(cache.getStats()).toMatchObject({ entries: 0, size: 0 });
  });

  test("a cache evicts the least recently used entry, as a plain list does", () => {
    const name = fc.integer({ min: 0, max: 12 }).map(String);
    const act = fc.record({
      does: fc.constantFrom("get", "set", "delete"),
      name,
      bytes: fc.integer({ min: 1, max: 45 }),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const cache = new VersionedCache<{ bytes: number }>(100, 5);
        let model: { name: string; value: { bytes: number } }[] = [];
        const sizeOf = () => model.reduce((sum, { value }) => sum + 5 + value.bytes, 0);
        for (const { does, name, bytes } of acts) {
          const known = model.find((it) => it.name === name);
          if (does === "get") expect(cache.get(name)).toBe(known?.value);
          else if (does === "delete") cache.delete(name);
          const value = does === "set" ? { bytes } : does === "get" ? known?.value : undefined;
          if (does === "set") cache.set(name, value!, { bytes });
          model = model.filter((it) => it !== known);
          if (value) model.push({ name, value });
          while (sizeOf() > 100) model.shift();
          expect(cache.getStats()).toMatchObject({ entries: model.length, size: sizeOf() });
        }
        for (const { name, value } of model) expect(cache.get(name)).toBe(value);
      }),
      { numRuns: runs(400) },
    );
  });
});
