// Takes and runs the Git requests of a space. A request that fails for good is reported and removed. A request that meets
// an outage is tried again by the job for a while, and then removed as well, so no request blocks the others for ever.

import { BookError } from "../../../content/book/errors";
import { type GitAuth, GitError, type GitErrorReason } from "../../../git/port";
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
import { OutdatedError, retryWhileOutdated } from "../../../operation/outdated-error";
import type { Transaction } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { findActiveSpace, nodes } from "../../library/tree/records";
import { dropGitSync, type GitRequest, type GitSyncRecord, gitRequests, gitSyncs, sealedFor } from "./records";
import { withRemote } from "./remote";
import { look, Over, type Run, reportGit } from "./run";

type At = Run["place"];

/** The most attempts of a request: with the delays of a job, about a quarter of an hour. */
const MAX_TRIES = 10;
/** How often an attempt starts again because the state has changed. */
const MAX_ATTEMPTS = 10;

/** Each loads with the first request of its direction. */
const importing = loadLazily(() => import("./import"));
const exporting = loadLazily(() => import("./export"));

/** Takes the oldest request, or drops it; undefined when none waits. */
export async function take(
  { jobContext, place: at }: Lease,
  tx: Transaction,
  sync: GitSyncRecord | undefined,
  runner: Runner,
): Promise<GitRequest | "again" | undefined> {
  if (!sync) return undefined;
  const { space } = sync;
  if (!(await findActiveSpace(tx, space))) {
    await dropGitSync(tx, space);
    // A space in the trash may be restored, so only its requests are dropped.
    if (await nodes.get(tx, space)) await gitSyncs.put(tx, stopped(removeRunner(sync)));
    return undefined;
  }
  const [row] = await gitRequests.list(tx, "inOrder", { under: [space], limit: 1 });
  if (!row) {
    if (sync.runner) await gitSyncs.put(tx, removeRunner(sync));
    return undefined;
  }
  const request = row.record;
  if (sync.newest !== undefined && request.timestamp < sync.newest && !request.force) {
    await gitRequests.delete(tx, space, request.number);
    await gitSyncs.put(tx, removeRunner(sync));
    return "again";
  }
  if (hasDiedTooOften(runner) || request.attempts >= MAX_TRIES) {
    // No attempt reported why it ended, so the process probably crashed.
    const sentence = hasDiedTooOften(runner)
      ? DIED_TOO_OFTEN_MESSAGE
      : "It was tried too often without coming to an end.";
    await giveUp(jobContext, at, tx, removeRunner(sync), request, sentence);
    return "again";
  }
  const taken = { ...request, attempts: request.attempts + 1 };
  await gitRequests.put(tx, taken);
  await gitSyncs.put(tx, {
    ...sync,
    runner,
    last: { direction: request.direction, status: "running", requestedAt: request.requestedAt },
  });
  reportGit({ jobContext, request }, tx, { done: 0, step: "fetching" });
  if (taken.attempts === 1)
    jobContext.outbox.emit(at, tx, { type: "space_gitsync_started", spaceId: space, direction: request.direction });
  return taken;
}

function stopped({ last, ...rest }: GitSyncRecord): GitSyncRecord {
  if (last?.status !== "running") return last ? { ...rest, last } : rest;
  return { ...rest, last: { ...last, status: "failed", error: "The space was deleted." } };
}

/** Runs a request that was taken. */
export async function carryOut(lease: Lease, request: GitRequest): Promise<true> {
  const { jobContext, place: at, runnerId: runner } = lease;
  try {
    const run: Run = { jobContext, place: at, request, runnerId: runner, auth: await authOf(jobContext, request) };
    await retryWhileOutdated(
      jobContext.store,
      (tries) => tries < MAX_ATTEMPTS,
      () => attempt(run),
    ).catch(keptChanging);
    await releaseRunner(lease, gitSyncs, request.space);
  } catch (error) {
    if (error instanceof Over) return true;
    const isOver = isFinal(error) || request.attempts >= MAX_TRIES;
    await jobContext.store.write(at.partition, (tx) => fail(lease, tx, request, error, isOver));
    if (!isOver || !isForeseen(error)) throw error;
  }
  return true;
}

