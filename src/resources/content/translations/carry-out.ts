// Takes and carries out runs of translations, in bounded pieces. Every translated page is saved. A run that meets an outage is
// tried again by its job for a while. A permanent failure ends it at once, with its reason.

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
import { finish } from "./finish";
import { type TranslationRecord, type TranslationRun, translationRuns, translations } from "./records";
import { ended, howOf, Over, type Run, reportRun } from "./run";
import { translateSome } from "./translate-pages";

/** The most attempts without progress: with the delays of a job, about a quarter of an hour. */
const MAX_FAILURES = 10;
/** How often the last commit of a run is tried again because its result has changed. */
const MAX_ATTEMPTS = 10;

/** Takes a run, if there is something to do. */
export async function take(
  { jobContext, payload }: Lease<Pick<Run, "translation">>,
  tx: Transaction,
  before: TranslationRun | undefined,
  runner: Runner,
): Promise<TranslationRun | undefined> {
  const translation = await translations.get(tx, payload.translation);
  if (!translation) return undefined;
  const hindrance = await hindranceOf(jobContext, tx, translation);
  if (hindrance !== undefined) {
    await fail(jobContext, tx, translation, before, hindrance);
    return undefined;
  }
  if (!before && (await isUpToDate(tx, translation))) return undefined;
  if (before && hasDiedTooOften(runner)) {
    await fail(jobContext, tx, translation, before, DIED_TOO_OFTEN_MESSAGE);
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
  if (!before) reportRun(jobContext, tx, translation.id, { done: 0, step: "translating" });
  if (translation.status !== "running") {
    const { error: _, ...rest } = translation;
    await translations.put(tx, { ...rest, status: "running" });
  }
  return run;
}

/** Why a translation cannot run at all. */
async function hindranceOf(
  work: JobContext,
  tx: Transaction,
  translation: TranslationRecord,
): Promise<string | undefined> {
  if (!work.ports.translator) return "This server has no translator: pass the option `translator` to `createDocsApi`.";
  if (!(await findActiveSpace(tx, translation.source))) return "The space that is translated was deleted.";
  if (!(await findActiveSpace(tx, translation.result))) return "The space with the translation was deleted.";
  return undefined;
}

async function isUpToDate(tx: Transaction, translation: TranslationRecord): Promise<boolean> {
  const { last, asked, answered } = translation;
  return (
    asked === answered && last?.how === (await howOf(translation)) && last.from === (await sourceRoot(tx, translation))
  );
}

async function sourceRoot(tx: Transaction, { source }: TranslationRecord): Promise<MapRoot | undefined> {
  const space = await findActiveSpace(tx, source);
  return space && (await revisions.get(tx, space.id, space.revision))?.root;
}

/** Does a piece of a run. True: there is more to do. */
export async function carryOut(
  { payload, ...lease }: Lease<Pick<Run, "translation">>,
  taken: TranslationRun,
): Promise<boolean> {
  const run: Run = { ...lease, translation: payload.translation };
  try {
    if (await translateSome(run)) return await letGo(run);
    return await retryWhileOutdated(
      run.jobContext.store,
      (tries) => tries < MAX_ATTEMPTS,
      async () => (await finish(run)) || letGo(run),
    );
  } catch (error) {
    // The next worker finds the current state.
    if (error instanceof Over) return letGo(run);
    return giveUp(run, taken, error);
  }
}

/** Releases a run that is not finished. */
async function letGo(run: Run): Promise<true> {
  await releaseRunner(run, translationRuns, run.translation);
  return true;
}

/** Reports why a run made no progress. A permanent failure ends it; otherwise its job tries again. */
async function giveUp(lease: Run, taken: TranslationRun, error: unknown): Promise<false> {
  const { jobContext, place: at, translation: id } = lease;
  const isForeseen = error instanceof TranslatorError;
  const sentence = isForeseen ? error.message.slice(0, 500) : "Something went wrong here.";
  const isOver = await jobContext.store.write(at.partition, async (tx) => {
    const [translation, run] = [await translations.get(tx, id), await translationRuns.get(tx, id)];
    if (!translation || !hasLease(lease, run)) return true;
    // Failures are counted since the last saved page.
    const failures = (run.pages > taken.pages ? 0 : run.failures) + 1;
    if ((isForeseen && error.isFinal) || failures >= MAX_FAILURES) {
      await fail(jobContext, tx, translation, run, sentence);
      return true;
    }
    await translationRuns.put(tx, { ...removeRunner(run), failures });
    await translations.put(tx, { ...translation, error: sentence });
    return false;
  });
  if (!isOver || !isForeseen) throw error;
  return false;
}

/** Ends a run without a result. Its translated pages are kept for the next run. */
async function fail(
  work: JobContext,
  tx: Transaction,
  translation: TranslationRecord,
  run: TranslationRun | undefined,
  error: string,
): Promise<void> {
  const now = work.store.now();
  const from = await sourceRoot(tx, translation);
  await translationRuns.delete(tx, translation.id);
  await endProgress(tx, "translation", translation.id, { status: "failed", at: now.getTime() });
  await translations.put(tx, {
    ...translation,
    status: "failed",
    error,
    answered: translation.asked,
    ...omitUndefined({ last: from === undefined ? undefined : { from, how: await howOf(translation) } }),
    stats: run ? ended(translation.stats, run, now) : translation.stats,
  });
}
