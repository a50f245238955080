/**
 * Imports a branch into a space. The changes of the repository since the last common state are merged into the current
 * content.
 *
 * If both sides changed the same text, the space wins, and the repository's version is kept as a separate revision.
 * The first time, and with `force`, there is no common state: the repository wins.
 */

import { applyBook } from "../../../content/book/apply-book";
import type { SkippedItem } from "../../../content/book/book";
import { hashText } from "../../../content/book/hashes";
import { readBook } from "../../../content/book/read-book";
import { loadKnownFiles } from "../../../content/book/revision-contents";
import { type MergeConflict, mergeRevisions } from "../../../content/merge";
import type { MapRoot } from "../../../content/prolly-tree";
import { createDraft, createStoredView, type FinishedDraft } from "../../../content/revision/draft";
import type { GitSkippedEntry } from "../../../git/port";
import { Staging } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { serializeOmissionReport } from "../imports/report";
import { createNodeSource } from "../revisions/records";
import { type CommonState, isSameFolder, type PendingPush, type StoredConflict } from "./records";
import { packExtraFiles, type RemoteBranch } from "./remote";
import {
  createContentTools,
  createRevisionCommit,
  reportSyncProgress,
  type SyncRun,
  type SyncState,
  saveResult,
} from "./run";

const MAX_LISTED_CONFLICTS = 100;

/** The reasons for which entries of a repository cannot be files of a space. */
const SKIP_REASONS: { readonly [reason in GitSkippedEntry["reason"]]: string } = {
  not_text: "Its name is not in UTF-8.",
  forbidden_character: "Its name contains a character that isn't allowed in paths.",
  too_long: "Its name is too long.",
};

/** Imports a branch that was read. `isDone` is false for an import that an export begins with. */
export async function importBranch(
  run: SyncRun,
  syncState: SyncState,
  remote: RemoteBranch,
  isDone: boolean,
): Promise<void> {
  const { request, jobContext, place } = run;
  const { revision, agreed, sync } = syncState;
  const { commit, files, state } = remote.content;
  const [force, standalone] = isDone ? [request.force, request.standalone] : [false, false];
  if (agreed?.commit === commit.oid && !force && !standalone) {
    const done = isDone ? { commit: commit.oid } : undefined;
    await saveResult(run, syncState, { objects: new Map(), change: () => ({}), ...omitUndefined({ done }) });
    return;
  }

  // Without a common state, nothing is merged.
  let base: MapRoot | undefined;
  if (!force) {
    const { pushing } = sync;
    const hasArrived = pushing && isSameFolder(pushing, request) && hasPushArrived(pushing, remote);
    base = hasArrived ? pushing.root : agreed?.root;
  }

  const staging = new Staging(jobContext.store, place.partition, () => yieldToEventLoop());
  const total = files.length;
  staging.onAnnounce = (tx) =>
    reportSyncProgress(run, tx, { done: Math.min(remote.readOids.size, total), total, step: "reading" });
  const stagedState: SyncState = { ...syncState, objects: staging.overlay(syncState.objects) };
  const theirs = await applyBranch(base ?? revision.root, run, stagedState, remote, staging);
  const git = createRevisionCommit(run, commit, false);
  const report = storeSkippedItems(theirs.skipped);
  const skipped = report.hash;
  const done = isDone ? { commit: commit.oid, skipped } : undefined;
  if (standalone) {
    const aside = { root: theirs.root, git };
    const result = { aside, objects: report.objects, staging, change: () => ({}), ...omitUndefined({ done }) };
    await saveResult(run, syncState, result);
    return;
  }
  // Merge the changes of the repository since `base` into the current content.
  let merged: Pick<FinishedDraft, "root" | "objects"> = { root: theirs.root, objects: new Map() };
  let conflicts: readonly MergeConflict[] = [];
  if (base !== undefined && base !== revision.root && base === theirs.root) merged = { ...merged, root: revision.root };
  else if (base !== undefined && base !== revision.root) {
    const { objects } = stagedState;
    const tools = { now: jobContext.store.now().toISOString(), readText: objects.text, runSteps, outlet: staging };
    const roots = { base, ours: revision.root, theirs: theirs.root };
    const result = await mergeRevisions(createNodeSource(objects), roots, tools);
    conflicts = result.conflicts;
    merged = await result.draft.finish();
  }
  const extraFiles = await packExtraFiles(remote, theirs.oids);
  const commonState = createCommonState(request, commit.oid, theirs.root, state, extraFiles);
  const hasConflicts = conflicts.length > 0;
  const list = conflicts
    .slice(0, MAX_LISTED_CONFLICTS)
    .map(({ base: _, ours: __, theirs: ___, ...conflict }): StoredConflict => conflict);
  await saveResult(run, syncState, {
    shown: { root: merged.root, git },
    ...omitUndefined({ aside: hasConflicts ? { root: theirs.root, git } : undefined }),
    objects: new Map([...merged.objects, ...commonState.objects, ...report.objects]),
    staging,
    change: (_, created) => ({
      agreed: commonState.agreed,
      pushing: undefined,
      brought: isDone || skipped === undefined ? undefined : { request: request.number, skipped },
      ...omitUndefined({
        conflicts: hasConflicts
          ? { revision: created.aside!, count: conflicts.length, list, request: request.number }
          : undefined,
      }),
    }),
    ...omitUndefined({ done }),
  });
}

