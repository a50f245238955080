// Adding pages to an index, removing them, and which pages a query finds, in which order.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSearchIndex, type SearchIndex, type SearchPage } from "../../../src/content/search";
import { Vocabulary } from "../../../src/content/search/vocabulary";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { runs } from "../../support/test-length";

function page(id: string, title: string, text = "", more: Partial<SearchPage> = {}): SearchPage {
  return { id, title, sections: [{ text }], ...more };
}

function indexWith(...pages: readonly SearchPage[]): SearchIndex {
  const index = createSearchIndex();
  for (const one of pages) index.put(one);
  return index;
}

const idsFor = (index: SearchIndex, query: string) => index.search(query, 100).hits.map(({ id }) => id);
const filler = Array.from({ length: 20 }, (_, number) =>
  page(`filler${number}`, `Other ${number}`, "Unrelated prose."),
);

describe("the index", () => {
  test("a page is found by its latest text until it is removed", () => {
    const index = indexWith(page("a", "Alpha", "first words"));
    expect(idsFor(index, "first")).toEqual(["a"]);
    index.put(page("a", "Alpha", "second words"));
    expect(index.size).toBe(1);
    expect(idsFor(index, "first")).toEqual([]);
    expect(idsFor(index, "second")).toEqual(["a"]);
    expect(index.remove("a")).toBe(true);
    expect(index.remove("a")).toBe(false);
    expect(index.size).toBe(0);
    expect(idsFor(index, "second")).toEqual([]);
  });

  test("a page is found by its description", () => {
    expect(idsFor(indexWith(page("a", "Alpha", "", { description: "All about lighthouses" })), "lighthouse")).toEqual([
      "a",
    ]);
  });

  test("the pages of a result list neither overlap nor omit hits, and report the same total", () => {
    const pages = Array.from({ length: 25 }, (_, number) => page(`p${number}`, "Same title", "same text"));
    const index = indexWith(...pages);
    const parts = [0, 10, 20, 30].map((offset) => index.search("same", 10, offset));
    expect(parts.map(({ hits }) => hits.length)).toEqual([10, 10, 5, 0]);
    expect(parts.map(({ total }) => total)).toEqual([25, 25, 25, 25]);
    expect(parts.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual(pages.map(({ id }) => id).sort());
  });

  test("suggestions are the best of the included pages, however many others there are", () => {
    const pages = Array.from({ length: 60 }, (_, number) => page(`p${number}`, "Title", "same"));
    const index = indexWith(...pages);
    const all = index.findCandidates("same", 100).map(({ id }) => id);
    expect(all).toHaveLength(60);
    for (const left of [0, 1, 7, 40, 59, 60]) {
      const excluded = new Set(all.slice(0, left));
      for (const limit of [0, 1, 5, 100])
        expect(index.findCandidates("same", limit, (id) => !excluded.has(id)).map(({ id }) => id)).toEqual(
          all.slice(left, left + limit),
        );
    }
  });

  test("unusual limits are treated as no limit", () => {
    const index = indexWith(page("a", "Alpha"));
    expect(index.search("alpha", -1)).toMatchObject({ total: 1, hits: [] });
    expect(index.search("alpha", Number.NaN).hits).toEqual([]);
    expect(index.search("alpha", 10, -5).hits).toHaveLength(1);
    expect(index.search("alpha", Number.POSITIVE_INFINITY).hits).toHaveLength(1);
  });

  test("hidden pages are neither shown nor counted", () => {
    const index = indexWith(page("open", "Plans"), page("closed", "Plans"));
    const found = index.search("plans", 10, 0, { includes: (id) => id !== "closed" });
    expect(found).toMatchObject({ total: 1, hits: [{ id: "open" }] });
  });

  test("sections are found for each hit, and there are none where the page has no text", () => {
    const pages = [
      page("a", "Tides", "The tide comes in."),
      page("b", "Tides", "The tide goes out."),
      page("c", "Tides"),
    ];
    const { total, hits, findSections } = indexWith(...pages).search("tide", 2);
    expect(total).toBe(3);
    expect(hits).toMatchObject([{ id: "a" }, { id: "b" }]);
    expect(findSections(pages[0]!.sections)).toMatchObject([{ excerpt: "The tide comes in." }]);
    expect(findSections([])).toEqual([]);
  });
});

describe("ranking", () => {
  test.each<[string, string, SearchPage[]]>([
    [
      "titles before headings before text",
      "anchors",
      [
        page("1", "Anchors", "Ships have them."),
        page("2", "Ships", "", { sections: [{ title: "Anchors", text: "Every ship has one." }] }),
        page("3", "Boats", "Some have anchors."),
      ],
    ],
    [
      "a title even before a text that repeats the word",
      "anchors",
      [page("1", "Anchors of ships", "Iron."), page("2", "Boats", "anchors ".repeat(60))],
    ],
    [
      "a title that is the word alone before a longer one",
      "anchors",
      [page("1", "Anchors", "x"), page("2", "Anchors and other heavy things", "x")],
    ],
    [
      "the word itself before longer ones that begin so, before slips of the pen",
      "anchor",
      [page("1", "The anchor"), page("2", "The anchorage"), page("3", "The ancher")],
    ],
    [
      "all words before some of them, even in a title",
      "rusty anchor",
      [page("1", "Harbour", "An anchor lay there, all rusty."), page("2", "Anchor"), page("3", "Rusty")],
    ],
    [
      "two of three words before one",
      "rusty iron anchor",
      [page("1", "Harbour", "An anchor lay there, rusty."), page("2", "Harbour", "An anchor lay there.")],
    ],
    [
      "a rare word before a common one",
      "unrelated halyard",
      [
        page("1", "Sails", "Pull the halyard."),
        ...filler.map((one, at) => page(`2${`${at}`.padStart(2, "0")}`, one.title, "Unrelated prose.")),
      ],
    ],
    [
      "an identifier as it was typed before its parts in a title",
      "listAnchors",
      [page("1", "Reference", "call listAnchors()"), page("2", "List of anchors", "A list of all anchors.")],
    ],
  ])("pages are ranked: %s", (_, query, pages) => {
    const index = indexWith(...[...pages].reverse(), ...filler.filter(() => !query.includes("unrelated")));
    const wanted = pages.map(({ id }) => id);
    expect(idsFor(index, query).slice(0, wanted.length)).toEqual(wanted);
  });

  test("misspellings are not searched for if the word itself is found often enough", () => {
    const pages = ["1", "2", "3"].map((id) => page(id, "form", ""));
    expect(idsFor(indexWith(...pages, page("other", "farm")), "form")).toEqual(["1", "2", "3"]);
  });
});

/** Edits between two words, reckoned the long way: letters more, less, other, or two exchanged. */
function editsBetween(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      let edits = Math.min(
        rows[row - 1]![column - 1]! + same,
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        edits = Math.min(edits, rows[row - 2]![column - 2]! + 1);
      }
      rows[row]![column] = edits;
    }
  }
  return rows[one.length]![other.length]!;
}

