// How well an engine answers questions.

import type { SearchPage } from "../../../src/content/search";
import type { Engine } from "./engines";
import type { Language } from "./packages";
import type { Question } from "./questions";

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

/** What is said of many answers. */
export interface Quality {
  readonly questions: number;
  /** Right pages in the first place. */
  readonly first: number;
  /** Right pages among the first three. */
  readonly third: number;
  /** The mean of one divided by the place. */
  readonly reciprocal: number;
}

export function measureQuality(placed: readonly Placed[]): Quality {
  const count = (holds: (place: number) => boolean) => placed.filter(({ place }) => holds(place)).length;
  return {
    questions: placed.length,
    first: count((place) => place === 1),
    third: count((place) => place >= 1 && place <= 3),
    reciprocal: placed.reduce((sum, { place }) => sum + (place === 0 ? 0 : 1 / place), 0) / placed.length,
  };
}
