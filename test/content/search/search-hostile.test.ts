// Malicious pages and queries.

import { describe, expect, test } from "vitest";
import { createSearchIndex } from "../../../src/content/search";
import { runs } from "../../support/test-length";
import { deserializeIndex } from "../at-once";

const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];

describe("S7: prototype names", () => {
  test("S7: names that every object has are ordinary page ids", () => {
    const index = createSearchIndex();
    for (const name of names) index.put({ id: name, title: "Same", sections: [{ text: "same" }] });
    const loaded = deserializeIndex(index.serialize())!;
    for (const one of [index, loaded]) {
      expect(one.search("same", 20).hits.map(({ id }) => id)).toEqual([...names].sort());
      expect(one.remove("__proto__")).toBe(true);
      expect(one.remove("isPrototypeOf")).toBe(false);
      expect(one.search("same", 20).total).toBe(names.length - 1);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each(names)("S7: the term %s is ordinary in title, heading and text", (name) => {
    const index = createSearchIndex();
    index.put({ id: "title", title: name, sections: [] });
    index.put({ id: "heading", title: "x", sections: [{ title: name, anchor: name, text: "x" }] });
    index.put({ id: "text", title: "x", sections: [{ text: `Call ${name} now` }] });
    index.put({ id: "none", title: "x", sections: [{ text: "nothing" }] });
    const found = deserializeIndex(index.serialize())!.search(name, 10);
    expect(found.hits.map(({ id }) => id)).toEqual(["title", "heading", "text"]);
    expect(found.findSections([{ text: `Call ${name} now` }])).toEqual([{ excerpt: `Call ${name} now` }]);
    expect(found.findSections([{ text: "Nothing." }])).toEqual([]);
  });

  test("S7: words that only such names would match are not found", () => {
    const index = createSearchIndex();
    index.put({ id: "page", title: "Page", sections: [{ text: "text" }] });
    for (const name of names) expect(index.search(name, 10).total).toBe(0);
  });
});

/** A megabyte with a seed. */
const size = runs(1_000_000);
const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
let state = 1;
const random = (below: number) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % below;
};
const adversarial: Record<string, string> = {
  "one word": "a".repeat(size),
  "one word of humps": fill("aB"),
  "one compound": fill("a.b-c_d'"),
  "one compound of long parts": fill("abcdefghij-"),
  "one number": fill("1.2-3"),
  "joiners alone": fill("-._'"),
  "combining marks alone": fill("\u0301\u0323\u0315\u031b"),
  "combining marks on one letter": `a${fill("\u0301\u0323\u0315\u031b")}`,
  "voicing marks on one kana": `か${fill("\u3099\u0323\u3099\u0301")}`,
  "random Chinese": Array.from({ length: Math.floor(size / 3) }, () =>
    String.fromCharCode(0x4e00 + random(20_000)),
  ).join(""),
  "Korean letters": fill("\u1112\u1161\u11ab"),
  "letters of many scripts": Array.from({ length: Math.floor(size / 7) }, () =>
    String.fromCharCode(0x1200 + random(5000), 0x1200 + random(5000)),
  ).join(" "),
  "words that are all different": Array.from({ length: Math.floor(size / 7) }, (_, at) => `${at.toString(36)}x`).join(
    " ",
  ),
  "half characters": "\ud800".repeat(size),
  "emoji and flags": fill("👨‍👩‍👧‍👦🇩🇪"),
  "characters that unfold": fill("ﷺ"),
  spaces: " ".repeat(size),
};

describe("S39: complexity attacks", () => {
  test.each(Object.entries(adversarial))("S39: a large text is indexed in linear time: %s", (_, text) => {
    const index = createSearchIndex();
    index.put({ id: "page", title: "Page", sections: [{ text }] });
    index.search(text, 10).findSections([{ title: text, text }]);
    for (const query of ["a", "か", "的", "fox abcdefghij", "abcdefghix", "aaaaaaaaab"]) {
      const one = index.search(query, 10);
      const shown = one.findSections([{ title: text.slice(0, 1000), text }]);
      for (const { excerpt } of shown) expect(excerpt.length).toBeLessThanOrEqual(202);
    }
    const loaded = deserializeIndex(index.serialize())!;
    expect(loaded.search("a", 10).total).toBe(index.search("a", 10).total);
  });

  test("S39: a very long query is cut to its beginning", () => {
    const index = createSearchIndex();
    index.put({ id: "page", title: "word", sections: [] });
    expect(index.search(fill("word "), 10).total).toBe(1);
    expect(index.search(`${" ".repeat(size)}word`, 10).total).toBe(0);
  });
});
