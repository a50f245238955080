// One run of a translation: its state, and the statistics that it adds.

import { loadMarkdownWriter } from "../../../content/lazy";
import type { JobContext } from "../../../jobs/jobs";
import { type Progress, reportProgress } from "../../../jobs/progress";
import type { PartitionRef } from "../../../storage/ids";
import type { Transaction } from "../../../storage/transaction";
import { sha256Hex } from "../../../utils/sha256";
import type { TranslationRecord, TranslationRun, TranslationStats } from "./records";

/** A run that a worker has taken. */
export interface Run {
  readonly jobContext: JobContext;
  readonly place: PartitionRef;
  readonly translation: string;
  /** The worker. */
  readonly runnerId: string;
}

/** Says how far a run is. */
export function reportRun({ store }: JobContext, tx: Transaction, translation: string, it: Progress): void {
  const params = { translationId: translation };
  reportProgress(tx, translation, { ...it, work: "translation", params, at: store.now().getTime() });
}

/** The run is no longer ours: the translation or one of its spaces is gone, or another worker has it. */
export class Over extends Error {}

/** What is to be minded, in Markdown. */
export async function instructionsOf({ instructions }: TranslationRecord): Promise<string | undefined> {
  if (!instructions) return undefined;
  const { writeMarkdown } = await loadMarkdownWriter();
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
