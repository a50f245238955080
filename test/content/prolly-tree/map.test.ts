// The map compared with a plain sorted map: all reads are the same, and the root depends only on the contents.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeMap,
  countEntries,
  createMemorySource,
  getValue,
  getValues,
  iterateEntries,
  type JsonValue,
  type ListEntriesOptions,
  listEntries,
  listRanges,
  type MapEntry,
  type MapNode,
  parseNode,
} from "../../../src/content/prolly-tree";
import { runs } from "../../support/test-length";
import { anyEdits, anyHistory, anyKey, counted, pageValue, played, Saved, sorted } from "./map-model";

/** A bound at one of the keys that are there, or right behind it; a number chooses which. */
const bound = fc.option(fc.tuple(fc.nat(), fc.constantFrom("", "", "-")), { nil: undefined });
const anyAsk = fc.record({
  under: fc.constantFrom(undefined, undefined, "", "p/", "p/x/", "p/1", "c/x/00", "p/200", "q", "__proto__"),
  after: bound,
  before: bound,
  reverse: fc.option(fc.boolean(), { nil: undefined }),
  limit: fc.option(fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 400 })), { nil: undefined }),
});
type Ask = typeof anyAsk extends fc.Arbitrary<infer A> ? A : never;

function optionsOf(ask: Ask, keys: readonly string[]): ListEntriesOptions {
  const keyOf = (bound: Ask["after"]) => bound && (keys[bound[0] % keys.length] ?? "p/") + bound[1];
  return { ...ask, after: keyOf(ask.after), before: keyOf(ask.before) };
}

function listed(
  keys: readonly string[],
  { under = "", after, before, reverse, limit = 1e6 }: ListEntriesOptions,
): string[] {
  const found = keys
    .filter((key) => key.startsWith(under))
    .filter((key) => (after === undefined || key > after) && (before === undefined || key < before));
  return (reverse ? found.reverse() : found).slice(0, limit);
}

/** What `iterateEntries` gives, in the order that its pieces say. */
async function inOrder(map: Saved, under: string): Promise<MapEntry[]> {
  const pieces: (readonly MapEntry[])[] = [];
  for await (const { index: at, entries } of iterateEntries(map.source, map.root, { under })) {
    if (entries.length === 0) continue;
    expect(pieces[at]).toBeUndefined();
    pieces[at] = entries;
  }
  return pieces.flat();
}

describe("reading a map", () => {
  test("every read agrees with a sorted map after every batch of edits", async () => {
    const asks = fc.array(anyAsk, { minLength: 12, maxLength: 12 });
    const property = fc.asyncProperty(anyHistory, asks, fc.array(anyKey), async (history, asks, some) => {
      const map = new Saved();
      for (const [i, edits] of history.entries()) {
        await map.change(edits);
        const model = sorted(played(history.slice(0, i + 1)));
        const keys = model.map(({ key }) => key);
        expect(await listEntries(map.source, map.root)).toEqual(model);
        for (const under of ["", "p/", "c/x/00", "q"])
          expect(await inOrder(map, under)).toEqual(model.filter(({ key }) => key.startsWith(under)));
        const values = await getValues(map.source, map.root, [...some, ...keys.toReversed()]);
        expect(values.slice(some.length)).toEqual(model.map(({ value }) => value).reverse());
        expect(values.map((value) => value !== undefined)).toEqual([...some, ...keys].map((key) => keys.includes(key)));
        for (const ask of asks) {
          const options = optionsOf(ask, keys);
          const found = await listEntries(map.source, map.root, options);
          expect(found.map(({ key }) => key)).toEqual(listed(keys, options));
          const all = listed(keys, { ...options, limit: undefined });
          expect(await countEntries(map.source, map.root, options)).toBe(all.length);
        }
      }
    });
    await fc.assert(property, { numRuns: runs(200) });
  });

  test("the empty map has no root, entries or values", async () => {
    const { source } = new Saved();
    expect(await listEntries(source, null)).toEqual([]);
    expect(await countEntries(source, null)).toBe(0);
    expect(await getValue(source, null, "p/1")).toBeUndefined();
    expect(await getValues(source, null, ["a", "b"])).toEqual([undefined, undefined]);
  });

  test("an empty or reversed range has no entries", async () => {
    const map = await Saved.after(new Map(Array.from({ length: 500 }, (_, i) => [`p/${i}`, i])));
    for (const bounds of [
      { after: "p/3", before: "p/2" },
      { after: "p/3", before: "p/3" },
      { under: "p/", before: "a" },
    ]) {
      expect(await listEntries(map.source, map.root, bounds)).toEqual([]);
      expect(await countEntries(map.source, map.root, bounds)).toBe(0);
    }
  });

  test("repeated and unordered keys are answered in their order", async () => {
    const map = await Saved.after(new Map(Array.from({ length: 500 }, (_, i) => [`p/${i}`, i])));
    expect(await getValues(map.source, map.root, ["p/7", "p/499", "none", "p/7", "a", "~"])).toEqual([
      7,
      499,
      undefined,
      7,
      undefined,
      undefined,
    ]);
  });

  test("entries of a range are read leaf by leaf in storage order, many leaves at once", async () => {
    const map = await Saved.after(new Map(Array.from({ length: 10_000 }, (_, i) => [`p/${i}`, pageValue(i, 100)])));
    const asked: string[][] = [];
    const source = {
      load(hashes: readonly string[]) {
        asked.push([...hashes]);
        return map.source.load(hashes);
      },
    };
    let entries = 0;
    for await (const piece of iterateEntries(source, map.root, { under: "p/" })) entries += piece.entries.length;
    expect(entries).toBe(10_000);
    const height = await map.height();
    const leaves = asked.slice(height - 1);
    expect(leaves.flat()).toEqual(leaves.flat().toSorted());
    expect(leaves.flat().length).toBeGreaterThan(100);
    expect(leaves).toHaveLength(Math.ceil(leaves.flat().length / 1024));
  });

  test("a read waits once per level, and a short list opens few nodes", async () => {
    const map = await Saved.after(new Map(Array.from({ length: 10_000 }, (_, i) => [`p/${i}`, pageValue(i, 100)])));
    const height = await map.height();
    const some = counted(map.source);
    await getValues(
      some,
      map.root,
      Array.from({ length: 500 }, (_, i) => `p/${i * 20}`),
    );
    expect(some.asked).toBe(height);
    const page = counted(map.source);
    expect(await listEntries(page, map.root, { after: "p/5", limit: 20, reverse: true })).toHaveLength(20);
    expect(page.asked).toBe(height);
    expect(page.nodes).toBeLessThan(40);
    const many = counted(map.source);
    const parts = Array.from({ length: 100 }, (_, i) => ({
      under: `p/${i * 7}`,
      limit: 1 + (i % 3),
      reverse: i % 2 === 0,
    }));
    const none = { under: "q/", limit: 1 };
    const found = await listRanges(many, map.root, [...parts, none, { ...none, under: "p/", limit: 0 }]);
    expect(many.asked).toBe(height);
    const apart = await Promise.all(parts.map((part) => listEntries(map.source, map.root, part)));
    expect(found).toEqual([...apart, [], []]);
  });
});

