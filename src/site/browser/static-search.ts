// The search of an exported site, which has no server. The export writes this script behind the list of its pages, and the search
// dialog loads both when a reader first searches.

import type { StaticSearchGlobals } from "./search-results";

const MAX_PAGES = 20;
const MAX_SECTIONS = 3;
const MAX_WORDS = 10;
const EXCERPT_LENGTH = 180;
/** The weight of the title of a page that has all words, of a word in the title of a section or in its text, and of all words there. */
const WEIGHTS = { page: 8, section: 3, text: 1, all: 5 };

const globals = globalThis as unknown as StaticSearchGlobals;
const isWordCharacter = /[\p{L}\p{N}]/u;

/** Returns the position at which a word of the text begins with a word of the query, or -1. */
function findWord(text: string, word: string): number {
  let position = text.indexOf(word);
  while (position > 0 && isWordCharacter.test(text[position - 1]!)) position = text.indexOf(word, position + 1);
  return position;
}

const pages = globals.octavoPages.map((page) => ({
  page,
  title: page[0].toLowerCase(),
  sections: page[3].map((section) => ({ section, title: section[0].toLowerCase(), text: section[2].toLowerCase() })),
}));

globals.octavoSearch = (query) => {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const hits = pages.flatMap(({ page, title, sections }) => {
    const titleWords = words.filter((word) => findWord(title, word) >= 0);
    const found = new Set(titleWords);
    const matches = sections.flatMap(({ section, title: heading, text }) => {
      let score = 0;
      let foundHere = 0;
      let position = -1;
      for (const word of words) {
        const inText = findWord(text, word);
        const inHeading = findWord(heading, word) >= 0;
        if (inText < 0 && !inHeading) continue;
        found.add(word);
        foundHere++;
        score += inHeading ? WEIGHTS.section : WEIGHTS.text;
        if (position < 0) position = inText;
      }
      if (foundHere === words.length) score += WEIGHTS.all;
      if (score === 0) return [];
      // The excerpt is the text around the position, from the beginning of a word.
      const original = section[2];
      const start = position < 60 ? 0 : original.indexOf(" ", position - 60) + 1;
      const end = start + EXCERPT_LENGTH;
      const excerpt = `${start > 0 ? "… " : ""}${original.slice(start, end)}${end < original.length ? " …" : ""}`;
      return [{ section, score, excerpt }];
    });
    // Every word must be on the page.
    if (found.size < new Set(words).size) return [];
    matches.sort((a, b) => b.score - a.score);
    // A title with a part of the words says little.
    const titleScore = (titleWords.length / words.length) ** 2 * WEIGHTS.page;
    return [{ page, matches, score: titleScore + (matches[0]?.score ?? 0) }];
  });
  hits.sort((a, b) => b.score - a.score);
  return hits.slice(0, MAX_PAGES).map(({ page: [title, href, space], matches }) => ({
    ...{ title, href, space, text: "" },
    sections: matches.slice(0, MAX_SECTIONS).map(({ section: [heading, anchor], excerpt }) => ({
      title: heading,
      href: anchor === "" ? href : `${href}#${anchor}`,
      text: excerpt,
    })),
  }));
};
