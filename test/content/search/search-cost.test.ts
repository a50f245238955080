// How much work a question is, counted and not timed: entries of the index that are read, and characters that are taken apart for
// excerpts. The bounds are half as much again as what these pages and questions take today.

import { afterEach, expect, test, vi } from "vitest";
import { createSectionFinder } from "../../../src/content/search/excerpts";
import { IndexedPages } from "../../../src/content/search/pages";
import { parseQuery } from "../../../src/content/search/query";
import { Ranker } from "../../../src/content/search/ranking";
import { Vocabulary } from "../../../src/content/search/vocabulary";
import { runStepsSync } from "../../../src/utils/concurrency/steps";
import { loadInstalledPages } from "../../bench/relevance/packages";
import { questions } from "../../bench/relevance/questions";

const installed = loadInstalledPages();
const texts = new Map(installed.map(({ id, sections }) => [id, sections]));
const asked = questions.filter(({ pages }) => pages.every((id) => texts.has(id))).map(({ query }) => query);
const pages = new IndexedPages();
for (const page of installed) runStepsSync(pages.putInSteps(page));
runStepsSync(pages.vocabulary.sortInSteps());
const ranker = new Ranker(pages);

afterEach(() => vi.restoreAllMocks());

test("a query reads the entries of its words and hardly any others", () => {
  const get = vi.spyOn(Vocabulary.prototype, "get");
  let words = 0;
  for (const query of asked) {
    const wanted = parseQuery(query);
    words += wanted.length;
    ranker.rank(wanted, { offset: 0, limit: 20 });
  }
  const entries = get.mock.results.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  // A word stands on half of the pages, with its forms and with what begins so.
  expect(entries / words).toBeGreaterThan(20);
  expect(entries / words).toBeLessThan(85);
});

test("excerpts analyze only the text around the matches", () => {
  let read = 0;
  let all = 0;
  for (const query of asked) {
    const { best, matches } = ranker.rank(parseQuery(query), { offset: 0, limit: 10 });
    const find = createSectionFinder(matches, (characters) => {
      read += characters;
    });
    for (const { id } of best) {
      const sections = texts.get(id)!;
      all += sections.reduce((sum, { text }) => sum + text.length, 0);
      for (const steps = find(sections); !steps.next().done; );
    }
  }
  // These pages are short, and each of them is about few words.
  expect(read / all).toBeLessThan(0.4);
  expect(read / asked.length).toBeGreaterThan(10_000);
  expect(read / asked.length).toBeLessThan(62_000);
});
