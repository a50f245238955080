// Extracts the glossary from instructions: the rows of their tables with two columns, a term and its translation. Translators that read
// instructions see the tables anyway; those that read none get the terms.

import { parseMarkdown } from "../markdown/parse";
import { toAltText } from "../markdown/syntax";
import type { GlossaryEntry } from "./translator";

/** The most terms that are extracted. */
const MAX_TERMS = 1000;

/** Returns the terms in instructions, which are Markdown. The head of a table is not a term. */
export function extractGlossary(instructions: string): GlossaryEntry[] {
  const translations = new Map<string, string>();
  for (const block of parseMarkdown(instructions).children) {
    if (block.type !== "table" || block.align.length !== 2) continue;
    for (const row of block.children.slice(1)) {
      const cells = row.children.map(({ children }) => toAltText(children).replace(/\s+/g, " ").trim());
      const [term, translation] = cells;
      if (term && translation && translations.size < MAX_TERMS) translations.set(term, translation);
    }
  }
  return Array.from(translations, ([term, translation]) => ({ term, translation }));
}
