// The jobs of translations: the queue of runs, and their start after the source has changed. A worker takes a run with a
// lease.

import { defineJob, type JobType } from "../../../jobs/jobs";
import { defineQueueJob } from "../../../jobs/leased-queue";
import type { CallContext } from "../../../operation/operation";
import { getPartitionRef } from "../../../storage/ids";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { RUN_LEASE_MS, type TranslationRun, translatedSheets, translationRuns, translations } from "./records";

type TranslationJobPayload = { readonly organization: string; readonly translation: string };

/** Loaded with the first run, because most processes never translate. */
const loadRunner = loadLazily(() => import("./continue-run"));

/** The job that continues a translation with one batch, if there is something to do. */
export const runTranslation: JobType<TranslationJobPayload> = defineQueueJob<
  TranslationJobPayload,
  TranslationRun,
  TranslationRun
>("run-translation", {
  records: translationRuns,
  getRecordId: ({ translation }) => translation,
  getLeaseMs: () => RUN_LEASE_MS,
  take: callLazily(loadRunner, (module) => module.takeRun),
  process: callLazily(loadRunner, (module) => module.continueRun),
});

/** The job that removes the translated pages of a translation that has ended. */
export const clearTranslation = defineJob<TranslationJobPayload>(
  "clear-translation",
  (work, { organization, translation }) =>
    work.store.write(getPartitionRef(organization).partition, async (tx) =>
      (await translations.get(tx, translation)) ? false : translatedSheets.drain(tx, "ofTranslation", [translation]),
    ),
);

/** Changes of the source within this time are translated together, because another one is likely to follow. */
const FOLLOW_EVERY_MS = 5000;

export async function enqueueTranslations(context: FollowContext, organization: string, space: string): Promise<void> {
  const { tx, enqueueJob, now } = context;
  // Checking the total detects a translation that is being created at this moment.
  const count = await translations.total(tx, "ofSource", space);
  if (count === 0) return;
  const when = new Date((Math.floor(now.getTime() / FOLLOW_EVERY_MS) + 2) * FOLLOW_EVERY_MS);
  for (const { record } of await translations.list(tx, "ofSource", { under: [space], limit: count }))
    enqueueJob(runTranslation, { organization, translation: record.id }, when);
}

interface FollowContext extends Pick<CallContext, "now" | "tx"> {
  readonly enqueueJob: (step: JobType<TranslationJobPayload>, payload: TranslationJobPayload, when?: Date) => void;
}
