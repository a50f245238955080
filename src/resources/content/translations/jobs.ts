// The queue of the runs of a translation, and what starts them. A worker takes a run with a lease.

import { defineJob, type JobType } from "../../../jobs/jobs";
import { defineQueueJob } from "../../../jobs/leased-queue";
import { getPartitionRef } from "../../../storage/ids";
import type { Transaction } from "../../../storage/transaction";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { CLAIM_MS, dropSheets, type TranslationRun, translationRuns, translations } from "./records";

type OfTranslation = { readonly organization: string; readonly translation: string };

/** What carries out runs is loaded by the first: most processes never translate. */
const working = loadLazily(() => import("./carry-out"));

/** Continues a translation with one piece, if there is something to do. */
export const runTranslation: JobType<OfTranslation> = defineQueueJob<OfTranslation, TranslationRun, TranslationRun>(
  "run-translation",
  {
    records: translationRuns,
    getRecordId: ({ translation }) => translation,
    getLeaseMs: () => CLAIM_MS,
    take: callLazily(working, (it) => it.take),
    process: callLazily(working, (it) => it.carryOut),
  },
);

/** Removes what is left of an ended translation. */
export const clearTranslation = defineJob<OfTranslation>("clear-translation", (work, { organization, translation }) =>
  work.store.write(getPartitionRef(organization).partition, async (tx) =>
    (await translations.get(tx, translation)) ? false : dropSheets(tx, translation),
  ),
);

/** Changes of the source within this time are followed together, one to two such times after them, because another change
 * is likely to follow. */
const FOLLOW_EVERY_MS = 5000;

/** Schedules the translations of a space after its content has changed. */
export async function followSource(context: Following, organization: string, space: string): Promise<void> {
  const { tx, enqueueJob, now } = context;
  // Checking the total detects a translation that is being created at this moment.
  const count = await translations.total(tx, "ofSource", space);
  if (count === 0) return;
  const when = new Date((Math.floor(now.getTime() / FOLLOW_EVERY_MS) + 2) * FOLLOW_EVERY_MS);
  for (const { record } of await translations.list(tx, "ofSource", { under: [space], limit: count }))
    enqueueJob(runTranslation, { organization, translation: record.id }, when);
}

interface Following {
  readonly tx: Transaction;
  readonly enqueueJob: (step: JobType<OfTranslation>, payload: OfTranslation, when?: Date) => void;
  readonly now: Date;
}
