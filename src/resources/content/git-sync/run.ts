// One attempt at one request: the state that it starts from, and the commit that ends it. A result is saved only if
// neither the space nor the synchronization record has changed meanwhile, and no other worker has taken the request.

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
import { type Agreed, type GitRequest, type GitSyncRecord, gitRequests, gitSyncs, isSameFolder } from "./records";

/** A request that a worker has taken. */
export interface Run {
  readonly jobContext: JobContext;
  readonly place: PartitionRef;
  readonly request: GitRequest;
  readonly auth: GitAuth | undefined;
  /** The worker. */
  readonly runnerId: string;
}

/** The state that an attempt starts from. */
export interface Moment {
  readonly objects: Objects;
  readonly space: SpaceRecord;
  readonly revision: RevisionRecord;
  readonly sync: GitSyncRecord;
  /** The common state with the branch of the request. */
  readonly agreed: Agreed | undefined;
}

/** The request is no longer ours: the space is gone, its synchronization ended, or another worker has it. */
export class Over extends Error {}

/** Reads the current state. Throws `Over`. */
export async function look({ jobContext, place: at, request, runnerId }: Run): Promise<Moment> {
  const view = await jobContext.store.read(at.partition);
  const space = await findActiveSpace(view, request.space);
  const revision = space && (await revisions.get(view, space.id, space.revision));
  const sync = await gitSyncs.get(view, request.space);
  if (!space || !revision || !hasLease({ runnerId }, sync)) throw new Over();
  const agreed = sync.agreed && isSameFolder(sync.agreed, request) ? sync.agreed : undefined;
  return { objects: openObjects(jobContext.store, jobContext.objects, view), space, revision, sync, agreed };
}

/** What making content needs. */
export function toolsOf({ jobContext, place: at }: Run, { objects }: Moment) {
  return {
    now: jobContext.store.now().toISOString(),
    newId: (kind: "page" | "file" | "reusableContent") => jobContext.store.newId(kind, at.code),
    readText: objects.text,
    runSteps,
  };
}

/** A revision that an attempt makes. */
export interface NewRevision {
  readonly root: RevisionRecord["root"];
  readonly git: RevisionCommit;
}

/** Changed fields of the record; an undefined field is removed. */
type Changes = { readonly [name in keyof GitSyncRecord]?: GitSyncRecord[name] | undefined };

/** What is told of a request that is finished. */
interface Done {
  readonly commit?: string;
  /** The object that names what was skipped. */
  readonly skipped?: string | undefined;
}

/** The result of an attempt. */
export interface Came {
  /** The new content of the space. Content that it already has makes no revision. */
  readonly shown?: NewRevision;
  /** A revision beside the line of the space. */
  readonly aside?: NewRevision;
  /** All new objects, except those that `staging` took. */
  readonly objects: ReadonlyMap<string, Uint8Array | string>;
  /** Objects that were staged on the way, because they may be many. */
  readonly staging?: Staging;
  /** The changed fields of the record, given the revisions that were made. */
  readonly change: (sync: GitSyncRecord, made: { readonly shown?: string; readonly aside?: string }) => Changes;
  /** Whether the request is finished, and the result to report. */
  readonly done?: Done;
  /** How far the request is, where it is not finished. */
  readonly progress?: Progress;
}

/** Says how far a request is. */
export function reportGit(
  { jobContext, request }: Pick<Run, "jobContext" | "request">,
  tx: Transaction,
  it: Progress,
): void {
  reportProgress(tx, request.space, {
    ...it,
    work: "git",
    params: { spaceId: request.space },
    at: jobContext.store.now().getTime(),
  });
}

/**
 * Saves the result of an attempt in one commit. Throws `OutdatedError` when the state has changed, `Over` when the request
 * is not ours.
 */
export async function save(run: Run, moment: Moment, came: Came): Promise<void> {
  const { jobContext, place: at, request } = run;
  const staged = await (came.staging ?? new Staging(jobContext.store, at.partition, yieldToEventLoop)).finish(
    came.objects,
  );
  await jobContext.store.write(at.partition, async (tx) => {
    const sync = await gitSyncs.get(tx, request.space);
    if (!hasLease(run, sync)) throw new Over();
    const space = await findChangeableSpace(tx, request.space);
    if (space?.revision !== moment.space.revision) throw new OutdatedError();
    if (JSON.stringify(sync.agreed) !== JSON.stringify(moment.sync.agreed)) throw new OutdatedError();
    await addStagedObjects(tx, staged);
    const made = await saveRevisions(run, tx, space, came);
    const changed = withChanges(sync, came.change(sync, made));
    if (came.progress) reportGit(run, tx, came.progress);
    await gitSyncs.put(tx, came.done ? await finish(run, tx, changed, came.done, made) : changed);
  });
}

function withChanges(sync: GitSyncRecord, changes: Changes): GitSyncRecord {
  const members = Object.entries({ ...sync, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as unknown as GitSyncRecord;
}

async function saveRevisions({ jobContext, place: at, request }: Run, tx: Transaction, space: SpaceRecord, came: Came) {
  const context = createWriteContext(jobContext, at, tx);
  const { now } = context;
  const active = await revisions.get(tx, space.id, space.revision);
  if (!active) throw new OutdatedError();
  const make = ({ root, git }: NewRevision, more: Pick<RevisionRecord, "isAside"> = {}) => {
    const id = generateId("revision", at.code, jobContext.store.random);
    return createNextRevision(id, active, { root, user: request.by, now }, { git, ...more });
  };
  const aside = came.aside && make(came.aside, { isAside: true });
  const shown = came.shown && came.shown.root !== active.root ? make(came.shown) : undefined;
  if (aside) await revisions.put(tx, aside);
  if (shown) {
    const organization = formatOrganizationId(at.code);
    await activateRevision(context, organization, space, shown);
  }
  return { ...omitUndefined({ shown: shown?.id, aside: aside?.id }) };
}

/** Removes the request from the queue. */
async function finish(
  { jobContext, place: at, request }: Run,
  tx: Transaction,
  sync: GitSyncRecord,
  { commit, skipped }: Done,
  made: { readonly shown?: string; readonly aside?: string },
): Promise<GitSyncRecord> {
  const { space, number, direction, requestedAt, timestamp } = request;
  await gitRequests.delete(tx, space, number);
  const revision = made.shown ?? made.aside;
  const { shown } = made;
  const end = { status: "completed" as const, at: jobContext.store.now().getTime() };
  await endProgress(tx, "git", space, shown === undefined ? end : { ...end, revision: shown });
  jobContext.outbox.emit(at, tx, {
    type: "space_gitsync_completed",
    spaceId: space,
    direction,
    state: "success",
    ...omitUndefined({ revisionId: revision, commitId: commit }),
  });
  return {
    ...sync,
    newest: sync.newest !== undefined && sync.newest > timestamp ? sync.newest : timestamp,
    last: {
      direction,
      status: "completed",
      requestedAt,
      ...omitUndefined({ commit, revision, skipped }),
    },
  };
}

/** A commit as revisions store it. */
export function gitOf(
  { request }: Run,
  commit: { readonly oid: string; readonly message: string },
  createdByService: boolean,
): RevisionCommit {
  const { commitUrl, ref } = request;
  return {
    oid: commit.oid,
    message: commit.message.slice(0, MAX_MESSAGE),
    createdByService,
    ...omitUndefined({ url: commitUrl === undefined ? undefined : `${trimTrailingSlashes(commitUrl)}/${commit.oid}` }),
    ref,
  };
}

/** The most characters of a commit message that a revision stores. */
const MAX_MESSAGE = 2000;
