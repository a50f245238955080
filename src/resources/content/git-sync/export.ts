/**
 * Exports a space to a branch, as one commit on top of the branch. New commits of the repository are imported first.
 *
 * The first time, and with `force`, there is no common state to merge with: the space wins, and the old files stay in
 * the history. The expected content of the repository is stored before a push, so that a push whose answer was lost is
 * recognized later.
 */

import type { SkippedItem } from "../../../content/book/book";
import { readWrittenFile } from "../../../content/book/previous-tree";
import { recordWrittenBook } from "../../../content/book/record-written";
import { type WrittenBook, writeBook } from "../../../content/book/write-book";
import { createDraft, createStoredView, type FinishedDraft } from "../../../content/revision/draft";
import { type GitChange, GitError } from "../../../git/port";
import { renewRunner } from "../../../jobs/leased-queue";
import { OutdatedError, retryWhileOutdated } from "../../../operation/outdated-error";
import { DIRECTORY } from "../../../storage/ids";
import { Staging } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { findUsersById } from "../../people/users/records";
import { parseOmissionReport } from "../imports/omission-report";
import { createNodeSource, openRevision } from "../revisions/records";
import { createCommonState, hasPushArrived, importBranch, storeSkippedItems } from "./import";
import { isSameFolder, type PendingPush } from "./records";
import { createGitRemote, packExtraFiles, type RemoteBranch, useRemoteBranch } from "./remote";
import {
  createContentTools,
  createRevisionCommit,
  readSyncState,
  type SyncRun,
  type SyncState,
  saveResult,
} from "./run";

/** The most files by which a push is recognized. */
const MAX_PUSH_SIGNS = 50;
/** The most attempts to save the result of a push while others write. */
const MAX_SAVE_ATTEMPTS = 20;

/** Exports a space. Throws `OutdatedError` when it has to start again. */
export async function exportToRepository(run: SyncRun, syncState: SyncState): Promise<void> {
  try {
    return await useRemoteBranch(run, syncState, (remote) => exportToBranch(run, syncState, remote));
  } catch (error) {
    if (!(error instanceof GitError) || error.reason !== "ref_not_found") throw error;
  }
  // The branch does not exist yet: this makes its first commit.
  return exportToBranch(run, syncState, undefined);
}

async function exportToBranch(run: SyncRun, syncState: SyncState, remote: RemoteBranch | undefined): Promise<void> {
  const { jobContext, place, request } = run;
  const { objects, revision, agreed, sync } = syncState;
  if (remote && !request.force && agreed?.commit !== remote.content.commit.oid) {
    const { pushing } = sync;
    const hasArrived = pushing !== undefined && isSameFolder(pushing, request) && hasPushArrived(pushing, remote);
    if (agreed !== undefined || hasArrived) {
      await importBranch(run, syncState, remote, false);
      throw new OutdatedError();
    }
  }
  const written = await writeBook(openRevision(objects, revision), objects, {
    previousTree: remote?.tree,
    directory: request.directory,
    previousView: agreed && createStoredView(createNodeSource(objects), agreed.root),
    runSteps,
  });
  const staging = new Staging(jobContext.store, place.partition, yieldToEventLoop);
  const recorded = await recordWrittenFiles(run, syncState, written, staging);
  const changes: GitChange[] = [
    ...Array.from(written.files, ([path, file]) => ({ path, oid: file.oid, bytes: () => readWrittenFile(file) })),
    ...written.deletedPaths.map((path) => ({ path, bytes: null })),
  ];
  await yieldToEventLoop();

  let pushed: PushedCommit | undefined;
  if (remote) pushed = { oid: remote.content.commit.oid, state: remote.content.state, isNew: false, isSaved: false };
  if (changes.length > 0) {
    // The expected content of the repository is stored before the push.
    const { url, ref, directory } = request;
    const signs = [...written.files].slice(0, MAX_PUSH_SIGNS).map(([path, { oid }]) => [path, oid] as const);
    const pushing: PendingPush = { url, ref, directory, root: recorded.root, signs };
    const runner = renewRunner(run, 2 * jobContext.ports.git.timeoutMs);
    await saveResult(run, syncState, {
      objects: recorded.objects,
      staging: recorded.staging,
      change: () => ({ pushing, runner }),
      progress: { done: 0, total: written.files.size, step: "pushing" },
    });
    const client = await jobContext.ports.git.client();
    const user = (await findUsersById(await jobContext.store.read(DIRECTORY), [request.by])).get(request.by);
    const push = {
      ...createGitRemote(run),
      parent: remote?.content.commit.oid,
      knownState: remote?.content.state,
      changes,
      message: request.message ?? "",
      // Readers of the repository must not learn the user's e-mail address.
      author: { name: user?.displayName || "Octavo", email: `${request.by}@users.octavo.invalid` },
      authoredAt: new Date(request.requestedAt),
    };
    const result = await client.pushRemote(push).catch((error: unknown) => {
      throw error instanceof GitError && error.reason === "diverged" ? new OutdatedError() : error;
    });
    if ("oid" in result) pushed = { ...result, isNew: true, isSaved: true };
    else if (pushed) pushed = { ...pushed, isSaved: true };
  }
  if (pushed) await savePushResult(run, remote, written, recorded, pushed);
  // There is no branch, and nothing to write.
  else await saveResult(run, syncState, { objects: new Map(), change: () => ({}), done: {} });
}

