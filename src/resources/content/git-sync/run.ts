/**
 * One attempt at one request: the state that it starts from, and the commit that ends it.
 *
 * A result is saved only if neither the space nor the synchronization record has changed meanwhile, and no other worker
 * has taken the request.
 */

import type { GitAuth } from "../../../git/port";
import type { JobContext } from "../../../jobs/jobs";
import { hasLease } from "../../../jobs/leased-queue";
import { endProgress, type Progress, reportProgress } from "../../../jobs/progress";
import { createWriteContext } from "../../../jobs/write-context";
import { OutdatedError } from "../../../operation/outdated-error";
import { formatOrganizationId, generateId, type PartitionRef } from "../../../storage/ids";
import { addStagedObjects, type Objects, openObjects, Staging } from "../../../storage/objects";
import type { Transaction } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { trimTrailingSlashes } from "../../../utils/url";
import { findActiveSpace, findChangeableSpace, type SpaceRecord } from "../../library/tree/records";
import { activateRevision } from "../revisions/activate-revision";
import { createNextRevision, type RevisionCommit, type RevisionRecord, revisions } from "../revisions/records";
import { type CommonState, type GitRequest, type GitSyncRecord, gitRequests, gitSyncs, isSameFolder } from "./records";

/** The longest commit message that a revision stores, in characters. */
const MAX_COMMIT_MESSAGE = 2000;

/** A request that a worker has taken. */
export interface SyncRun {
  readonly jobContext: JobContext;
  readonly place: PartitionRef;
  readonly request: GitRequest;
  readonly auth: GitAuth | undefined;
  readonly runnerId: string;
}

/** The state that an attempt starts from. */
export interface SyncState {
  readonly objects: Objects;
  readonly space: SpaceRecord;
  readonly revision: RevisionRecord;
  readonly sync: GitSyncRecord;
  /** The common state with the branch of the request. */
  readonly agreed: CommonState | undefined;
}

/** The worker no longer has the request: the space is gone, its synchronization ended, or another worker took it. */
export class RequestEndedError extends Error {}

/** Reads the current state. Throws `RequestEndedError`. */
export async function readSyncState({ jobContext, place, request, runnerId }: SyncRun): Promise<SyncState> {
  const view = await jobContext.store.read(place.partition);
  const space = await findActiveSpace(view, request.space);
  const revision = space && (await revisions.get(view, space.id, space.revision));
  const sync = await gitSyncs.get(view, request.space);
  if (!space || !revision || !hasLease({ runnerId }, sync)) throw new RequestEndedError();
  const agreed = sync.agreed && isSameFolder(sync.agreed, request) ? sync.agreed : undefined;
  return { objects: openObjects(jobContext.store, jobContext.objects, view), space, revision, sync, agreed };
}

/** Creates the tools with which a book is written to a draft. */
export function createContentTools({ jobContext, place }: SyncRun, { objects }: SyncState) {
  return {
    now: jobContext.store.now().toISOString(),
    newId: (kind: "page" | "file" | "reusableContent") => jobContext.store.newId(kind, place.code),
    readText: objects.text,
    runSteps,
  };
}

export interface SyncRevision {
  readonly root: RevisionRecord["root"];
  readonly git: RevisionCommit;
}

interface CreatedRevisions {
  readonly shown?: string;
  readonly aside?: string;
}

/** Changed fields of the record; an undefined field is removed. */
type SyncChanges = { readonly [name in keyof GitSyncRecord]?: GitSyncRecord[name] | undefined };

/** The reported result of a finished request. */
interface FinishedRequest {
  readonly commit?: string;
  /** The object with the report of skipped items. */
  readonly skipped?: string | undefined;
}

export interface SyncResult {
  /** The new content of the space. The content that it already has creates no revision. */
  readonly shown?: SyncRevision;
  /** A revision that the space does not show. */
  readonly aside?: SyncRevision;
  /** All new objects, except those that `staging` has stored. */
  readonly objects: ReadonlyMap<string, Uint8Array | string>;
  /** The staging area of objects that were stored on the way, because they may be many. */
  readonly staging?: Staging;
  /** Returns the changed fields of the record, given the created revisions. */
  readonly change: (sync: GitSyncRecord, created: CreatedRevisions) => SyncChanges;
  /** The result to report; undefined while the request is not finished. */
  readonly done?: FinishedRequest;
  /** The progress of a request that is not finished. */
  readonly progress?: Progress;
}

