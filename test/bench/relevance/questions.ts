// Questions as people type them, each with the pages that answer it (`questions.tsv`). Every second one is held out: weights are
// chosen by the others alone.

import { readFileSync } from "node:fs";
import type { SearchPage } from "../../../src/content/search";
import type { Engine } from "./engines";
import type { Language } from "./packages";

/** The place of the first right page for each question; 0: it is not among the best. */
export interface Placed extends Question {
  readonly place: number;
}

/** Asks an engine all questions, those of each language among its pages. */
export function placeAnswers(
  engine: Engine,
  pages: ReadonlyMap<Language, readonly SearchPage[]>,
  questions: readonly Question[],
): Placed[] {
  return [...pages].flatMap(([language, of]) => {
    const find = engine(of);
    return questions
      .filter((question) => question.language === language)
      .map((question) => ({
        ...question,
        place: find(question.query).findIndex((id) => question.pages.includes(id)) + 1,
      }));
  });
}

/** Counts the right pages in the first place and among the first three, with the mean of one divided by the place. */
export function measureQuality(placed: readonly Placed[]) {
  const count = (holds: (place: number) => boolean) => placed.filter(({ place }) => holds(place)).length;
  return {
    questions: placed.length,
    first: count((place) => place === 1),
    third: count((place) => place >= 1 && place <= 3),
    reciprocal: placed.reduce((sum, { place }) => sum + (place === 0 ? 0 : 1 / place), 0) / placed.length,
  };
}

/** A question and the pages that answer it. */
export interface Question {
  readonly language: Language;
  readonly query: string;
  readonly pages: readonly string[];
}

const rows = readFileSync(new URL("questions.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1);

/** All questions, in their order. */
export const questions = rows.map((row): Question => {
  const [language, query, ...pages] = row.split("\t");
  return { language: language as Language, query: query!, pages };
});

/** Those that weights may be chosen by. */
export const tuning = questions.filter((_, i) => i % 2 === 0);
/** Those that they may not. */
export const heldOut = questions.filter((_, i) => i % 2 === 1);
