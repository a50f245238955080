// Keys: their bytes sort as the tuples do, decode to the same tuples, and have a common prefix when the tuples have
// one.

import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeKey, encodeKey, type KeyPart } from "../../src/storage/key";

const utf8 = new TextEncoder();

// Well-formed: UTF-8 has no place for half a surrogate pair, and ids and names are well-formed where they come in.
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.string({ unit: fc.constantFrom("\x00", "\x01", "\x02", "a", "\x7f", "\u0080", "ÿ", "漢", "🎈"), maxLength: 4 }),
);
const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, -0, 1, -1, Infinity, -Infinity));
const part: fc.Arbitrary<KeyPart> = fc.oneof(text, number, fc.constant(null));
const tuple = fc.array(part, { maxLength: 4 });
/** Two tuples that often begin alike, so that the later parts decide. */
const pair = fc.tuple(tuple, tuple, tuple).map(
  ([shared, a, b]) =>
    [
      [...shared, ...a],
      [...shared, ...b],
    ] as const,
);

const rank = (part: KeyPart) => (part === null ? 0 : typeof part === "number" ? 1 : 2);

function compareParts(a: KeyPart, b: KeyPart): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return Math.sign(Buffer.compare(utf8.encode(a), utf8.encode(b)));
  return Math.sign(rank(a) - rank(b));
}

function compareTuples(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

const compareKeys = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

test("keys are bytes, one per character", () => {
  fc.assert(fc.property(tuple, (tuple) => [...encodeKey(...tuple)].every((byte) => byte.charCodeAt(0) <= 255)));
});

test("keys sort like their tuples: null first, then numbers, then strings by UTF-8", () => {
  const property = fc.property(pair, ([a, b]) => {
    expect(compareKeys(encodeKey(...a), encodeKey(...b))).toBe(compareTuples(a, b));
  });
  fc.assert(property, { numRuns: 5000 });
});

test("a tuple round-trips, except for the sign of zero", () => {
  const property = fc.property(tuple, (tuple) => {
    expect(decodeKey(encodeKey(...tuple))).toEqual(tuple.map((part) => (part === 0 ? 0 : part)));
  });
  fc.assert(property, { numRuns: 2000 });
});

test("a key starts with another exactly if its tuple does", () => {
  const property = fc.property(pair, ([a, b]) => {
    const begins = a.length <= b.length && a.every((part, i) => compareParts(part, b[i]!) === 0);
    expect(encodeKey(...b).startsWith(encodeKey(...a))).toBe(begins);
  });
  fc.assert(property, { numRuns: 5000 });
});

test("values that sort wrongly elsewhere sort correctly", () => {
  const inOrder: KeyPart[][] = [
    [],
    [null],
    [null, null],
    [null, "a"],
    [-Infinity],
    [-10],
    [-9],
    [-1e-300],
    [0],
    [0.5],
    [9],
    [10],
    [Infinity],
    [""],
    ["", ""],
    ["\x00"],
    ["\x00\x00"],
    ["\x01"],
    ["A"],
    ["a"],
    ["a", null],
    ["a", 1],
    ["a", "b"],
    ["a\x00"],
    ["a\x00b"],
    ["a\x01"],
    ["ab"],
    ["b"],
    ["ä"],
    // In UTF-16 the next two would stand the other way round.
    ["\uffee"],
    ["🎈"],
  ];
  const keys = inOrder.map((tuple) => encodeKey(...tuple));
  expect([...keys].sort(compareKeys)).toEqual(keys);
});

test("an invalid key is rejected", () => {
  expect(() => decodeKey("\x04")).toThrow("Not a key");
  expect(() => decodeKey("\x03a")).toThrow("a text without an end");
});