describe("the vocabulary", () => {
  // The last of them is of the same kind as the first.
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "|"), minLength: 1, maxLength: 9 });
  const words = fc.uniqueArray(word, { maxLength: 60 });

  function vocabularyOf(terms: readonly string[]): Vocabulary {
    const vocabulary = new Vocabulary();
    for (const [at, term] of terms.entries()) {
      vocabulary.add(term, at);
      if (at % 7 === 0) vocabulary.listTerms(); // some terms come when the others are in order already
      if (at % 20 === 0)
        vocabulary.visitNearTerms("a", { maxEdits: 1, isPrefix: false, hasSameStart: false }, () => {}); // or were walked through
      if (at % 11 === 0) runStepsSync(vocabulary.packInSteps()); // or were packed
    }
    return vocabulary;
  }

  test("the entries of a term are returned as they came, packed or not", () => {
    const entry = fc.record({
      // The last pages that an index can hold are among them.
      page: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 2 ** 20 - 300, max: 2 ** 20 - 1 })),
      often: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2 ** 12 - 1 })),
    });
    const entries = fc
      .uniqueArray(entry, { selector: ({ page }) => page, minLength: 1, maxLength: 40 })
      .map((all) => all.map(({ page, often }) => page * 2 ** 12 + often).sort((one, other) => one - other));
    fc.assert(
      fc.property(fc.dictionary(word, entries), fc.integer({ min: 1, max: 9 }), (all, packEvery) => {
        const vocabulary = new Vocabulary();
        const added = Object.entries(all).flatMap(([term, list]) => list.map((entry) => ({ term, entry })));
        for (const [at, { term, entry }] of added.sort((one, other) => one.entry - other.entry).entries()) {
          vocabulary.add(term, entry);
          if (at % packEvery === 0) runStepsSync(vocabulary.packInSteps());
        }
        for (const [term, list] of Object.entries(all)) expect([...vocabulary.get(term)!]).toEqual(list);
        // What is gone is gone, and its terms with it.
        const isKept = (entry: number) => entry % 2 === 0;
        runStepsSync(vocabulary.rewriteInSteps((list) => list.filter(isKept)));
        const kept = Object.entries(all).filter(([, list]) => list.some(isKept));
        expect(vocabulary.listTerms()).toEqual(kept.map(([term]) => term).sort());
        for (const [term, list] of kept) expect([...vocabulary.get(term)!]).toEqual(list.filter(isKept));
      }),
    );
  });

  test("the vocabulary is packed after a million entries and is small then", () => {
    const vocabulary = new Vocabulary();
    const last = 1_000_000;
    for (let page = 1; page < last; page++) vocabulary.add(page % 3 === 0 ? "third" : "other", page * 2 ** 12 + 1);
    expect(vocabulary.shouldPack).toBe(false);
    vocabulary.add("last", last * 2 ** 12 + 1);
    expect(vocabulary.shouldPack).toBe(true);
    const before = vocabulary.bytes;
    runStepsSync(vocabulary.packInSteps());
    expect([vocabulary.shouldPack, vocabulary.bytes < before / 8]).toEqual([false, true]);
    expect([...vocabulary.get("last")!]).toEqual([last * 2 ** 12 + 1]);
    const third = vocabulary.get("third")!;
    expect([third.length, third.at(-1)]).toEqual([333_333, 999_999 * 2 ** 12 + 1]);
  });

  test("the terms with a prefix agree with a filter", () => {
    fc.assert(
      fc.property(words, word, (terms, prefix) => {
        const found: string[] = [];
        vocabularyOf(terms).visitLongerTerms(prefix, (term) => found.push(term));
        expect(found).toEqual(terms.filter((term) => term.startsWith(prefix) && term !== prefix).sort());
      }),
    );
  });

  test("the terms near a word agree with computing every distance", () => {
    fc.assert(
      fc.property(
        words,
        word,
        fc.constantFrom(1, 2),
        fc.boolean(),
        fc.boolean(),
        (terms, asked, most, begun, sameStart) => {
          const found: [string, number][] = [];
          const options = { maxEdits: most, isPrefix: begun, hasSameStart: sameStart };
          vocabularyOf(terms).visitNearTerms(asked, options, ({ term, edits }) => found.push([term, edits]));
          const editsTo = (term: string) =>
            begun
              ? Math.min(...Array.from(term, (_, at) => editsBetween(asked, term.slice(0, at + 1))))
              : editsBetween(asked, term);
          const expected = terms
            .filter((term) => !sameStart || term[0] === asked[0])
            .map((term): [string, number] => [term, editsTo(term)])
            .filter(([, edits]) => edits > 0 && edits <= most)
            .sort(([one], [other]) => (one < other ? -1 : 1));
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
