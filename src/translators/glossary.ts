// A glossary for hosts without one: terms are replaced by marks before a text is translated, and by their translations
// afterwards.

import type { GlossaryEntry } from "../content/translation/translator";

/** Numbers for marks that no text uses itself. */
const FIRST = 900_000;

/** A text in which terms are marks. */
export interface WithTerms {
  readonly text: string;
  /** Puts what terms are called in the place of their marks. */
  readonly back: (translation: string) => string;
}

/** What a term is to be called, whoever asked for it: the later one wins. */
export function mergedGlossary(...glossaries: readonly (readonly GlossaryEntry[] | undefined)[]): GlossaryEntry[] {
  const terms = new Map(glossaries.flatMap((entries = []) => entries.map((it) => [it.term, it.translation] as const)));
  return Array.from(terms, ([term, translation]) => ({ term, translation }));
}

/** Takes terms out of a text, where they stand as words of their own; of two that begin alike, the longer one. */
export function withoutTerms(text: string, glossary: readonly GlossaryEntry[]): WithTerms {
  if (glossary.length === 0) return { text, back: (it) => it };
  const names = new Map(glossary.map(({ term, translation }) => [escaped(term), escaped(translation)]));
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length).map(quoted);
  const pattern = new RegExp(`<[^<>]*>|(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  const found: string[] = [];
  const marked = text.replace(pattern, (it) => {
    if (it.startsWith("<")) return it;
    found.push(names.get(it)!);
    return `<x id="${FIRST + found.length - 1}"></x>`;
  });
  const mark = /<x\s+id\s*=\s*["']?(9\d{5})["']?\s*(?:\/>|>\s*<\/x\s*>)/gi;
  return { text: marked, back: (it) => it.replace(mark, (whole, id: string) => found[Number(id) - FIRST] ?? whole) };
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[it]!);
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
