// Titles of a site's pages. What the heads of nearly all pages begin or end with is the name of the site. A page without
// a title has the one that a table of contents, or its first words, give it.

import type { Steps } from "../../content/markdown/steps";
import type { SitePage } from "./page";

const SEPARATOR = /(?<!\s)(\s+(?:[|·•»«—–]|::|-)\s+)/;
/** The share of the pages that must begin or end with the same words. */
const NEARLY_ALL = 0.6;
/** So many parts are taken off at the most. */
const MAX_CUTS = 3;
const MAX_WORDS = 60;

/** The pages with their titles, step by step. */
export function* withTitles(
  pages: ReadonlyMap<string, SitePage>,
  labels: ReadonlyMap<string, string>,
): Steps<Map<string, SitePage>> {
  const stated = new Map<string, string>();
  for (const [key, { headTitle }] of pages) if (headTitle !== undefined) stated.set(key, headTitle);
  const short = withoutSiteName(stated);
  const titled = new Map<string, SitePage>();
  for (const [key, page] of pages) {
    const title = short.get(key) ?? page.title ?? labels.get(key) ?? firstWords(yield* page.nodes.read());
    titled.set(key, title === page.title ? page : { ...page, title });
    yield;
  }
  return titled;
}

/** Titles without the parts that nearly all of them begin or end with. */
function withoutSiteName(titles: ReadonlyMap<string, string>): Map<string, string> {
  // Words and what stands between them take turns.
  const parts = new Map(Array.from(titles, ([key, title]) => [key, title.split(SEPARATOR)]));
  for (let cut = 0; cut < MAX_CUTS; cut++) {
    const isCut = cutShared(parts, -1) || cutShared(parts, 0);
    if (!isCut) break;
  }
  return new Map(Array.from(parts, ([key, words]) => [key, words.join("")]));
}

/** Cuts the first or the last part where nearly all titles share it; says whether they did. */
function cutShared(titles: Map<string, string[]>, end: 0 | -1): boolean {
  const long = [...titles.values()].filter(({ length }) => length > 1);
  const counts = new Map<string, number>();
  for (const words of long) counts.set(words.at(end)!, (counts.get(words.at(end)!) ?? 0) + 1);
  const [shared, count] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ["", 0]);
  if (count < 2 || count < titles.size * NEARLY_ALL) return false;
  for (const [key, words] of titles)
    if (words.length > 1 && words.at(end) === shared) titles.set(key, end === 0 ? words.slice(2) : words.slice(0, -2));
  return true;
}

/** The first words of a page, for one that nobody gave a title. */
function firstWords(nodes: string): string | undefined {
  const text = /"text":("(?:[^"\\]|\\.){2,2000}")/.exec(nodes)?.[1];
  if (text === undefined) return undefined;
  const line = (JSON.parse(text) as string).replace(/\s+/g, " ").trim();
  if (line.length <= MAX_WORDS) return line === "" ? undefined : line;
  // White space is single by now. A word that was cut goes.
  const begun = line.slice(0, MAX_WORDS);
  const end = begun.lastIndexOf(" ");
  return `${end > 0 ? begun.slice(0, end) : begun}…`;
}