function keptChanging(error: unknown): never {
  if (error instanceof OutdatedError) throw new GitError("diverged", "The space and the repository keep changing.");
  throw error;
}

async function attempt(run: Run): Promise<void> {
  const moment = await look(run);
  if (run.request.direction === "export") return (await exporting()).exportTo(run, moment);
  const { importFrom } = await importing();
  return withRemote(run, moment, (remote) => importFrom(run, moment, remote, true));
}

async function authOf({ ports }: JobContext, { sealed, space }: GitRequest): Promise<GitAuth | undefined> {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(await ports.git.secrets.decrypt(sealed, sealedFor(space))) as GitAuth;
  } catch {
    throw new GitError("unauthorized", "The name and the password were sealed with another secret: send them again.");
  }
}

/** Reasons that another attempt would not change. */
const FINAL = new Set<GitErrorReason>([
  "unauthorized",
  "not_found",
  "ref_not_found",
  "too_large",
  "not_git",
  "rejected",
  "damaged",
]);

function isFinal(error: unknown): boolean {
  return error instanceof BookError || (error instanceof GitError && FINAL.has(error.reason));
}

function isForeseen(error: unknown): boolean {
  return error instanceof BookError || error instanceof GitError;
}

/**
 * Reports why a request failed. It is removed when it failed for good, and when a later request of its kind makes it
 * unnecessary.
 */
async function fail(
  lease: Lease,
  tx: Transaction,
  request: GitRequest,
  error: unknown,
  isOver: boolean,
): Promise<void> {
  const { space, number, direction, requestedAt } = request;
  const sync = await gitSyncs.get(tx, space);
  if (!hasLease(lease, sync)) return;
  // The request was done; only the answer of the commit was lost.
  if (!(await gitRequests.get(tx, space, number))) return gitSyncs.put(tx, removeRunner(sync));
  const { pushing, ...rest } = removeRunner(sync);
  // A refused push has certainly not succeeded. A damaged answer to a push doesn't say.
  const isRefused = isFinal(error) && !(error instanceof GitError && error.reason === "damaged");
  const kept = pushing && !isRefused ? { pushing } : {};
  const sentence = isForeseen(error) ? (error as Error).message.slice(0, 500) : "Something went wrong here.";
  if (isOver || (await isNeedless(tx, request)))
    return giveUp(lease.jobContext, lease.place, tx, { ...rest, ...kept }, request, sentence);
  reportGit({ jobContext: lease.jobContext, request }, tx, { done: 0, step: "waiting" });
  await gitSyncs.put(tx, { ...rest, ...kept, last: { direction, status: "running", requestedAt, error: sentence } });
}

/** Removes an unfinished request, and reports why. */
async function giveUp(
  work: JobContext,
  at: At,
  tx: Transaction,
  sync: GitSyncRecord,
  { space, number, direction, requestedAt }: GitRequest,
  error: string,
): Promise<void> {
  await gitSyncs.put(tx, { ...sync, last: { direction, status: "failed", requestedAt, error } });
  await gitRequests.delete(tx, space, number);
  await endProgress(tx, "git", space, { status: "failed", at: work.store.now().getTime() });
  work.outbox.emit(at, tx, { type: "space_gitsync_completed", spaceId: space, direction, state: "failure" });
}

/** Whether a later request does the same. */
async function isNeedless(tx: Transaction, { space, number, direction, standalone, url, ref, directory }: GitRequest) {
  if (standalone) return false;
  const rows = await gitRequests.list(tx, "inOrder", { under: [space], limit: 100 });
  return rows.some(({ record: it }) => {
    const isSame = it.url === url && it.ref === ref && it.directory === directory && it.direction === direction;
    return it.number !== number && isSame && !it.standalone;
  });
}
