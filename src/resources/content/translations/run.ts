// One run of a translation: its state, and the statistics that it adds.

import { loadMarkdownWriter } from "../../../content/lazy";
import type { JobContext } from "../../../jobs/jobs";
import { type Progress, reportProgress } from "../../../jobs/progress";
import type { PartitionRef } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { sha256Hex } from "../../../utils/sha256";
import { readTerms } from "./glossary-records";
import type { TranslationRecord, TranslationRun, TranslationStats } from "./records";

export interface TranslationWorkerRun {
  readonly jobContext: JobContext;
  readonly place: PartitionRef;
  readonly translation: string;
  readonly runnerId: string;
}

export function reportRunProgress(
  { store }: JobContext,
  tx: Transaction,
  translation: string,
  progress: Progress,
): void {
  const params = { translationId: translation };
  reportProgress(tx, translation, { ...progress, work: "translation", params, at: store.now().getTime() });
}

/** The worker no longer has the run: the translation or one of its spaces is gone, or another worker took it. */
export class RunEndedError extends Error {}

export async function formatInstructions({ instructions }: TranslationRecord): Promise<string | undefined> {
  if (!instructions) return undefined;
  const { writeMarkdown } = await loadMarkdownWriter();
  const text = writeMarkdown(instructions).trim();
  return text === "" ? undefined : text;
}

/**
 * Hashes the languages, the instructions and the terms of a translation. When the hash changes, all pages are translated again in
 * the next run.
 */
export async function hashSettings(tx: Reader, translation: TranslationRecord): Promise<string> {
  const { sourceLanguage = null, language } = translation;
  const terms = await readTerms(tx, translation);
  const settings = [sourceLanguage, language, (await formatInstructions(translation)) ?? null];
  return sha256Hex(JSON.stringify(terms.length === 0 ? settings : [...settings, terms]));
}

/** Adds a finished run to the statistics. */
export function addRunStats(stats: TranslationStats, run: TranslationRun, now: Date): TranslationStats {
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
