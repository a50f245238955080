// One run of a translation: what it stands on, and what its end adds to the figures.

import { writeMarkdown } from "../../../content/markdown/write";
import { sha256Hex } from "../../../sha256";
import type { Place } from "../../../store/ids";
import type { Work } from "../../../work/jobs";
import type { TranslationRecord, TranslationRun, TranslationStats } from "./records";

/** How long whoever works on a run is left alone after they were last heard of. */
export const CLAIM_MS = 5 * 60_000;

/** A run that somebody works on. */
export interface Run {
  readonly work: Work;
  readonly at: Place;
  readonly translation: string;
  /** Who works on it. */
  readonly runner: string;
}

/** The run is no longer ours: the translation or one of its spaces is gone, or somebody else has it. */
export class Over extends Error {}

/** What is to be minded, in Markdown. */
export function instructionsOf({ instructions }: TranslationRecord): string | undefined {
  const text = instructions && writeMarkdown(instructions).trim();
  return text === "" ? undefined : text;
}

/** The name of what is to be minded: a page is translated anew when it is another one. */
export function howOf(translation: TranslationRecord): string {
  const { sourceLanguage = null, language } = translation;
  return sha256Hex(JSON.stringify([sourceLanguage, language, instructionsOf(translation) ?? null]));
}

/** The figures with those of a run that came to an end. */
export function ended(stats: TranslationStats, run: TranslationRun, now: Date): TranslationStats {
  const duration = Math.max(0, now.getTime() - run.startedAt);
  return {
    runs: stats.runs + 1,
    totalWords: stats.totalWords + run.words,
    totalPages: stats.totalPages + run.pages,
    totalDuration: stats.totalDuration + duration,
    latestRunDuration: duration,
    latestPages: run.pages,
    latestWords: run.words,
  };
}
