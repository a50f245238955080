// After any history of changes an index answers like a new index of the same pages.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSearchIndex, type SearchIndex, type SearchPage } from "../../../src/content/search";
import { runs } from "../../support/test-length";
import { deserializeIndex } from "../at-once";

const ids = ["a", "b", "c", "d", "e", "__proto__", "constructor", "ü", "\ud800", "", "1", "10"];
const words = fc.constantFrom(
  ..."the token tokens tokem rotate rotation API createDocsApi docs v1.2.3 Größe grosse constructor __proto__ toString 検索 全文検索 문서".split(
    " ",
  ),
);
const text = fc.array(words, { maxLength: 8 }).map((list) => list.join(" "));
const page: fc.Arbitrary<SearchPage> = fc.record(
  {
    id: fc.constantFrom(...ids),
    title: text,
    description: text,
    sections: fc.array(fc.record({ title: text, text }), { maxLength: 3 }),
  },
  { requiredKeys: ["id", "title", "sections"] },
);

type Step = { readonly put: SearchPage } | { readonly remove: string } | "dump and load" | "search";
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: page.map((one) => ({ put: one })) },
  { weight: 3, arbitrary: fc.constantFrom(...ids).map((id) => ({ remove: id })) },
  { weight: 1, arbitrary: fc.constantFrom<Step>("dump and load", "search") },
);

const queries =
  "the|token|tokn|tok|rotate token|docs api|createDocsApi|1.2|grösse|constructor|__proto__|toString x|検索|索|문서|s";

function everythingOf(index: SearchIndex) {
  return queries.split("|").map((query) => {
    const { total, hits } = index.search(query, 7, 0);
    return { query, total, hits, next: index.search(query, 3, 2).hits };
  });
}

/** Walks a history twice: through one index, and through a plain map of pages. */
function walk(
  history: readonly Step[],
  index = createSearchIndex(),
): { index: SearchIndex; pages: Map<string, SearchPage> } {
  const pages = new Map<string, SearchPage>();
  let current = index;
  for (const one of history) {
    if (one === "dump and load") current = deserializeIndex(current.serialize())!;
    else if (one === "search") current.search("token rotate", 3);
    else if ("put" in one) {
      current.put(one.put);
      pages.set(one.put.id, one.put);
    } else {
      expect(current.remove(one.remove)).toBe(pages.delete(one.remove));
    }
  }
  return { index: current, pages };
}

function fresh(pages: Iterable<SearchPage>): SearchIndex {
  const index = createSearchIndex();
  for (const one of pages) index.put(one);
  return index;
}

describe("an index with a history", () => {
  test("an index with a history gives the same results and scores as a new one", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (history) => {
        const { index, pages } = walk(history);
        const anew = fresh([...pages.values()].reverse());
        expect(index.size).toBe(pages.size);
        expect(everythingOf(index)).toEqual(everythingOf(anew));
        expect(index.serialize()).toEqual(anew.serialize());
      }),
      { numRuns: runs(300) },
    );
  });

  test("an index gives the same results after compaction", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 400, maxLength: 500, size: "max" }), (history) => {
        const { index, pages } = walk(history);
        expect(everythingOf(index)).toEqual(everythingOf(fresh(pages.values())));
      }),
      { numRuns: 20 },
    );
  });

  test("an index that failed to remove a page is detected", () => {
    const kept = { id: "a", title: "token", sections: [] };
    const gone = { id: "b", title: "rotate", sections: [] };
    expect(everythingOf(fresh([kept, gone]))).not.toEqual(everythingOf(fresh([kept])));
  });
});
