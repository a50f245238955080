// Glossaries for hosts that have none: terms are replaced by marks before a text is translated, and the marks by the
// translations of the terms afterwards.

import type { GlossaryEntry } from "../content/translation/translator";
import { escapeMarks } from "../utils/html";

/** The id of the first mark. The marks of the texts themselves have smaller ids. */
const FIRST_MARK_ID = 900_000;

/** A text whose terms are replaced by marks. */
export interface MaskedText {
  readonly text: string;
  /** Replaces the marks in a translation by the translations of their terms. */
  readonly restore: (translation: string) => string;
}

/** Merges glossaries. If several translate the same term, the last one wins. */
export function mergeGlossaries(...glossaries: readonly (readonly GlossaryEntry[] | undefined)[]): GlossaryEntry[] {
  const translations = new Map<string, string>();
  for (const entries of glossaries)
    for (const { term, translation } of entries ?? []) translations.set(term, translation);
  return Array.from(translations, ([term, translation]) => ({ term, translation }));
}

/** Replaces terms by marks where they are words by themselves. Of two terms that begin alike, the longer one is replaced. */
export function replaceTerms(text: string, glossary: readonly GlossaryEntry[]): MaskedText {
  if (glossary.length === 0) return { text, restore: (translation) => translation };

  const translations = new Map(glossary.map(({ term, translation }) => [escapeMarks(term), escapeMarks(translation)]));
  const longestFirst = [...translations.keys()]
    .sort((a, b) => b.length - a.length)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const pattern = new RegExp(`<[^<>]*>|(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "gu");

  const replaced: string[] = [];
  const masked = text.replace(pattern, (match) => {
    if (match.startsWith("<")) return match;
    replaced.push(translations.get(match)!);
    return `<x id="${FIRST_MARK_ID + replaced.length - 1}"></x>`;
  });

  const markPattern = /<x\s+id\s*=\s*["']?(9\d{5})["']?\s*(?:\/>|>\s*<\/x\s*>)/gi;
  return {
    text: masked,
    restore: (translation) =>
      translation.replace(markPattern, (mark, id: string) => replaced[Number(id) - FIRST_MARK_ID] ?? mark),
  };
}
