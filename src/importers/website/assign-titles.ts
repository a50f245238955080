// Assigns titles to the pages of a site. Words that the heads of nearly all pages begin or end with are the name of the site. A
// page without a title gets the one in a table of contents, or its first words.

import type { Steps } from "../../utils/concurrency/steps";
import type { SitePage } from "./site-page";

const SEPARATOR = /(?<!\s)(\s+(?:[|·•»«—–]|::|-)\s+)/;
/** The share of the pages that must begin or end with the same words. */
const MIN_SHARE = 0.6;
/** The most parts that are cut off. */
const MAX_CUTS = 3;
const MAX_FIRST_WORDS_LENGTH = 60;

/** Returns the pages with their titles. `labels` are their titles in tables of contents. */
export function* assignTitlesInSteps(
  pages: ReadonlyMap<string, SitePage>,
  labels: ReadonlyMap<string, string>,
): Steps<Map<string, SitePage>> {
  // Each title is split into words and the separators between them, by turns.
  const headTitles = new Map<string, string[]>();
  for (const [key, { headTitle }] of pages)
    if (headTitle !== undefined) headTitles.set(key, headTitle.split(SEPARATOR));
  for (let cut = 0; cut < MAX_CUTS; cut++) if (!cutSharedPart(headTitles, -1) && !cutSharedPart(headTitles, 0)) break;

  const titled = new Map<string, SitePage>();
  for (const [key, page] of pages) {
    let title = headTitles.get(key)?.join("") ?? page.title ?? labels.get(key);
    if (title === undefined) {
      // Take the first words of the page, from its blocks as JSON. A word that was cut is removed.
      const text = /"text":("(?:[^"\\]|\\.){2,2000}")/.exec(yield* page.nodes.readInSteps())?.[1];
      const line = text === undefined ? "" : (JSON.parse(text) as string).replace(/\s+/g, " ").trim();
      const start = line.slice(0, MAX_FIRST_WORDS_LENGTH);
      const end = start.lastIndexOf(" ");
      if (line.length > MAX_FIRST_WORDS_LENGTH) title = `${end > 0 ? start.slice(0, end) : start}…`;
      else if (line !== "") title = line;
    }
    titled.set(key, title === page.title ? page : { ...page, title });
    yield;
  }
  return titled;
}

/** Cuts off the first or the last part if nearly all titles share it. Returns whether they did. */
function cutSharedPart(titles: Map<string, string[]>, index: 0 | -1): boolean {
  const counts = new Map<string, number>();
  for (const parts of titles.values())
    if (parts.length > 1) counts.set(parts.at(index)!, (counts.get(parts.at(index)!) ?? 0) + 1);
  const [shared, count] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ["", 0]);
  if (count < 2 || count < titles.size * MIN_SHARE) return false;
  for (const [key, parts] of titles)
    if (parts.length > 1 && parts.at(index) === shared)
      titles.set(key, index === 0 ? parts.slice(2) : parts.slice(0, -2));
  return true;
}