describe("the root of a map", () => {
  test("the root does not depend on how the contents came about", async () => {
    const property = fc.asyncProperty(
      anyHistory,
      anyEdits,
      fc.infiniteStream(fc.nat({ max: 40 })),
      async (history, others, draws) => {
        const contents = played(history);
        const incremental = await Saved.after(...history);
        const atOnce = await Saved.after(contents);
        // Shuffled, in pieces, and past things that are taken away again.
        const shuffled = [...contents].map((entry) => [draws.next().value ?? 0, entry] as const);
        const entries = shuffled.sort(([a], [b]) => a - b).map(([, entry]) => entry);
        const detours = new Map([...others].filter(([key]) => !contents.has(key)));
        const pieces: Map<string, JsonValue | undefined>[] = [detours];
        for (let i = 0; i < entries.length; ) {
          const size = 1 + (draws.next().value ?? 0) * 5;
          pieces.push(new Map(entries.slice(i, i + size)));
          i += size;
        }
        pieces.push(new Map([...detours.keys()].map((key) => [key, undefined])));
        const inPieces = await Saved.after(...pieces);
        expect(incremental.root).toBe(atOnce.root);
        expect(inPieces.root).toBe(atOnce.root);
      },
    );
    await fc.assert(property, { numRuns: runs(160) });
  });

  test("the root is the same after single edits forward, backward and undone", async () => {
    const contents = Array.from({ length: 400 }, (_, i): [string, JsonValue] => [
      `p/${i}`,
      pageValue(i, i % 9 ? 200 : 4000),
    ]);
    const roots: (string | null)[] = [null];
    const map = new Saved();
    for (const entry of contents) {
      await map.change(new Map([entry]));
      roots.push(map.root);
    }
    expect((await Saved.after(...[...contents].reverse().map((entry) => new Map([entry])))).root).toBe(map.root);
    for (const [key] of [...contents].reverse()) {
      expect(map.root).toBe(roots.pop());
      await map.change(new Map([[key, undefined]]));
    }
    expect(map.root).toBeNull();
  });

  test("different contents have different roots", async () => {
    const contents = new Map<string, JsonValue>(Array.from({ length: 300 }, (_, i) => [`p/${i}`, i]));
    const others = [
      new Map<string, JsonValue | undefined>([["p/7", 8]]),
      new Map<string, JsonValue | undefined>([["p/7", "7"]]),
      new Map<string, JsonValue | undefined>([["p/7", undefined]]),
      new Map<string, JsonValue | undefined>([["p/300", 300]]),
    ];
    const maps = await Promise.all([Saved.after(contents), ...others.map((edits) => Saved.after(contents, edits))]);
    expect(new Set(maps.map(({ root }) => root)).size).toBe(5);
  });

  test("the root does not depend on the order of the members of a value", async () => {
    const one = await Saved.after(new Map([["p/1", { b: [{ y: 1, x: 2 }], 10: "ten", a: null, 9: "nine" }]]));
    const created = await one.change(new Map([["p/1", { 9: "nine", a: null, 10: "ten", b: [{ x: 2, y: 1 }] }]]));
    expect([...created]).toEqual([]);
    expect([...one.texts.values()]).toEqual(['[0,["p/1",{"9":"nine","10":"ten","a":null,"b":[{"x":2,"y":1}]}]]']);
  });
});

