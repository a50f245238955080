// Imports a branch into a space. The changes of the repository since the last common state are merged into the current
// content. Where both changed the same thing, the space wins, and the repository's version is kept as a separate
// revision. The first time, and with `force`, there is no common state: the repository wins.

import { applyBook } from "../../../content/book/apply-book";
import type { SkippedItem } from "../../../content/book/book";
import { hashText } from "../../../content/book/hashes";
import { readBook } from "../../../content/book/read-book";
import { loadKnownFiles } from "../../../content/book/revision-contents";
import { type MergeConflict, mergeRevisions } from "../../../content/merge";
import type { MapRoot } from "../../../content/prolly-tree";
import { createDraft, createStoredView, type FinishedDraft } from "../../../content/revision/draft";
import type { GitSkippedEntry } from "../../../git/port";
import { hashBytes, Staging } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { toldOf } from "../imports/report";
import { createNodeSource } from "../revisions/records";
import { type Agreed, isSameFolder, type KnownConflict, type Pushing } from "./records";
import { pack, type Remote } from "./remote";
import { type Came, gitOf, type Moment, type Run, reportGit, save, toolsOf } from "./run";

/** The content of the repository as a revision, based on the previous one. */
interface Theirs extends FinishedDraft {
  readonly skipped: readonly SkippedItem[];
  /** The names that Git has for its texts and files. */
  readonly oids: ReadonlySet<string>;
}

/** Imports a branch that was read. An export that finds new commits begins with this; then `isDone` is false. */
export async function importFrom(run: Run, moment: Moment, remote: Remote, isDone: boolean): Promise<void> {
  const { request } = run;
  const { revision, agreed } = moment;
  const { commit } = remote.content;
  const [force, standalone] = isDone ? [request.force, request.standalone] : [false, false];
  if (agreed?.commit === commit.oid && !force && !standalone) {
    await save(run, moment, {
      objects: new Map(),
      change: () => ({}),
      ...omitUndefined({ done: isDone ? { commit: commit.oid } : undefined }),
    });
    return;
  }
  const base = baseOf(moment, run, remote, force);
  const staging = new Staging(run.jobContext.store, run.place.partition, () => yieldToEventLoop());
  const total = remote.content.files.length;
  staging.onAnnounce = (tx) => reportGit(run, tx, { done: Math.min(remote.asked.size, total), total, step: "reading" });
  const objects = staging.overlay(moment.objects);
  const theirs = await layOnto(base ?? revision.root, run, { ...moment, objects }, remote, staging);
  const git = gitOf(run, commit, false);
  const told = toldIn(theirs.skipped);
  const skipped = told.hash;
  const done = isDone ? { done: { commit: commit.oid, skipped } } : {};
  if (standalone) {
    const aside = { root: theirs.root, git };
    await save(run, moment, { aside, objects: told.objects, staging, change: () => ({}), ...done });
    return;
  }
  const merged = await mergedWith(base, theirs, run, { ...moment, objects }, staging);
  const { conflicts } = merged;
  const point = await agreedOn(run, remote, theirs);
  await save(run, moment, {
    shown: { root: merged.root, git },
    ...omitUndefined({ aside: conflicts.length > 0 ? { root: theirs.root, git } : undefined }),
    objects: new Map([...merged.objects, ...point.objects, ...told.objects]),
    staging,
    change: (_, made) => ({
      agreed: point.agreed,
      pushing: undefined,
      brought: isDone || skipped === undefined ? undefined : { request: request.number, skipped },
      ...omitUndefined({ conflicts: conflicts.length > 0 ? met(conflicts, made.aside!, request.number) : undefined }),
    }),
    ...done,
  });
}

/** The common state of both sides; undefined: nothing is merged. */
function baseOf({ agreed, sync }: Moment, { request }: Run, remote: Remote, force: boolean): MapRoot | undefined {
  if (force) return undefined;
  const { pushing } = sync;
  if (pushing && isSameFolder(pushing, request) && hasArrived(pushing, remote)) return pushing.root;
  return agreed?.root;
}

