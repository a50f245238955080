// Takes and continues runs of translations, in bounded batches. Every translated page is saved. A run that meets an outage
// is retried by its job for a while. A permanent failure ends it at once, with its reason.

import type { MapRoot } from "../../../content/prolly-tree";
import type { JobContext } from "../../../jobs/jobs";
import {
  DIED_TOO_OFTEN_MESSAGE,
  hasDiedTooOften,
  hasLease,
  type Lease,
  type Runner,
  releaseRunner,
  removeRunner,
} from "../../../jobs/leased-queue";
import { endProgress } from "../../../jobs/progress";
import { retryWhileOutdated } from "../../../operation/outdated-error";
import type { Transaction } from "../../../storage/transaction";
import { TranslatorError } from "../../../translators/errors";
import { omitUndefined } from "../../../utils/objects";
import { findActiveSpace } from "../../library/tree/records";
import { revisions } from "../revisions/records";
import { finishRun } from "./finish-run";
import { type TranslationRecord, type TranslationRun, translationRuns, translations } from "./records";
import { addRunStats, hashSettings, RunEndedError, reportRunProgress, type TranslationWorkerRun } from "./run";
import { translateSomeParts } from "./translate-pages";

/** The most attempts without progress: with the delays of a job, about a quarter of an hour. */
const MAX_FAILURES = 10;
/** The most attempts at the last commit of a run, while its result keeps changing. */
const MAX_ATTEMPTS = 10;

export async function takeRun(
  { jobContext, payload }: Lease<Pick<TranslationWorkerRun, "translation">>,
  tx: Transaction,
  before: TranslationRun | undefined,
  runner: Runner,
): Promise<TranslationRun | undefined> {
  const translation = await translations.get(tx, payload.translation);
  if (!translation) return undefined;
  let obstacle: string | undefined;
  if (!jobContext.ports.translator)
    obstacle = "This server has no translator. Pass the `translator` option to `createDocsApi`.";
  else if (!(await findActiveSpace(tx, translation.source))) obstacle = "The source space was deleted.";
  else if (!(await findActiveSpace(tx, translation.result))) obstacle = "The translated space was deleted.";
  if (obstacle !== undefined) {
    await failTranslation(jobContext, tx, translation, before, obstacle);
    return undefined;
  }
  const { last, asked, answered } = translation;
  const hasSameInputs = async () =>
    last?.how === (await hashSettings(tx, translation)) && last.from === (await findSourceRoot(tx, translation));
  if (!before && asked === answered && (await hasSameInputs())) return undefined;
  if (before && hasDiedTooOften(runner)) {
    await failTranslation(jobContext, tx, translation, before, DIED_TOO_OFTEN_MESSAGE);
    return undefined;
  }
  const run: TranslationRun = {
    ...(before ?? {
      translation: translation.id,
      startedAt: jobContext.store.now().getTime(),
      pages: 0,
      words: 0,
      failures: 0,
    }),
    asked: translation.asked,
    runner,
  };
  await translationRuns.put(tx, run);
  if (!before) reportRunProgress(jobContext, tx, translation.id, { done: 0, step: "translating" });
  if (translation.status !== "running") {
    const { error: _, ...rest } = translation;
    await translations.put(tx, { ...rest, status: "running" });
  }
  return run;
}

/** Finds the content of the source; undefined if the source is gone. */
async function findSourceRoot(tx: Transaction, { source }: TranslationRecord): Promise<MapRoot | undefined> {
  const space = await findActiveSpace(tx, source);
  return space && (await revisions.get(tx, space.id, space.revision))?.root;
}

/** Translates a batch of a run, or finishes it. Returns true if there is more to do. Only passing failures throw. */
export async function continueRun(
  { payload, ...lease }: Lease<Pick<TranslationWorkerRun, "translation">>,
  taken: TranslationRun,
): Promise<boolean> {
  const { jobContext, place } = lease;
  const id = payload.translation;
  const workerRun: TranslationWorkerRun = { ...lease, translation: id };
  try {
    if (await translateSomeParts(workerRun)) return await releaseRun(workerRun);
    return await retryWhileOutdated(
      jobContext.store,
      (tries) => tries < MAX_ATTEMPTS,
      async () => (await finishRun(workerRun)) || releaseRun(workerRun),
    );
  } catch (error) {
    // The next worker reads the current state.
    if (error instanceof RunEndedError) return releaseRun(workerRun);

    const isExpected = error instanceof TranslatorError;
    const reason = isExpected
      ? error.message.slice(0, 500)
      : "An unexpected error occurred. If it occurs again, contact the operator of the server, whose log has the details.";
    const isEnd = await jobContext.store.write(place.partition, async (tx) => {
      const [translation, run] = [await translations.get(tx, id), await translationRuns.get(tx, id)];
      if (!translation || !hasLease(workerRun, run)) return true;
      // Failures are counted since the last saved page.
      const failures = (run.pages > taken.pages ? 0 : run.failures) + 1;
      if ((isExpected && error.isFinal) || failures >= MAX_FAILURES) {
        await failTranslation(jobContext, tx, translation, run, reason);
        return true;
      }
      await translationRuns.put(tx, { ...removeRunner(run), failures });
      await translations.put(tx, { ...translation, error: reason });
      return false;
    });
    if (!isEnd || !isExpected) throw error;
    return false;
  }
}

async function releaseRun(run: TranslationWorkerRun): Promise<true> {
  await releaseRunner(run, translationRuns, run.translation);
  return true;
}

/** Ends a run without a result. Its translated pages are kept for the next run. */
async function failTranslation(
  { store }: JobContext,
  tx: Transaction,
  translation: TranslationRecord,
  run: TranslationRun | undefined,
  error: string,
): Promise<void> {
  const now = store.now();
  const from = await findSourceRoot(tx, translation);
  await translationRuns.delete(tx, translation.id);
  await endProgress(tx, "translation", translation.id, { status: "failed", at: now.getTime() });
  await translations.put(tx, {
    ...translation,
    status: "failed",
    error,
    answered: translation.asked,
    ...omitUndefined({ last: from === undefined ? undefined : { from, how: await hashSettings(tx, translation) } }),
    stats: run ? addRunStats(translation.stats, run, now) : translation.stats,
  });
}
