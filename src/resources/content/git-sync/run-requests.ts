/**
 * Takes and runs the Git requests of a space.
 *
 * A request that fails permanently is reported and removed. A request that meets an outage is retried by the job for a
 * while and then removed as well, so no request blocks the others forever.
 */

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
import type { PartitionRef } from "../../../storage/ids";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Transaction } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { findActiveSpace, nodes } from "../../library/tree/records";
import { dropGitSync, type GitRequest, type GitSyncRecord, gitRequests, gitSyncs, isSameFolder } from "./records";
import { useRemoteBranch } from "./remote";
import { RequestEndedError, readSyncState, reportSyncProgress, type SyncRun } from "./run";

/** The most attempts of a request: with the delays of a job, about a quarter of an hour. */
const MAX_TRIES = 10;
/** The most times that an attempt starts again because the state has changed. */
const MAX_RESTARTS = 10;

/** Reasons for which another attempt would fail as well. */
const FINAL_REASONS = new Set<GitErrorReason>([
  "unauthorized",
  "not_found",
  "ref_not_found",
  "too_large",
  "not_git",
  "rejected",
  "damaged",
]);

/** Each direction is loaded with its first request. */
const loadImport = loadLazily(() => import("./import"));
const loadExport = loadLazily(() => import("./export"));

/** Takes the oldest request, or drops it. Returns undefined if none waits. */
export async function takeRequest(
  { jobContext, place }: Lease,
  tx: Transaction,
  sync: GitSyncRecord | undefined,
  runner: Runner,
): Promise<GitRequest | "again" | undefined> {
  if (!sync) return undefined;
  const { space } = sync;
  if (!(await findActiveSpace(tx, space))) {
    await dropGitSync(tx, space);
    // A space in the trash may be restored, so only its requests are dropped.
    if (await nodes.get(tx, space)) {
      const { last, ...rest } = removeRunner(sync);
      if (last?.status === "running")
        await gitSyncs.put(tx, { ...rest, last: { ...last, status: "failed", error: "The space was deleted." } });
      else await gitSyncs.put(tx, last ? { ...rest, last } : rest);
    }
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
    const reason = hasDiedTooOften(runner)
      ? DIED_TOO_OFTEN_MESSAGE
      : "It didn't finish after several attempts. Try again, or contact the operator of the server.";
    await failRequest(jobContext, place, tx, removeRunner(sync), request, reason);
    return "again";
  }
  const taken = { ...request, attempts: request.attempts + 1 };
  await gitRequests.put(tx, taken);
  await gitSyncs.put(tx, {
    ...sync,
    runner,
    last: { direction: request.direction, status: "running", requestedAt: request.requestedAt },
  });
  reportSyncProgress({ jobContext, request }, tx, { done: 0, step: "fetching" });
  if (taken.attempts === 1)
    jobContext.outbox.emit(place, tx, { type: "space_gitsync_started", spaceId: space, direction: request.direction });
  return taken;
}

export async function runRequest(lease: Lease, request: GitRequest): Promise<true> {
  const { jobContext, place, runnerId } = lease;
  try {
    let auth: GitAuth | undefined;
    if (request.sealed !== undefined) {
      const decrypted = jobContext.ports.git.secrets.decrypt(request.sealed, sealContexts.gitRequests(request.space));
      auth = await decrypted.then(JSON.parse).catch(() => {
        throw new GitError(
          "unauthorized",
          "The credentials can't be decrypted, because the secret of the server has changed. Send them again.",
        );
      });
    }
    const run: SyncRun = { jobContext, place, request, runnerId, auth };
    const attempt = async () => {
      const syncState = await readSyncState(run);
      if (request.direction === "export") return (await loadExport()).exportToRepository(run, syncState);
      const { importBranch } = await loadImport();
      return useRemoteBranch(run, syncState, (remote) => importBranch(run, syncState, remote, true));
    };
    await retryWhileOutdated(jobContext.store, (tries) => tries < MAX_RESTARTS, attempt).catch((error: unknown) => {
      if (!(error instanceof OutdatedError)) throw error;
      throw new GitError(
        "diverged",
        "The space and the repository changed too often during the synchronization. Try again.",
      );
    });
    await releaseRunner(lease, gitSyncs, request.space);
  } catch (error) {
    if (error instanceof RequestEndedError) return true;
    const isExpected = error instanceof BookError || error instanceof GitError;
    const isFinal = error instanceof BookError || (error instanceof GitError && FINAL_REASONS.has(error.reason));
    const isEnd = isFinal || request.attempts >= MAX_TRIES;
    const reason = isExpected
      ? error.message.slice(0, 500)
      : "An unexpected error occurred. If it occurs again, contact the operator of the server, whose log has the details.";
    await jobContext.store.write(place.partition, async (tx) => {
      const { space, number, direction, requestedAt } = request;
      const sync = await gitSyncs.get(tx, space);
      if (!hasLease(lease, sync)) return;
      // The request was finished; only the answer of the commit was lost.
      if (!(await gitRequests.get(tx, space, number))) return gitSyncs.put(tx, removeRunner(sync));
      const { pushing, ...rest } = removeRunner(sync);
      // A rejected push has certainly not succeeded. A damaged answer to a push leaves that open.
      const isRejected = isFinal && !(error instanceof GitError && error.reason === "damaged");
      const changed: GitSyncRecord = pushing && !isRejected ? { ...rest, pushing } : rest;
      // A later request makes another attempt unnecessary.
      let isLastAttempt = isEnd;
      if (!isEnd && !request.standalone) {
        const rows = await gitRequests.list(tx, "inOrder", { under: [space], limit: 100 });
        isLastAttempt = rows.some(
          ({ record: other }) =>
            other.number !== number &&
            other.direction === direction &&
            !other.standalone &&
            isSameFolder(other, request),
        );
      }
      if (isLastAttempt) return failRequest(jobContext, place, tx, changed, request, reason);
      reportSyncProgress({ jobContext, request }, tx, { done: 0, step: "waiting" });
      await gitSyncs.put(tx, { ...changed, last: { direction, status: "running", requestedAt, error: reason } });
    });
    if (!isEnd || !isExpected) throw error;
  }
  return true;
}

/** Removes an unfinished request, and records why. */
async function failRequest(
  jobContext: JobContext,
  place: PartitionRef,
  tx: Transaction,
  sync: GitSyncRecord,
  { space, number, direction, requestedAt }: GitRequest,
  error: string,
): Promise<void> {
  await gitSyncs.put(tx, { ...sync, last: { direction, status: "failed", requestedAt, error } });
  await gitRequests.delete(tx, space, number);
  await endProgress(tx, "git", space, { status: "failed", at: jobContext.store.now().getTime() });
  jobContext.outbox.emit(place, tx, { type: "space_gitsync_completed", spaceId: space, direction, state: "failure" });
}
