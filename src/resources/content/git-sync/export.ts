// Exports a space to a branch, as one commit on top of the branch. New commits of the repository are imported first.
// The first time, and with `force`, there is no common state to merge with: the space wins, and the old files stay in
// the history. Before a push the expected content of the repository is stored. So a push that succeeded without an
// answer is recognized later.

import type { SkippedItem } from "../../../content/book/book";
import { readWrittenFile } from "../../../content/book/previous-tree";
import { recordWrittenBook } from "../../../content/book/record-written";
import { type WrittenBook, writeBook } from "../../../content/book/write-book";
import { createDraft, createStoredView, type FinishedDraft } from "../../../content/revision/draft";
import { type GitChange, GitError, type GitPushResult } from "../../../git/port";
import { renewRunner } from "../../../jobs/leased-queue";
import { OutdatedError, retryWhileOutdated } from "../../../operation/outdated-error";
import { DIRECTORY } from "../../../storage/ids";
import { Staging } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { findUsersById } from "../../people/users/records";
import { readTold } from "../imports/told";
import { createNodeSource, openRevision } from "../revisions/records";
import { hasArrived, importFrom, pointOf, toldIn } from "./import";
import { isSameFolder, type Pushing } from "./records";
import { gitPlaceOf, pack, type Remote, withRemote } from "./remote";
import { gitOf, look, type Moment, type Run, save, toolsOf } from "./run";

/** Exports a space. Throws `OutdatedError` when it has to start again. */
export async function exportTo(run: Run, moment: Moment): Promise<void> {
  try {
    return await withRemote(run, moment, (remote) => exportOnto(run, moment, remote));
  } catch (error) {
    if (!(error instanceof GitError) || error.reason !== "ref_not_found") throw error;
  }
  // The first commit of the branch.
  return exportOnto(run, moment, undefined);
}

async function exportOnto(run: Run, moment: Moment, remote: Remote | undefined): Promise<void> {
  if (remote && isImportedFirst(run, moment, remote)) {
    await importFrom(run, moment, remote, false);
    throw new OutdatedError();
  }
  const { objects, revision, agreed } = moment;
  const written = await writeBook(openRevision(objects, revision), objects, {
    previousTree: remote?.tree,
    directory: run.request.directory,
    previousView: agreed && createStoredView(createNodeSource(objects), agreed.root),
    runSteps,
  });
  const kept = await keeping(run, moment, written, stagingOf(run));
  const pushed = await bringThere(run, moment, remote, written, kept);
  if (pushed) await settle(run, remote, written, kept, pushed);
  else await save(run, moment, { objects: new Map(), change: () => ({}), done: {} });
}

function isImportedFirst({ request }: Run, { agreed, sync: { pushing } }: Moment, remote: Remote): boolean {
  if (request.force || agreed?.commit === remote.content.commit.oid) return false;
  return (
    agreed !== undefined || (pushing !== undefined && isSameFolder(pushing, request) && hasArrived(pushing, remote))
  );
}

/** A revision that is computed but not saved, and where its objects wait for that. */
interface Kept extends FinishedDraft {
  readonly staging: Staging;
}

function stagingOf({ jobContext, place: at }: Run): Staging {
  return new Staging(jobContext.store, at.partition, yieldToEventLoop);
}

/** The revision fields that say where its parts are in the repository. */
async function keeping(run: Run, moment: Moment, written: WrittenBook, staging: Staging): Promise<Kept> {
  const draft = createDraft(createNodeSource(staging.overlay(moment.objects)), moment.revision.root, runSteps, staging);
  await recordWrittenBook(draft, written, toolsOf(run, moment));
  return { ...(await draft.finish()), staging };
}

/** A commit that holds everything. */
interface Brought {
  readonly oid: string;
  readonly state: Uint8Array;
  readonly isNew: boolean;
  /** Whether the expected content was stored on the way. */
  readonly isSaved: boolean;
}

/** The commit that holds everything; undefined when there is no branch and nothing to write. */
async function bringThere(
  run: Run,
  moment: Moment,
  remote: Remote | undefined,
  written: WrittenBook,
  kept: Kept,
): Promise<Brought | undefined> {
  const tip = remote && { oid: remote.content.commit.oid, state: remote.content.state, isNew: false, isSaved: false };
  const changes = changesOf(written);
  await yieldToEventLoop();
  if (changes.length === 0) return tip;
  await announce(run, moment, written, kept);
  const result = await push(run, remote, changes);
  const isSaved = true;
  return "oid" in result ? { ...result, isNew: true, isSaved } : tip && { ...tip, isSaved };
}

