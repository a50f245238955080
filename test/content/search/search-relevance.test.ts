// Whether people find what they look for: labelled queries over the documentation of a product family, with a minimum
// for how often the right page is first or among the first three, and for its average rank.

import { describe, expect, test } from "vitest";
import { createSearchIndex, type SearchPage } from "../../../src/content/search";
import { corpus, known, type Labelled, unseen } from "./corpus";

interface Quality {
  /** The share of queries whose page is first. */
  readonly first: number;
  /** The share of queries whose page is among the first three. */
  readonly third: number;
  /** The mean of one divided by the place. */
  readonly reciprocal: number;
  /** Queries whose page is further down than its label allows. */
  readonly missed: readonly string[];
}

function qualityOf(pages: readonly SearchPage[], queries: readonly Labelled[]): Quality {
  const index = createSearchIndex();
  for (const page of pages) index.put(page);
  const placed = queries.map(({ query, page, within }) => {
    const place = index.search(query, 100).hits.findIndex(({ id }) => id === page) + 1;
    return { query, place, isMet: place > 0 && place <= within };
  });
  const share = (count: (place: number) => number) =>
    placed.reduce((sum, { place }) => sum + (place > 0 ? count(place) : 0), 0) / placed.length;
  return {
    first: share((place) => (place === 1 ? 1 : 0)),
    third: share((place) => (place <= 3 ? 1 : 0)),
    reciprocal: share((place) => 1 / place),
    missed: placed.filter(({ isMet }) => !isMet).map(({ query, place }) => `${query}: ${place || "nowhere"}`),
  };
}

describe("relevance on labeled queries", () => {
  test("the corpus and the queries are large enough, and every label names a page", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60);
    expect(known.length + unseen.length).toBeGreaterThanOrEqual(40);
    const ids = new Set(corpus.map(({ id }) => id));
    expect(ids.size).toBe(corpus.length);
    expect([...known, ...unseen].filter(({ page }) => !ids.has(page))).toEqual([]);
  });

  test.each([
    { name: "queries that the weights were chosen by", queries: known, missed: 2 },
    { name: "queries written afterwards", queries: unseen, missed: 1 },
  ])(
    "$name: the right page is first for 9 in 10 queries and in the top three for nearly all",
    ({ queries, missed }) => {
      const quality = qualityOf(corpus, queries);
      expect(quality.first, quality.missed.join("; ")).toBeGreaterThanOrEqual(0.93);
      expect(quality.third).toBeGreaterThanOrEqual(0.98);
      expect(quality.reciprocal).toBeGreaterThanOrEqual(0.96);
      expect(quality.missed.length, quality.missed.join("; ")).toBeLessThanOrEqual(missed);
    },
  );

  test("the thresholds are sensitive: without titles and headings, the same queries miss them", () => {
    const flat = corpus.map(({ id, title, description, sections }) => ({
      id,
      title: "",
      sections: [{ text: [title, description, ...sections.flatMap((one) => [one.title, one.text])].join("\n") }],
    }));
    const quality = qualityOf(flat, known);
    expect(quality.first).toBeLessThan(0.93);
    expect(quality.reciprocal).toBeLessThan(0.96);
  });
});
