// The nodes of a map: their text, their size, where they are split, and what happens when a stored node is damaged.

import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { describe, expect, test } from "vitest";
import {
  changeMap,
  countEntries,
  createCachedSource,
  createMemorySource,
  createTextSource,
  diffMaps,
  getValue,
  getValues,
  type JsonValue,
  listEntries,
  MAX_MAP_VALUE_BYTES,
  MAX_VALUE_DEPTH,
  MalformedNodeError,
  type MapNode,
  markReachableNodes,
  parseNode,
} from "../../../src/content/prolly-tree";
import { isBoundary } from "../../../src/content/prolly-tree/boundaries";
import { parseNodeLazily } from "../../../src/content/prolly-tree/node";
import { runs } from "../../support/test-length";
import { counted, pageValue, Saved, sorted } from "./map-model";

const bytes = (text: string) => new TextEncoder().encode(text).length;
const hash = (digit: string) => digit.repeat(64);
/** All rows of a node: they are read when they are used. */
const rowsOf = (node: MapNode) => ("entries" in node ? node.entries : node.children);

describe("the text of a node", () => {
  test("a node is JSON under its SHA-256, with entries in leaves and last key, hash and count in inner nodes", async () => {
    const map = await Saved.after(
      new Map<string, JsonValue>([
        ["b", { y: [1, null], x: "é" }],
        ["a", true],
      ]),
    );
    expect([...map.texts.values()]).toEqual(['[0,["a",true],["b",{"x":"é","y":[1,null]}]]']);
    const large = await Saved.after(new Map(Array.from({ length: 60 }, (_, i) => [`p/${i}`, i])));
    for (const [hash, text] of large.texts) expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
    const [level, ...children] = JSON.parse(large.texts.get(large.root!)!) as [number, ...[string, string, number][]];
    expect(level).toBe(1);
    expect(children.map(([, , count]) => count).reduce((a, b) => a + b)).toBe(60);
    for (const [key, hash] of children) expect(JSON.parse(large.texts.get(hash)!).at(-1)[0]).toBe(key);
  });

  test("a node that is read again is equal and deeply frozen", async () => {
    const map = await Saved.after(new Map([["a", { list: [{ deep: 1 }] }]]));
    const [entry] = await listEntries(map.source, map.root);
    const value = entry!.value as { list: { deep: number }[] };
    expect(() => {
      value.list[0]!.deep = 2;
    }).toThrow(TypeError);
    expect(() => value.list.push({ deep: 3 })).toThrow(TypeError);
    expect(() => Object.assign(entry!, { key: "b" })).toThrow(TypeError);
    expect(await getValue(map.source, map.root, "a")).toEqual({ list: [{ deep: 1 }] });
  });

  test("the children of a node are those of its JSON, whatever the keys contain", () => {
    const keys = ["a", 'b"', "c\\", 'd\\"', 'e",', "f],[", `g","${hash("x")}",1],["`, "h"];
    for (const some of [keys, ["a", "b", "f],[", "h"], ["a"]]) {
      const rows = some.map((key, i) => ({ key, hash: hash(i.toString(16)), count: i + 1 }));
      const tuples = rows.map(({ key, hash, count }) => [key, hash, count]);
      for (const level of [1, 9, 10, 31])
        for (const space of [undefined, 1]) {
          const node = parseNode(JSON.stringify([level, ...tuples], undefined, space), hash("0"));
          if ("entries" in node) throw new Error("An inner node was meant.");
          expect(node.level).toBe(level);
          expect(node.keys).toEqual(some);
          expect(node.getChild(some.length - 1)).toMatchObject(rows.at(-1)!);
          expect(node.children).toMatchObject(rows);
          expect(node.hasLastKey(some.at(-1)!)).toBe(true);
        }
    }
  });

  test("the entries of a node are those of its JSON, whatever the keys and values contain", () => {
    const words = ['"', "\\", '\\"', "],[", '",["b",', "{[", "é", "\u2028", "", "x"];
    const values: JsonValue[] = [
      ...words,
      ...words.map((word) => ({ [word]: [word, [word]] })),
      null,
      -1.5e300,
      [],
      {},
    ];
    const keys = ["a", 'b"', "c\\", 'd\\"', 'e",', "f],[", "g{"];
    for (const value of values)
      for (const some of [keys, ["a", "b", "c"], keys.slice(0, 1)]) {
        const rows = some.map((key) => [key, value] as const);
        for (const text of [JSON.stringify([0, ...rows]), JSON.stringify([0, ...rows], undefined, 1)]) {
          const node = parseNode(text, hash("0"));
          if (!("entries" in node)) throw new Error("A leaf was meant.");
          expect(node.keys).toEqual(some);
          expect(node.getEntry(some.length - 1)).toEqual({ key: some.at(-1), value });
          expect(node.entries).toEqual(rows.map(([key, value]) => ({ key, value })));
          for (const asked of [...keys, "b", "c", "c\\\\", "0", "~"]) {
            const unread = parseNodeLazily(text, hash("0"));
            if (!("entries" in unread)) throw new Error("A leaf was meant.");
            const found = some.includes(asked) ? { key: asked, value } : undefined;
            // Walked to at first, and looked up among all rows then.
            for (const _ of [1, 2]) expect(unread.findEntry(asked), asked).toEqual(found);
            expect(parseNodeLazily(text, hash("0")).hasLastKey(asked), asked).toBe(some.at(-1) === asked);
          }
        }
      }
  });

  test("changing a value after it was passed in does not affect the node", async () => {
    const value = { tags: ["a"] };
    const map = await Saved.after(new Map([["p/1", value]]));
    value.tags.push("b");
    expect(await getValue(map.source, map.root, "p/1")).toEqual({ tags: ["a"] });
  });

  test("S7: `__proto__` and `constructor` are ordinary keys and members", async () => {
    const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "toJSON"];
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toJSON":1}',
    );
    const edits = new Map<string, JsonValue>([
      ...names.map((name): [string, JsonValue] => [name, hostile]),
      ["z", [hostile]],
    ]);
    const map = await Saved.after(edits, new Map([["__proto__", undefined]]), edits);
    expect(map.root).toBe((await Saved.after(edits)).root);
    expect((await listEntries(map.source, map.root)).map(({ key }) => key)).toEqual([...edits.keys()].sort());
    for (const value of await getValues(map.source, map.root, names)) {
      expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "toJSON"]);
      expect(JSON.stringify(value)).toBe(JSON.stringify(hostile));
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
    expect(await getValue(map.source, map.root, "valueOf")).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("invalid keys and values", () => {
  const nested = (depth: number): JsonValue => (depth === 0 ? 0 : [nested(depth - 1)]);
  const values: [says: string, value: unknown][] = [
    ["too long", "x".repeat(MAX_MAP_VALUE_BYTES - 1)],
    ["too long once it is UTF-8", "漢".repeat(MAX_MAP_VALUE_BYTES / 3)],
    ["nested too deeply", nested(MAX_VALUE_DEPTH + 1)],
    ["nested without end", JSON.parse("[".repeat(8000) + "]".repeat(8000))],
    ["not a number", { n: Number.NaN }],
    ["without end", Number.POSITIVE_INFINITY],
    ["a function", [() => 1]],
    ["a hole", [undefined]],
    ["a large integer", 1n],
  ];
  test.each(values)("a value that is %s is rejected with a RangeError", async (_, value) => {
    await expect(changeMap(createMemorySource(new Map()), null, new Map([["a", value as JsonValue]]))).rejects.toThrow(
      RangeError,
    );
  });

  test.each(["", "x".repeat(513), "é", "a\n", "\0", "\x7f"])(
    "the key %j is rejected with a RangeError",
    async (key) => {
      await expect(changeMap(createMemorySource(new Map()), null, new Map([[key, 1]]))).rejects.toThrow(RangeError);
      // Asking for one, or taking it away, is no error: there is none.
      const map = await Saved.after(new Map([["a", 1]]));
      expect(await getValue(map.source, map.root, key)).toBeUndefined();
      expect(await map.change(new Map([[key, undefined]]))).toEqual(new Map());
    },
  );

  test("values just within the limits are stored", async () => {
    const edits = new Map<string, JsonValue>([
      ["x".repeat(512), "x".repeat(MAX_MAP_VALUE_BYTES - 2)],
      [`"\\ ~`, nested(MAX_VALUE_DEPTH)],
      ["members", { kept: 1, left: undefined } as unknown as JsonValue],
    ]);
    const map = await Saved.after(edits);
    expect(await listEntries(map.source, map.root)).toEqual(sorted(edits));
    expect(Object.keys((await getValue(map.source, map.root, "members")) as object)).toEqual(["kept"]);
  });
});

describe("node boundaries", () => {
  const keysWhere = (many: number, holds: (key: string) => boolean) => {
    const keys: string[] = [];
    for (let i = 0; keys.length < many; i++) if (holds(`s/-/${i}`)) keys.push(`s/-/${i}`);
    return keys;
  };
  const shuffled = <T>(items: readonly T[]) =>
    [...items].sort((a, b) =>
      createHash("md5").update(String(a)).digest("hex") < createHash("md5").update(String(b)).digest("hex") ? -1 : 1,
    );

  test("one key in sixteen ends a leaf, and one in thirty-two of these ends the node above", () => {
    for (const prefix of ["p/pag_abcdefghijkl", "c/-/", "i/pag_abc/pag_xyz/"]) {
      const keys = Array.from({ length: 64_000 }, (_, i) => prefix + i.toString(36));
      const share = (level: number) => keys.filter((key) => isBoundary({ key }, level)).length / keys.length;
      for (const ratio of [share(0) * 16, share(1) * 512]) {
        expect(ratio).toBeGreaterThan(0.75);
        expect(ratio).toBeLessThan(1.25);
      }
      for (const key of keys) if (isBoundary({ key }, 1)) expect(isBoundary({ key }, 0)).toBe(true);
    }
  });

  test.each([
    ["short values", 2000, (i: number) => i],
    ["the values of pages", 2000, (i: number) => pageValue(i, 300)],
    ["the longest values", 60, (i: number) => "x".repeat(MAX_MAP_VALUE_BYTES - 2 - i)],
    ["long values among short ones", 300, (i: number) => (i % 7 ? i : "x".repeat(9000))],
    ["values of three bytes a character", 300, (i: number) => "漢".repeat(100 + i)],
  ])("no node exceeds 28 KiB or depends on the order of edits: %s", async (_, many, value) => {
    const entries = Array.from({ length: many }, (_, i): [string, JsonValue] => [`p/${i}`, value(i)]);
    const map = await Saved.after(new Map(entries));
    for (const text of map.texts.values()) expect(bytes(text)).toBeLessThanOrEqual(28 * 1024);
    const inPieces = new Saved();
    const mixed = shuffled(entries);
    for (let i = 0; i < many; i += 13) await inPieces.change(new Map(mixed.slice(i, i + 13)));
    expect(inPieces.root).toBe(map.root);
  });

  test.each([
    ["none of which ends a node", keysWhere(3000, (key) => !isBoundary({ key }, 0))],
    ["all of which end a leaf", keysWhere(1000, (key) => isBoundary({ key }, 0))],
    ["all of which end the node above a leaf too", keysWhere(300, (key) => isBoundary({ key }, 1))],
  ])("chosen keys, %s, give a balanced tree of low height", async (_, keys) => {
    const contents = new Map(keys.map((key) => [key, key]));
    const map = await Saved.after(contents);
    expect(await map.height()).toBeLessThanOrEqual(4);
    for (const text of map.texts.values()) expect(bytes(text)).toBeLessThanOrEqual(28 * 1024);
    const inPieces = new Saved();
    const mixed = shuffled(keys);
    for (let i = 0; i < keys.length; i += 100) {
      await inPieces.change(new Map(mixed.slice(i, i + 100).map((key) => [key, key])));
    }
    expect(inPieces.root).toBe(map.root);
    expect(await listEntries(map.source, map.root)).toEqual(sorted(contents));
  });

  test("keys that end nodes on several levels may be added and removed, alone and with their neighbors", async () => {
    const contents = new Map<string, JsonValue>(Array.from({ length: 40_000 }, (_, i) => [`p/${i}`, i]));
    const keys = [...contents.keys()].sort();
    const ends = keys.filter((key) => isBoundary({ key }, 1));
    expect(ends.some((key) => isBoundary({ key }, 2))).toBe(true);
    const map = await Saved.after(contents);
    const { root } = map;
    const upper = ends.filter((key) => isBoundary({ key }, 2));
    for (const key of [...upper.slice(0, runs(8)), ...ends.slice(0, 2)]) {
      const at = keys.indexOf(key);
      for (const gone of [[key], keys.slice(at, at + 2), keys.slice(at - 30, at + 30)]) {
        const rest = new Map(contents);
        for (const key of gone) rest.delete(key);
        await map.change(new Map(gone.map((key) => [key, undefined])));
        expect(map.root).toBe((await changeMap(createMemorySource(new Map()), null, rest)).root);
        await map.change(new Map(gone.map((key) => [key, contents.get(key)])));
        expect(map.root).toBe(root);
      }
    }
  });

  test("an edit among keys that end no node writes a few nodes, not all that follow", async () => {
    const keys = keysWhere(3000, (key) => !isBoundary({ key }, 0));
    const map = await Saved.after(new Map(keys.map((key) => [key, pageValue(0, 100)])));
    expect(map.texts.size).toBeGreaterThan(100);
    for (let i = 0; i < keys.length; i += 211) {
      const { created } = await changeMap(map.source, map.root, new Map([[keys[i]!, pageValue(0, 130)]]));
      expect(created.size).toBeLessThanOrEqual(8);
    }
  });
});

describe("malformed nodes", () => {
  const texts = [
    "",
    "{}",
    "null",
    "7",
    "[",
    "[]",
    "[0]",
    '[0,["a",1]',
    '[0,"a"]',
    '[0,["a"]]',
    '[0,["a",1,2]]',
    "[0,[1,1]]",
    '[0,[["a"],1]]',
    '[0,["",1]]',
    '[0,["é",1]]',
    '[0,["a",1],["a",2]]',
    '[0,["b",1],["a",2]]',
    '[-1,["a",1]]',
    '[0.5,["a",1]]',
    '["0",["a",1]]',
    '[1,["a",1]]',
    '[1,["a","beef",1]]',
    `[1,["a","${hash("A")}",1]]`,
    `[1,["a",["${hash("a")}"],1]]`,
    `[1,["a","${hash("a")}",0]]`,
    `[1,["a","${hash("a")}",1.5]]`,
    `[1,["a","${hash("a")}"]]`,
    `[32,["a","${hash("a")}",1]]`,
    `[1,["a","${hash("a")}",01]]`,
    `[1,["a","${hash("a")}",1e3]]`,
    `[1,["a","${hash("a")}",1 2]]`,
    `[1,["a","${hash("a")}",12345678901234567]]`,
    `[1,["a","${hash("a")}",1,1]]`,
    `[1,["a","${hash("a")}",1],["a","${hash("b")}",1]]`,
    `[1,["a","${hash("a")}",1]`,
    `[1,["a","${hash("a")}",1]]]`,
    `[1,["a","${hash("a")}",1],]`,
    '[0,["a",]]',
    '[0,["a",1}]',
    '[0,["a",[1}]]',
    '[0,["a",nothing]]',
    '[0,["a","b]]',
    '[0,["a",1],]',
    '[0,["a",1]]]',
    '[0,["a",1]],["b",2]]',
    `[0,["a",${"[".repeat(100_000)}${"]".repeat(100_000)}]]`,
  ];
  test.each(texts.map((text) => [text.slice(0, 40), text]))(
    "a malformed node is reported by its hash: %s",
    async (_, text) => {
      expect(() => rowsOf(parseNode(text, hash("0")))).toThrow(MalformedNodeError);
      const source = createTextSource(async (hashes) => hashes.map(() => text));
      await expect(listEntries(source, hash("0"))).rejects.toThrow(hash("0"));
    },
  );

  test("a valid node with the wrong hash is reported by the expected hash", async () => {
    const leaf = '[0,["a",1],["b",2]]';
    const wrong = [leaf, '[0,["a",1]]', `[2,["b","${hash("c")}",2]]`];
    const meant = [`[2,["b","${hash("b")}",2]]`, `[1,["b","${hash("b")}",2]]`, `[2,["b","${hash("b")}",2]]`];
    for (const [i, text] of wrong.entries()) {
      const source = createMemorySource(
        new Map([
          [hash("a"), meant[i]!],
          [hash("b"), text],
        ]),
      );
      const reads: (() => Promise<unknown>)[] = [
        () => getValue(source, hash("a"), "a"),
        () => listEntries(source, hash("a")),
        () => countEntries(source, hash("a"), { after: "a" }),
        () => changeMap(source, hash("a"), new Map([["a", 2]])),
        () => markReachableNodes(source, [hash("a")], new Set(), () => undefined),
        () => diffMaps(source, null, hash("a")).next(),
      ];
      for (const read of reads) {
        await expect(read()).rejects.toThrow(
          new MalformedNodeError(hash("b"), "it is not the node that the one above it names."),
        );
      }
    }
  });
});

describe("sources", () => {
  const contents = new Map(Array.from({ length: 1000 }, (_, i) => [`p/${i}`, pageValue(i, 100)]));

  test("a cache makes a second read load nothing and may evict anything", async () => {
    const map = await Saved.after(contents);
    const stored = counted(map.source);
    const warm = createCachedSource(stored, new Map<string, MapNode>());
    const first = await listEntries(warm, map.root);
    expect(stored.nodes).toBe(map.texts.size);
    expect(await listEntries(warm, map.root)).toEqual(first);
    expect(stored.nodes).toBe(map.texts.size);

    const small = new LRUCache<string, MapNode>({ maxSize: 20_000, sizeCalculation: ({ length }) => length });
    expect(await listEntries(createCachedSource(stored, small), map.root)).toEqual(first);
    expect(await getValues(createCachedSource(stored, small), map.root, ["p/1", "p/999"])).toEqual([
      contents.get("p/1"),
      contents.get("p/999"),
    ]);
    expect(small.size).toBeGreaterThan(0);
    expect(small.calculatedSize).toBeLessThanOrEqual(20_000);
  });

  test("unsaved nodes take precedence over saved ones, even when more are created", async () => {
    const map = await Saved.after(contents);
    const created = new Map<string, string>();
    const source = createMemorySource(created, map.source);
    let { root } = map;
    for (let i = 0; i < 3; i++) {
      const changed = await changeMap(source, root, new Map([[`p/${i}`, i]]));
      for (const [hash, text] of changed.created) created.set(hash, text);
      root = changed.root;
    }
    expect(await getValues(source, root, ["p/0", "p/1", "p/2", "p/3"])).toEqual([0, 1, 2, contents.get("p/3")]);
    await expect(getValue(map.source, root, "p/0")).rejects.toThrow(root!);
  });

  test("errors of a source are passed on", async () => {
    const source = createTextSource(async () => {
      throw new Error("The storage is away.");
    });
    await expect(getValue(source, hash("a"), "a")).rejects.toThrow("The storage is away.");
  });
});
