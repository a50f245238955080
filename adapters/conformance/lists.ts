// Promise 4: keys are ordered by their bytes, and a listing contains exactly its range.

import { assert, assertEqual } from "./assert";
import { type Cases, commitBatch, listKeys } from "./cases";

const onEach = (keys: readonly string[]) => ({ puts: Object.fromEntries(keys.map((key) => [key, 1])) });

export const lists: Cases = {
  "keys are ordered by their bytes": async ({ storage }) => {
    const p = storage.partition("p");
    const inOrder = [
      "\x00",
      "\x00\x00",
      "\x00\xff",
      "\x01",
      " ",
      "10",
      "9",
      "A",
      "B",
      "Z",
      "a",
      "a\x00",
      "a\x01",
      "a-",
      "aa",
      "ab",
      "a\x7f",
      "a\x80",
      "a\xff",
      "a\xff\xff",
      "b",
      "z",
      "\x7f",
      "\x80",
      "\xc3\xa4",
      "\xe4",
      "\xe9",
      "\xff",
      "\xff\x00",
      "\xff\xff",
    ];
    await commitBatch(p, onEach([...inOrder].reverse()));
    assertEqual(await listKeys(p, {}), inOrder, "all keys");
    assertEqual(await listKeys(p, { reverse: true }), [...inOrder].reverse(), "all keys, backwards");
  },

  "`under` is a prefix of bytes, not of parts": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, onEach(["a", "a\x00", "ab", "abc", "abd", "ab\xff", "ab\xff\xff", "ac", "b"]));
    assertEqual(await listKeys(p, { under: "ab" }), ["ab", "abc", "abd", "ab\xff", "ab\xff\xff"], "under ab");
    assertEqual(await listKeys(p, { under: "ab\xff" }), ["ab\xff", "ab\xff\xff"], "under ab and byte 255");
    assertEqual(await listKeys(p, { under: "a\x00" }), ["a\x00"], "under a and byte 0");
    assertEqual(await listKeys(p, { under: "abcd" }), [], "under what no key begins with");
    assertEqual(
      await listKeys(p, { under: "ab", reverse: true }),
      ["ab\xff\xff", "ab\xff", "abd", "abc", "ab"],
      "backwards",
    );
  },

  "`under` nothing but bytes 255 has no end": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, onEach(["a", "\xfe", "\xff", "\xff\x00", "\xff\xff", "\xff\xff\xff"]));
    assertEqual(await listKeys(p, { under: "\xff" }), ["\xff", "\xff\x00", "\xff\xff", "\xff\xff\xff"], "under one");
    assertEqual(
      await listKeys(p, { under: "\xff\xff", reverse: true }),
      ["\xff\xff\xff", "\xff\xff"],
      "under two, backwards",
    );
    assertEqual(
      await listKeys(p, { under: "\xff", after: "\xff\x00" }),
      ["\xff\xff", "\xff\xff\xff"],
      "after one of them",
    );
  },

  "the neighbours of a partition are not in its lists": async ({ storage }) => {
    for (const name of ["p", "p-", "p0", "pp", "o", "q"])
      await commitBatch(storage.partition(name), onEach(["\x00", "\xff"]));
    for (const name of ["p", "p-", "pp"]) {
      assertEqual(await listKeys(storage.partition(name), {}), ["\x00", "\xff"], `the keys of ${name}`);
      assertEqual(
        await listKeys(storage.partition(name), { under: "\xff", reverse: true }),
        ["\xff"],
        `the last key of ${name}`,
      );
      assertEqual(
        await listKeys(storage.partition(name), { after: "\xff\xff" }),
        [],
        `what follows the last key of ${name}`,
      );
    }
  },

  "`after` and `before` leave out their own keys": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, onEach(["k1", "k2", "k3", "k4", "l1"]));
    assertEqual(await listKeys(p, { under: "k", after: "k1" }), ["k2", "k3", "k4"], "after");
    assertEqual(await listKeys(p, { under: "k", before: "k3" }), ["k1", "k2"], "before");
    assertEqual(await listKeys(p, { under: "k", after: "k1", before: "k4" }), ["k2", "k3"], "between");
    assertEqual(
      await listKeys(p, { under: "k", after: "k1", before: "k4", reverse: true }),
      ["k3", "k2"],
      "between, backwards",
    );
    assertEqual(await listKeys(p, { after: "k2x", before: "l" }), ["k3", "k4"], "between keys that are not there");
  },

  "`after` and `before` outside of `under` do not widen it": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, onEach(["j", "k", "k1", "k2", "l"]));
    for (const reverse of [false, true]) {
      const inOrder = (keys: string[]) => (reverse ? keys.reverse() : keys);
      assertEqual(
        await listKeys(p, { under: "k", after: "a", before: "z", reverse }),
        inOrder(["k", "k1", "k2"]),
        "far out",
      );
      assertEqual(
        await listKeys(p, { under: "k", after: "", before: "l", reverse }),
        inOrder(["k", "k1", "k2"]),
        "at the ends",
      );
      assertEqual(
        await listKeys(p, { under: "k", after: "k", reverse }),
        inOrder(["k1", "k2"]),
        "after the prefix itself",
      );
      assertEqual(await listKeys(p, { under: "k", before: "k", reverse }), [], "before the prefix itself");
      assertEqual(await listKeys(p, { under: "k", after: "l", reverse }), [], "after the end");
      assertEqual(await listKeys(p, { under: "k", before: "j", reverse }), [], "before the beginning");
      assertEqual(await listKeys(p, { under: "k", after: "k2", before: "k1", reverse }), [], "the wrong way round");
      assertEqual(
        await listKeys(p, { under: "k", after: "k1", before: "k1", reverse }),
        [],
        "between a key and itself",
      );
    }
  },

  "`limit` counts from the end that the list begins at": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, onEach(["k1", "k2", "k3"]));
    assertEqual(await listKeys(p, { limit: 2 }), ["k1", "k2"], "the first two");
    assertEqual(await listKeys(p, { limit: 2, reverse: true }), ["k3", "k2"], "the last two");
    assertEqual(await listKeys(p, { limit: 3 }), ["k1", "k2", "k3"], "as many as there are");
    assertEqual(await listKeys(p, { limit: 0 }), [], "none");
    assertEqual(await listKeys(p, { after: "k1", limit: 1 }), ["k2"], "one after a key");
    assertEqual(await listKeys(p, { before: "k3", reverse: true, limit: 1 }), ["k2"], "one before a key");
  },

  "a long list can be read part by part, both ways": async ({ storage }) => {
    const p = storage.partition("p");
    const keys = Array.from({ length: 1200 }, (_, i) => `k${String.fromCharCode(i >> 8, i & 255)}`);
    for (let i = 0; i < keys.length; i += 400) await commitBatch(p, onEach(keys.slice(i, i + 400)));
    const snapshot = await p.snapshot();
    await commitBatch(p, { deletes: keys.slice(300, 700), puts: { "k\x00\x0ax": 1 } });
    for (const reverse of [false, true]) {
      const found: string[] = [];
      for (;;) {
        const last = found.at(-1);
        const from = last === undefined ? {} : reverse ? { before: last } : { after: last };
        const part = await snapshot.list({ under: "k", limit: 77, reverse, ...from });
        found.push(...part.map(({ key }) => key));
        if (part.length < 77) break;
        assert(found.length <= keys.length, "`list` does not end: parts go on after the last key");
      }
      assertEqual(found, reverse ? [...keys].reverse() : keys, "the keys of all parts");
    }
    assertEqual((await listKeys(p, { limit: 10_000 })).length, 801, "how many there are now");
  },
};