export function reportSyncProgress(
  { jobContext, request }: Pick<SyncRun, "jobContext" | "request">,
  tx: Transaction,
  progress: Progress,
): void {
  const params = { spaceId: request.space };
  reportProgress(tx, request.space, { ...progress, work: "git", params, at: jobContext.store.now().getTime() });
}

/**
 * Saves the result of an attempt in one commit. Throws `OutdatedError` if the state has changed, and
 * `RequestEndedError` if the worker no longer has the request.
 */
export async function saveResult(run: SyncRun, syncState: SyncState, result: SyncResult): Promise<void> {
  const { jobContext, place, request } = run;
  const staging = result.staging ?? new Staging(jobContext.store, place.partition, yieldToEventLoop);
  const staged = await staging.finish(result.objects);
  await jobContext.store.write(place.partition, async (tx) => {
    const sync = await gitSyncs.get(tx, request.space);
    if (!hasLease(run, sync)) throw new RequestEndedError();
    const space = await findChangeableSpace(tx, request.space);
    if (space?.revision !== syncState.space.revision) throw new OutdatedError();
    if (JSON.stringify(sync.agreed) !== JSON.stringify(syncState.sync.agreed)) throw new OutdatedError();
    await addStagedObjects(tx, staged);

    const context = createWriteContext(jobContext, place, tx);
    const active = await revisions.get(tx, space.id, space.revision);
    if (!active) throw new OutdatedError();
    const createRevision = ({ root, git }: SyncRevision, more: Pick<RevisionRecord, "isAside"> = {}) => {
      const id = generateId("revision", place.code, jobContext.store.random);
      return createNextRevision(id, active, { root, user: request.by, now: context.now }, { git, ...more });
    };
    const aside = result.aside && createRevision(result.aside, { isAside: true });
    const shown = result.shown && result.shown.root !== active.root ? createRevision(result.shown) : undefined;
    if (aside) await revisions.put(tx, aside);
    if (shown) await activateRevision(context, formatOrganizationId(place.code), space, shown);
    const created: CreatedRevisions = omitUndefined({ shown: shown?.id, aside: aside?.id });

    const fields = Object.entries({ ...sync, ...result.change(sync, created) });
    const changed = Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as unknown as GitSyncRecord;
    if (result.progress) reportSyncProgress(run, tx, result.progress);
    if (!result.done) return gitSyncs.put(tx, changed);

    // The request is finished: it leaves the queue, and the record has its result.
    const { number, direction, requestedAt, timestamp } = request;
    const { commit, skipped } = result.done;
    const revision = shown?.id ?? aside?.id;
    await gitRequests.delete(tx, space.id, number);
    const end = { status: "completed" as const, at: jobContext.store.now().getTime() };
    await endProgress(tx, "git", space.id, shown ? { ...end, revision: shown.id } : end);
    jobContext.outbox.emit(place, tx, {
      type: "space_gitsync_completed",
      spaceId: space.id,
      direction,
      state: "success",
      ...omitUndefined({ revisionId: revision, commitId: commit }),
    });
    await gitSyncs.put(tx, {
      ...changed,
      newest: changed.newest !== undefined && changed.newest > timestamp ? changed.newest : timestamp,
      last: { direction, status: "completed", requestedAt, ...omitUndefined({ commit, revision, skipped }) },
    });
  });
}

export function createRevisionCommit(
  { request }: SyncRun,
  commit: { readonly oid: string; readonly message: string },
  createdByService: boolean,
): RevisionCommit {
  const { commitUrl, ref } = request;
  return {
    oid: commit.oid,
    message: commit.message.slice(0, MAX_COMMIT_MESSAGE),
    createdByService,
    ...omitUndefined({ url: commitUrl === undefined ? undefined : `${trimTrailingSlashes(commitUrl)}/${commit.oid}` }),
    ref,
  };
}
