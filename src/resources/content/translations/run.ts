// One run of a translation: its state, and the statistics that it adds.

import { loadWriter } from "../../../content/late";
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

/** What is to be minded, in Markdown. */
export async function instructionsOf({ instructions }: TranslationRecord): Promise<string | undefined> {
  if (!instructions) return undefined;
  const { writeMarkdown } = await loadWriter();
  const text = writeMarkdown(instructions).trim();
  return text === "" ? undefined : text;
}

/** The name of what is to be minded: a page is translated anew when it is another one. */
export async function howOf(translation: TranslationRecord): Promise<string> {
  const { sourceLanguage = null, language } = translation;
  return sha256Hex(JSON.stringify([sourceLanguage, language, (await instructionsOf(translation)) ?? null]));
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
