// Two maps side by side: what differs between them, what they share, and how little has to be read to tell.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeMap,
  collectNeededNodesInSteps,
  countEntries,
  createMemorySource,
  diffMaps,
  getValue,
  type JsonValue,
  listEntries,
  type MapDifference,
  type MapRoot,
  markReachableNodes,
} from "../../../src/content/prolly-tree";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { runs } from "../../support/test-length";
import { anyEdits, anyHistory, counted, type Edits, pageValue, played, Saved, sorted } from "./map-model";

async function all(differences: AsyncIterable<MapDifference>): Promise<MapDifference[]> {
  const found: MapDifference[] = [];
  for await (const difference of differences) found.push(difference);
  return found;
}

const differences = (map: Saved, before: MapRoot, after: MapRoot, under?: string) =>
  all(diffMaps(map.source, before, after, { under }));

function expected(
  before: ReadonlyMap<string, JsonValue>,
  after: ReadonlyMap<string, JsonValue>,
  under = "",
): MapDifference[] {
  const [old, now] = [before, after].map((map) => new Map(sorted(map).map(({ key, value }) => [key, value])));
  const keys = [...new Set([...old!.keys(), ...now!.keys()])].filter((key) => key.startsWith(under)).sort();
  const pairs = keys.map((key) => ({ key, before: old!.get(key), after: now!.get(key) }));
  return pairs.filter(({ before, after }) => canonical(before) !== canonical(after)) as MapDifference[];
}

/** Random values are small, so sorting the members of all objects in them by a replacer will do. */
function canonical(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
      : part,
  );
}

describe("diff", () => {
  test("diff lists the keys whose values differ, in order, in both directions and under a prefix", async () => {
    const under = fc.constantFrom("", "p/", "p/x/", "p/1", "s/00", "none");
    const property = fc.asyncProperty(anyHistory, anyEdits, under, async (history, edits, under) => {
      const map = await Saved.after(...history);
      const [before, old] = [map.root, played(history)];
      await map.change(edits);
      const [after, now] = [map.root, played([...history, edits])];
      expect(await differences(map, before, after)).toEqual(expected(old, now));
      expect(await differences(map, after, before)).toEqual(expected(now, old));
      expect(await differences(map, before, after, under)).toEqual(expected(old, now, under));
    });
    await fc.assert(property, { numRuns: runs(160) });
  });

  test("diff works between unrelated maps", async () => {
    const property = fc.asyncProperty(anyHistory, anyHistory, async (one, other) => {
      const map = await Saved.after(...one);
      const before = map.root;
      map.root = null;
      for (const edits of other) await map.change(edits);
      expect(await differences(map, before, map.root)).toEqual(expected(played(one), played(other)));
    });
    await fc.assert(property, { numRuns: runs(120) });
  });

  test("applying a diff to one map gives the other", async () => {
    const property = fc.asyncProperty(anyHistory, anyHistory, async (one, other) => {
      const map = await Saved.after(...one);
      const before = map.root;
      for (const edits of other) await map.change(edits);
      const edits = new Map((await differences(map, before, map.root)).map(({ key, after }) => [key, after]));
      expect((await changeMap(map.source, before, edits)).root).toBe(map.root);
    });
    await fc.assert(property, { numRuns: runs(120) });
  });

  test("diff distinguishes a null value from a missing key", async () => {
    const map = await Saved.after(
      new Map<string, JsonValue>([
        ["a", null],
        ["b", 1],
      ]),
    );
    const before = map.root;
    await map.change(
      new Map<string, JsonValue | undefined>([
        ["a", undefined],
        ["b", null],
        ["c", null],
      ]),
    );
    expect(await differences(map, before, map.root)).toEqual([
      { key: "a", before: null },
      { key: "b", before: 1, after: null },
      { key: "c", after: null },
    ]);
    expect(Object.keys((await differences(map, before, map.root))[0]!)).toEqual(["key", "before"]);
  });

  test("diff of a map with itself reads nothing, and can be stopped midway", async () => {
    const map = await Saved.after(new Map(Array.from({ length: 2000 }, (_, i) => [`p/${i}`, i])));
    const source = counted(map.source);
    for await (const difference of diffMaps(source, map.root, map.root)) expect.unreachable(difference.key);
    expect(source.nodes).toBe(0);
    for await (const { key } of diffMaps(source, null, map.root)) {
      expect(key).toBe("p/0");
      break;
    }
    expect(source.nodes).toBe(await map.height());
  });
});

