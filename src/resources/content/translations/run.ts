// One run of a translation: its state, and the statistics that it adds.

import { writeMarkdown } from "../../../content/markdown/write";
import { sha256Hex } from "../../../sha256";
import type { Place } from "../../../store/ids";
import type { Work } from "../../../work/jobs";
import type { TranslationRecord, TranslationRun, TranslationStats } from "./records";

/** The lease of a run after the last sign of its worker. */
export const CLAIM_MS = 5 * 60_000;

/** A run that a worker has taken. */
export interface Run {
  readonly work: Work;
  readonly at: Place;
  readonly translation: string;
  /** The worker. */
  readonly runner: string;
}

/** The run is no longer ours: the translation or one of its spaces is gone, or another worker has it. */
export class Over extends Error {}

/** The instructions in Markdown. */
export function instructionsOf({ instructions }: TranslationRecord): string | undefined {
  const text = instructions && writeMarkdown(instructions).trim();
  return text === "" ? undefined : text;
}

/** A digest of the settings. A page is translated again when they change. */
export function howOf(translation: TranslationRecord): string {
  const { sourceLanguage = null, language } = translation;
  return sha256Hex(JSON.stringify([sourceLanguage, language, instructionsOf(translation) ?? null]));
}

/** The statistics after a finished run. */
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