describe("changing a map", () => {
  test("the old nodes and the created nodes are exactly the new tree", async () => {
    const property = fc.asyncProperty(anyHistory, anyEdits, async (history, edits) => {
      const map = await Saved.after(...history);
      const old = await map.reachable();
      const before = new Map([...map.texts].filter(([hash]) => old.has(hash)));
      const { root, created, nodes } = await changeMap(createMemorySource(before), map.root, edits);
      for (const hash of created.keys()) expect(old.has(hash)).toBe(false);
      const whole = (hash: string, node: MapNode) => ({
        hash,
        node,
        rows: "entries" in node ? node.entries : node.children,
      });
      expect(Array.from(nodes, ([hash, node]) => whole(hash, node))).toEqual(
        Array.from(created, ([hash, text]) => whole(hash, parseNode(text, hash))),
      );
      const after = createMemorySource(new Map([...before, ...created]));
      expect(await listEntries(after, root)).toEqual(sorted(played([...history, edits])));
      await map.change(edits);
      const now = await map.reachable();
      expect([...created.keys()].filter((hash) => !now.has(hash))).toEqual([]);
      // Without any one of them the tree cannot be read.
      const [missing] = created.keys();
      if (missing === undefined) return;
      const rest = new Map([...before, ...created].filter(([hash]) => hash !== missing));
      await expect(listEntries(createMemorySource(rest), root)).rejects.toThrow(missing);
    });
    await fc.assert(property, { numRuns: runs(160) });
  });

  test("removing all but a few entries of a tall tree creates only the leaf", async () => {
    const contents = new Map(Array.from({ length: 3000 }, (_, i) => [`p/${i}`, pageValue(i, 100)]));
    const map = await Saved.after(contents);
    expect(await map.height()).toBe(4);
    const rest = new Map([...contents].slice(1500, 1503));
    const created = await map.change(new Map([...contents.keys()].map((key) => [key, rest.get(key)])));
    expect([...created.keys()]).toEqual([map.root]);
    expect(await listEntries(map.source, map.root)).toEqual(sorted(rest));
  });

  test("nothing is created when the remainder was a node of the old tree", async () => {
    const contents = new Map(Array.from({ length: 3000 }, (_, i) => [`p/${i}`, pageValue(i, 100)]));
    const map = await Saved.after(contents);
    const leaf = (await map.source.load([...map.texts.keys()])).find((node) => "entries" in node)!;
    const kept = new Set("entries" in leaf ? leaf.entries.map(({ key }) => key) : []);
    const gone = [...contents.keys()].filter((key) => !kept.has(key));
    expect(await map.change(new Map(gone.map((key) => [key, undefined])))).toEqual(new Map());
    expect((await listEntries(map.source, map.root)).map(({ key }) => key)).toEqual([...kept]);
  });

  test("nothing is created when nothing changes", async () => {
    const property = fc.asyncProperty(anyHistory, fc.array(anyKey), async (history, keys) => {
      const map = await Saved.after(...history);
      const contents = played(history);
      const same = new Map([...keys, ...[...contents.keys()].slice(0, 30)].map((key) => [key, contents.get(key)]));
      expect(await changeMap(map.source, map.root, same)).toEqual({
        root: map.root,
        created: new Map(),
        nodes: new Map(),
      });
    });
    await fc.assert(property, { numRuns: runs(160) });
  });

  test("changing a value to one of equal length creates the nodes on its path", async () => {
    const contents = new Map(Array.from({ length: 3000 }, (_, i) => [`p/${i}`, pageValue(i, 300)]));
    const map = await Saved.after(contents);
    const { root } = map;
    const height = await map.height();
    for (let i = 0; i < 3000; i += 97) {
      const path = counted(map.source);
      await getValue(path, root, `p/${i}`);
      expect(path.nodes).toBe(height);
      const { created } = await changeMap(map.source, root, new Map([[`p/${i}`, pageValue(i, 300, 1)]]));
      expect(created.size).toBe(height);
    }
  });
});