/** A revision that is computed but not saved, and the staging area of its objects. */
interface RecordedDraft extends FinishedDraft {
  readonly staging: Staging;
}

/** Adds to the revision where its parts are in the repository. */
async function recordWrittenFiles(
  run: SyncRun,
  syncState: SyncState,
  written: WrittenBook,
  staging: Staging,
): Promise<RecordedDraft> {
  const source = createNodeSource(staging.overlay(syncState.objects));
  const draft = createDraft(source, syncState.revision.root, runSteps, staging);
  await recordWrittenBook(draft, written, createContentTools(run, syncState));
  return { ...(await draft.finish()), staging };
}

/** A commit that holds everything. */
interface PushedCommit {
  readonly oid: string;
  readonly state: Uint8Array;
  readonly isNew: boolean;
  /** True if the expected content was stored before. */
  readonly isSaved: boolean;
}

async function savePushResult(
  run: SyncRun,
  remote: RemoteBranch | undefined,
  written: WrittenBook,
  recorded: RecordedDraft,
  { oid, state, isNew, isSaved }: PushedCommit,
): Promise<void> {
  const { request, jobContext, place } = run;
  const contentOids = new Set(written.items.map((item) => item.oid));
  await yieldToEventLoop();
  const files = new Map(Array.from(written.files.values(), (file) => [file.oid, () => readWrittenFile(file)]));
  await yieldToEventLoop();
  const extraFiles = await packExtraFiles(remote, contentOids, files);
  const commonState = createCommonState(request, oid, recorded.root, state, extraFiles);
  const message = isNew ? (request.message ?? "") : (remote?.content.commit.message ?? "");
  const git = createRevisionCommit(run, { oid, message }, isNew);
  const saveOnCurrentState = async () => {
    const current = await readSyncState(run);
    // If the expected content was stored, the record names its objects, and the commit reads the record again.
    const staging = isSaved ? new Staging(jobContext.store, place.partition, yieldToEventLoop) : recorded.staging;
    const { root, objects } = await recordWrittenFiles(run, current, written, staging);

    // The export may have begun with an import. Its skipped items come first.
    let skippedItems: readonly SkippedItem[] = written.skipped;
    const { brought } = current.sync;
    if (brought?.request === request.number) {
      const { skipped } = parseOmissionReport(await current.objects.text(brought.skipped));
      const known = new Set(skipped.map(({ resource }) => resource));
      skippedItems = [...skipped, ...written.skipped.filter(({ resource }) => !known.has(resource))];
    }
    const report = storeSkippedItems(skippedItems);
    await saveResult(run, current, {
      shown: { root, git },
      objects: new Map([...(isSaved ? [] : recorded.objects), ...objects, ...commonState.objects, ...report.objects]),
      staging,
      change: ({ conflicts }) => ({
        agreed: commonState.agreed,
        pushing: undefined,
        brought: undefined,
        // Conflicts that this request met have not been reported to anybody yet.
        conflicts: conflicts?.request === request.number ? conflicts : undefined,
      }),
      done: { commit: oid, skipped: report.hash },
    });
  };
  await retryWhileOutdated(jobContext.store, (tries) => tries < MAX_SAVE_ATTEMPTS, saveOnCurrentState);
}