describe("the number of nodes read", () => {
  const sizes = [100, 10_000, 100_000];
  const maps = new Map<number, Promise<Saved>>();
  const mapOf = (size: number) => {
    const contents = () => new Map(Array.from({ length: size }, (_, i) => [`p/${i}`, pageValue(i, 40)]));
    if (!maps.has(size)) maps.set(size, Saved.after(contents()));
    return maps.get(size)!;
  };

  test("a thousand times more entries cost two more levels", async () => {
    expect(await Promise.all(sizes.map(async (size) => (await mapOf(size)).height()))).toEqual([2, 4, 4]);
  });

  test.each(sizes)(
    "changing one entry of %i reads as many nodes as the trees are high, plus a few at moved boundaries",
    async (size) => {
      const map = await mapOf(size);
      const height = await map.height();
      const edits: [name: string, edit: Edits, most: number][] = [
        ["another value", new Map([["p/50", pageValue(51, 40)]]), 2 * height],
        ["one more", new Map([["p/50-", pageValue(50, 40)]]), 2 * height + 4],
        ["one less", new Map([["p/50", undefined]]), 2 * height + 4],
      ];
      for (const [, edit, most] of edits) {
        const changing = counted(map.source);
        const { root, created } = await changeMap(changing, map.root, edit);
        expect(changing.nodes).toBeLessThanOrEqual(height + 3);
        expect(created.size).toBeLessThanOrEqual(height + 3);
        const source = counted(createMemorySource(created, map.source));
        expect(await all(diffMaps(source, map.root, root))).toHaveLength(1);
        expect(source.nodes).toBeLessThanOrEqual(most);
      }
      const counting = counted(map.source);
      await countEntries(counting, map.root, { after: "p/30", before: "p/70" });
      expect(counting.nodes).toBeLessThanOrEqual(2 * height);
      const getting = counted(map.source);
      await getValue(getting, map.root, "p/50");
      expect(getting.nodes).toBe(height);
    },
  );

  test("only inserted entries are read, and the rest is not", async () => {
    const map = await mapOf(10_000);
    const run = new Map(Array.from({ length: 1000 }, (_, i) => [`p/5000-${i}`, pageValue(i, 40)]));
    const { root, created } = await changeMap(map.source, map.root, run);
    const source = counted(createMemorySource(created, map.source));
    expect(await all(diffMaps(source, map.root, root))).toHaveLength(1000);
    expect(source.nodes).toBeLessThanOrEqual(created.size + 3 * (await map.height()));
  });
});

describe("reach", () => {
  test("reach finds every node and entry of a map, and only what is new in a second one", async () => {
    const property = fc.asyncProperty(anyHistory, anyEdits, async (history, edits) => {
      const map = await Saved.after(...history);
      const seen = new Set<string>();
      const entries = new Map<string, JsonValue>();
      await markReachableNodes(map.source, [map.root], seen, ({ key, value }) => entries.set(key, value));
      expect(sorted(entries)).toEqual(sorted(played(history)));
      expect(seen).toEqual(await map.reachable());

      const created = await map.change(edits);
      const known = new Set(seen);
      const source = counted(map.source);
      await markReachableNodes(source, [map.root], seen, ({ key, value }) => entries.set(key, value));
      expect([...seen].filter((hash) => !known.has(hash)).sort()).toEqual(
        [...created.keys()].filter((hash) => !known.has(hash)).sort(),
      );
      expect(source.nodes).toBe(created.size);
      for (const { key, after } of await differences(map, null, map.root)) expect(entries.get(key)).toEqual(after);
    });
    await fc.assert(property, { numRuns: runs(160) });
  });

  test("reach of many maps reads what is new in all of them, level by level", async () => {
    const map = new Saved();
    const roots = [];
    for (let i = 0; i < 40; i++) {
      await map.change(
        new Map(Array.from({ length: 30 }, (_, j) => [`p/${(i * 37 + j * 101) % 3000}`, pageValue(i, 80)])),
      );
      roots.push(map.root);
    }
    const [together, one] = [new Set<string>(), new Set<string>()];
    const source = counted(map.source);
    const [some, all]: string[][] = [[], []];
    await markReachableNodes(source, [...roots, null, roots[3]!], together, ({ key }) => some!.push(key));
    for (const root of roots) await markReachableNodes(map.source, [root], one, ({ key }) => all!.push(key));
    expect(together).toEqual(one);
    expect(some!.sort()).toEqual(all!.sort());
    expect(source.nodes).toBe(together.size);
    expect(source.asked).toBe(await map.height());
  });

  test("reach opens no leaf if the entries are not used", async () => {
    const map = await Saved.after(new Map(Array.from({ length: 2000 }, (_, i) => [`p/${i}`, pageValue(i, 100)])));
    const source = counted(map.source);
    const seen = new Set<string>();
    await markReachableNodes(source, [map.root], seen);
    const nodes = await map.source.load([...seen]);
    expect(source.nodes).toBe(nodes.filter(({ level }) => level > 0).length);
    expect(seen).toEqual(new Set(map.texts.keys()));
  });
});

test("nodes of several changes are reduced to those that the last change needs", async () => {
  const property = fc.asyncProperty(anyHistory, anyHistory, async (stored, history) => {
    const map = await Saved.after(...stored);
    const saved = await map.reachable();
    const created = new Map<string, string>();
    const source = createMemorySource(created, map.source);
    let root = map.root;
    for (const edits of history) {
      const changed = await changeMap(source, root, edits);
      for (const [hash, text] of changed.created) created.set(hash, text);
      root = changed.root;
    }
    const save = runStepsSync(collectNeededNodesInSteps(created, root));
    expect(await listEntries(createMemorySource(save, map.source), root)).toEqual(
      sorted(played([...stored, ...history])),
    );
    const now = new Set<string>();
    await markReachableNodes(source, [root], now);
    expect(new Set([...now].filter((hash) => !saved.has(hash) || created.has(hash)))).toEqual(new Set(save.keys()));
  });
  await fc.assert(property, { numRuns: runs(160) });
});
