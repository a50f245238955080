// An index as bytes: it is restored as it was, equal pages give equal bytes, and foreign bytes give nothing.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSearchIndex, type SearchIndex } from "../../../src/content/search";
import { ANALYZER_VERSION } from "../../../src/content/search/words";
import { deserializeIndex } from "../at-once";
import { corpus, known } from "./corpus";

function indexOf(pages: typeof corpus): SearchIndex {
  const index = createSearchIndex();
  for (const page of pages) index.put(page);
  return index;
}

const answers = (index: SearchIndex) =>
  known.map(({ query }) => {
    const { total, hits } = index.search(query, 20);
    return { query, total, hits };
  });

describe("dumping an index", () => {
  const built = indexOf(corpus);
  const dumped = built.serialize();

  test("a dump answers every query like the index it was made from", () => {
    const loaded = deserializeIndex(dumped)!;
    expect(loaded.size).toBe(corpus.length);
    expect(answers(loaded)).toEqual(answers(built));
  });

  test("a dump does not depend on the order of pages or on earlier contents", () => {
    const other = indexOf([...corpus].reverse());
    other.put({ id: "passing", title: "Passing", sections: [{ text: "zyzzyva" }] });
    other.put({ ...corpus[3]!, title: "Interim" });
    other.put(corpus[3]!);
    other.remove("passing");
    expect(other.serialize()).toEqual(dumped);
    expect(deserializeIndex(dumped)!.serialize()).toEqual(dumped);
  });

  test("a dump of an empty index is an empty index", () => {
    const empty = deserializeIndex(createSearchIndex().serialize())!;
    expect(empty.size).toBe(0);
    empty.put(corpus[0]!);
    expect(empty.search("store", 5).total).toBe(1);
  });

  test("a dump orders equal pages by id, whatever was added and removed since it was loaded", () => {
    const equal = (number: number) => ({ id: `page${number}`, title: "Equal", sections: [{ text: "the same text" }] });
    const numbers = Array.from({ length: 300 }, (_, i) => 1200 - i);
    const loaded = deserializeIndex(indexOf(numbers.map(equal)).serialize())!;
    loaded.put(equal(1500));
    loaded.put(equal(1499));
    for (const number of numbers.slice(0, 150)) loaded.remove(`page${number}`);
    loaded.put(equal(1498));
    const expected = [...numbers.slice(150), 1500, 1499, 1498].map((number) => `page${number}`).sort();
    expect(loaded.search("same", 300).hits.map(({ id }) => id)).toEqual(expected);
  });

  test("a dump may be anywhere in a larger buffer", () => {
    const buffer = new Uint8Array(dumped.length + 7);
    buffer.set(dumped, 5);
    expect(deserializeIndex(buffer.subarray(5, 5 + dumped.length))?.size).toBe(corpus.length);
  });

  test("a dump of another format or analyzer, or a truncated one, gives nothing", () => {
    const changed = (at: number) => dumped.map((byte, index) => (index === at ? byte + 1 : byte));
    for (const at of [0, 3, 4, 5, 6, 7, 8, 11, 12, 100, dumped.length - 1]) {
      expect(deserializeIndex(changed(at)), `byte ${at}`).toBeUndefined();
    }
    for (const length of [0, 1, 11, 12, 13, 500, dumped.length - 1]) {
      expect(deserializeIndex(dumped.subarray(0, length)), `length ${length}`).toBeUndefined();
    }
  });

  test("a dump of any bytes gives an index or nothing and never throws", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => deserializeIndex(bytes) === undefined));
  });

  test("invalid contents with the right checksum do no harm", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(), (bytes, seed) => {
        const forged = new Uint8Array(dumped.subarray(0, 12 + (seed % 2000)));
        forged.set(bytes.subarray(0, forged.length - 12), 12);
        let sum = 0x811c9dc5;
        for (const byte of forged.subarray(12)) sum = Math.imul(sum ^ byte, 0x01000193);
        new DataView(forged.buffer).setUint32(8, sum >>> 0);
        deserializeIndex(forged)?.search("store", 5);
      }),
    );
  });
});

test("a dump of an earlier analyzer is not loaded, since its terms differ", () => {
  const dumped = indexOf(corpus).serialize();
  expect(ANALYZER_VERSION).toBe(2);
  const older = dumped.slice();
  // The checksum covers what follows the head, so nothing but the number of the analyser tells them apart.
  older[6] = ANALYZER_VERSION - 1;
  expect(deserializeIndex(dumped)).toBeDefined();
  expect(deserializeIndex(older)).toBeUndefined();
});