function changesOf({ files, deletedPaths: deleted }: WrittenBook): GitChange[] {
  return [
    ...Array.from(files, ([path, file]) => ({ path, oid: file.oid, bytes: () => readWrittenFile(file) })),
    ...deleted.map((path) => ({ path, bytes: null })),
  ];
}

/** The most files by which a push is recognized. */
const MAX_SIGNS = 50;

/** Stores the expected content of the repository. */
async function announce(run: Run, moment: Moment, { files }: WrittenBook, kept: Kept): Promise<void> {
  const { jobContext, request } = run;
  const { url, ref, directory } = request;
  const signs = [...files].slice(0, MAX_SIGNS).map(([path, { oid }]) => [path, oid] as const);
  const pushing: Pushing = { url, ref, directory, root: kept.root, signs };
  const runner = renewRunner(run, 2 * jobContext.ports.git.timeoutMs);
  const progress = { done: 0, total: files.size, step: "pushing" };
  const change = () => ({ pushing, runner });
  await save(run, moment, { objects: kept.objects, staging: kept.staging, change, progress });
}

async function push(run: Run, remote: Remote | undefined, changes: readonly GitChange[]): Promise<GitPushResult> {
  const { request, jobContext } = run;
  const client = await jobContext.ports.git.client();
  const user = (await findUsersById(await jobContext.store.read(DIRECTORY), [request.by])).get(request.by);
  try {
    return await client.pushRemote({
      ...gitPlaceOf(run),
      parent: remote?.content.commit.oid,
      knownState: remote?.content.state,
      changes,
      message: request.message ?? "",
      // Readers of the repository must not learn the user's e-mail address.
      author: { name: user?.displayName || "Octavo", email: `${request.by}@users.octavo.invalid` },
      authoredAt: new Date(request.requestedAt),
    });
  } catch (error) {
    if (error instanceof GitError && error.reason === "diverged") throw new OutdatedError();
    throw error;
  }
}

/** How often saving the result of a push is tried while others write. */
const ATTEMPTS = 20;

/** Saves the result of a push, on the current state of the space. */
async function settle(
  run: Run,
  remote: Remote | undefined,
  written: WrittenBook,
  kept: Kept,
  { oid, state, isNew, isSaved }: Brought,
): Promise<void> {
  const standings = new Set(written.items.map((stand) => stand.oid));
  await yieldToEventLoop();
  const files = new Map(Array.from(written.files.values(), (file) => [file.oid, () => readWrittenFile(file)]));
  await yieldToEventLoop();
  const point = pointOf(run.request, oid, kept.root, state, await pack(remote, standings, files));
  const message = isNew ? (run.request.message ?? "") : (remote?.content.commit.message ?? "");
  const git = gitOf(run, { oid, message }, isNew);
  await retryWhileOutdated(
    run.jobContext.store,
    (tries) => tries < ATTEMPTS,
    async () => {
      const moment = await look(run);
      // What was announced is named by the record, which is read again in the commit.
      const staging = isSaved ? stagingOf(run) : kept.staging;
      const { root, objects } = await keeping(run, moment, written, staging);
      const told = toldIn(await allSkipped(run, moment, written));
      await save(run, moment, {
        shown: { root, git },
        objects: new Map([...(isSaved ? [] : kept.objects), ...objects, ...point.objects, ...told.objects]),
        staging,
        change: ({ conflicts }) => ({
          agreed: point.agreed,
          pushing: undefined,
          brought: undefined,
          // Those that this request met are not told to anybody yet.
          conflicts: conflicts?.request === run.request.number ? conflicts : undefined,
        }),
        done: { commit: oid, skipped: told.hash },
      });
    },
  );
}

/** What was passed over: by the import that the export began with, and while the files were written. */
async function allSkipped(
  { request }: Run,
  { sync, objects }: Moment,
  written: WrittenBook,
): Promise<readonly SkippedItem[]> {
  const { brought } = sync;
  if (brought?.request !== request.number) return written.skipped;
  const { skipped } = readTold(await objects.text(brought.skipped));
  const known = new Set(skipped.map(({ resource }) => resource));
  return [...skipped, ...written.skipped.filter(({ resource }) => !known.has(resource))];
}