/**
 * Whether the branch contains a push of ours whose answer was lost. Others may have committed on top of it since, or
 * may have made some of the same changes.
 */
export function hasArrived({ signs }: Pushing, { content }: Remote): boolean {
  const oids = new Map(content.files.map(({ path, oid }) => [path, oid]));
  const found = signs.filter(([path, oid]) => oids.get(path) === oid);
  return found.length > signs.length / 2;
}

async function layOnto(root: MapRoot, run: Run, moment: Moment, remote: Remote, outlet: Staging): Promise<Theirs> {
  const source = createNodeSource(moment.objects);
  const tools = toolsOf(run, moment);
  const directory = run.request.directory;
  const { runSteps } = tools;
  const book = await readBook(remote.tree, {
    directory,
    known: await loadKnownFiles(createStoredView(source, root), runSteps),
    runSteps,
  });
  const draft = createDraft(source, root, runSteps, outlet);
  const { skipped, oids } = await applyBook(draft, book, tools);
  const leftOut = remote.content.skippedEntries.map(({ path, reason: why }) => ({
    resource: path,
    reason: LEFT_OUT[why],
  }));
  return { ...(await draft.finish()), skipped: [...leftOut, ...book.skipped, ...skipped], oids };
}

/** Why entries of a repository are no files here. */
const LEFT_OUT: { readonly [why in GitSkippedEntry["reason"]]: string } = {
  not_text: "Its name is not in UTF-8.",
  forbidden_character: "Its name has a character that no path here may have.",
  too_long: "Its name is too long.",
};

/** What was skipped, as it is stored, by the hash that names it. */
export function toldIn(skipped: readonly SkippedItem[]): {
  readonly hash: string | undefined;
  readonly objects: ReadonlyMap<string, string>;
} {
  const text = toldOf(skipped, []);
  if (text === undefined) return { hash: undefined, objects: new Map() };
  const hash = hashText(text);
  return { hash, objects: new Map([[hash, text]]) };
}

async function mergedWith(base: MapRoot | undefined, theirs: Theirs, run: Run, moment: Moment, outlet: Staging) {
  const { revision, objects } = moment;
  const nothing: Pick<Came, "objects"> & { readonly conflicts: readonly MergeConflict[] } = {
    objects: new Map(),
    conflicts: [],
  };
  if (base === undefined || base === revision.root) return { root: theirs.root, ...nothing };
  if (theirs.root === base) return { root: revision.root, ...nothing };
  const tools = { now: run.jobContext.store.now().toISOString(), readText: objects.text, runSteps, outlet };
  const roots = { base, ours: revision.root, theirs: theirs.root };
  const { draft, conflicts } = await mergeRevisions(createNodeSource(objects), roots, tools);
  const merged = await draft.finish();
  return { root: merged.root, objects: merged.objects, conflicts };
}

/** The new common state: the content of the repository. */
async function agreedOn({ request }: Run, remote: Remote, { root, oids }: Theirs) {
  const { commit, state } = remote.content;
  return pointOf(request, commit.oid, root, state, await pack(remote, oids));
}

/** A common state, and the objects that it needs. */
export function pointOf(
  { url, ref, directory }: Run["request"],
  commit: string,
  root: MapRoot,
  state: Uint8Array,
  kept: string,
): { readonly agreed: Agreed; readonly objects: ReadonlyMap<string, Uint8Array | string> } {
  const [stateHash, keptHash] = [hashBytes(state), hashText(kept)];
  return {
    agreed: { url, ref, directory, commit, root, state: stateHash, kept: keptHash },
    objects: new Map<string, Uint8Array | string>([
      [stateHash, state],
      [keptHash, kept],
    ]),
  };
}

/** The most conflicts that are listed. */
const MAX_TOLD = 100;

function met(conflicts: readonly MergeConflict[], revision: string, request: number) {
  const list = conflicts.slice(0, MAX_TOLD).map(({ base: _, ours: __, theirs: ___, ...it }): KnownConflict => it);
  return { revision, count: conflicts.length, list, request };
}