/**
 * Checks whether the branch contains a push of ours whose answer was lost. Others may have committed on top of it since,
 * or may have made some of the same changes.
 */
export function hasPushArrived({ signs }: PendingPush, { content }: RemoteBranch): boolean {
  const oids = new Map(content.files.map(({ path, oid }) => [path, oid]));
  const found = signs.filter(([path, oid]) => oids.get(path) === oid);
  return found.length > signs.length / 2;
}

/** Turns the files of a branch into a revision, based on the revision `root`. */
async function applyBranch(root: MapRoot, run: SyncRun, syncState: SyncState, remote: RemoteBranch, staging: Staging) {
  const source = createNodeSource(syncState.objects);
  const tools = createContentTools(run, syncState);
  const book = await readBook(remote.tree, {
    directory: run.request.directory,
    known: await loadKnownFiles(createStoredView(source, root), tools.runSteps),
    runSteps: tools.runSteps,
  });
  const draft = createDraft(source, root, tools.runSteps, staging);
  const { skipped, oids } = await applyBook(draft, book, tools);
  const skippedEntries = remote.content.skippedEntries.map(({ path, reason }) => ({
    resource: path,
    reason: SKIP_REASONS[reason],
  }));
  return { ...(await draft.finish()), skipped: [...skippedEntries, ...book.skipped, ...skipped], oids };
}

/** Serializes the report of skipped items as an object. Without skipped items, the hash is undefined. */
export function storeSkippedItems(skipped: readonly SkippedItem[]): {
  readonly hash: string | undefined;
  readonly objects: ReadonlyMap<string, string>;
} {
  const text = serializeOmissionReport(skipped, []);
  if (text === undefined) return { hash: undefined, objects: new Map() };
  const hash = hashText(text);
  return { hash, objects: new Map([[hash, text]]) };
}

export function createCommonState(
  { url, ref, directory }: SyncRun["request"],
  commit: string,
  root: MapRoot,
  state: Uint8Array,
  extraFiles: string,
): { readonly agreed: CommonState; readonly objects: ReadonlyMap<string, Uint8Array | string> } {
  const [stateHash, extraFilesHash] = [sha256Hex(state), hashText(extraFiles)];
  return {
    agreed: { url, ref, directory, commit, root, state: stateHash, kept: extraFilesHash },
    objects: new Map<string, Uint8Array | string>([
      [stateHash, state],
      [extraFilesHash, extraFiles],
    ]),
  };
}
