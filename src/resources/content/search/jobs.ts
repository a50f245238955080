// Updates the search after content has changed: a copy of the index is stored now and then, and the host's engine is
// told of every change.

import { diff } from "../../../content/map";
import { keys, type PageEntry } from "../../../content/revision/entries";
import { everyRow } from "../../../operation/pages";
import type { Parts } from "../../../parts/parts";
import { CODE_LENGTH, organizationId } from "../../../store/ids";
import { name, objectsIn, stage } from "../../../store/objects";
import type { Reader, Transaction } from "../../../store/transaction";
import { type Step, step, type Work } from "../../../work/jobs";
import { nodes } from "../../library/tree/records";
import { nodesOf, type RevisionRecord, revisions } from "../revisions/records";
import { isFoundAlike, searchPages, withIndex } from "./indexes";
import { fed, storedIndexes } from "./records";

/** The space of a job, and its partition. */
type OfSpace = { readonly partition: string; readonly space: string };

/** A new copy is stored after this many pages have changed. */
const WORTH_STORING = 100;

/** Stores a copy of a space's index, if the stored one is far behind. */
export const storeIndex = step<OfSpace>("store-search-index", async (work, { partition, space }) => {
  const { store } = work;
  const view = await store.read(partition);
  const revision = await activeRevision(view, space);
  if (!revision) return;
  const objects = objectsIn(store, work.objects, view);
  const stored = await storedIndexes.get(view, space);
  if (!(await isFarBehind(work, view, stored?.root ?? null, revision.root))) return;
  const bytes = await withIndex(work.parts.search.indexes, objects, stored, revision, (index) => index.dump());
  const staged = await stage(store, partition, bytes);
  await store.write(partition, async (tx) => {
    if (!(await nodes.get(tx, space))) return;
    await name(tx, staged);
    await storedIndexes.put(tx, { space, root: revision.root, object: staged.hash });
  });
});

async function isFarBehind(
  { store, objects }: Work,
  view: Reader,
  before: RevisionRecord["root"],
  after: RevisionRecord["root"],
): Promise<boolean> {
  const source = nodesOf(objectsIn(store, objects, view));
  let changed = 0;
  for await (const _ of diff(source, before, after, { under: keys.pages })) {
    if (++changed >= WORTH_STORING) return true;
  }
  return false;
}

/** Pages that the engine is told of at once. */
const PAGES_A_CALL = 100;

/** Tells the host's engine what has changed in a space since the last time. */
export const feedEngine = step<OfSpace>("feed-search-engine", async (work, { partition, space }) => {
  const { engine } = work.parts.search;
  const { store } = work;
  if (!engine) return;
  const view = await store.read(partition);
  const revision = await activeRevision(view, space);
  const objects = objectsIn(store, work.objects, view);
  const before = (await fed.get(view, space))?.root ?? null;
  const at = { organization: organizationId(partition.slice(-CODE_LENGTH)), space };
  let put: [string, PageEntry][] = [];
  let remove: string[] = [];
  const tell = async () => {
    if (put.length + remove.length > 0) await engine.update(at, { put: await searchPages(objects, put), remove });
    [put, remove] = [[], []];
  };
  for await (const change of diff(nodesOf(objects), before, revision?.root ?? null, { under: keys.pages })) {
    const id = change.key.slice(keys.pages.length);
    const page = change.after as PageEntry | undefined;
    if (!page) remove.push(id);
    else if (!isFoundAlike(change.before as PageEntry | undefined, page)) put.push([id, page]);
    if (put.length + remove.length >= PAGES_A_CALL) await tell();
  }
  await tell();
  await store.write(partition, async (tx) => {
    if (revision) await fed.put(tx, { space, root: revision.root });
    else await fed.delete(tx, space);
  });
});

async function activeRevision(view: Reader, space: string): Promise<RevisionRecord | undefined> {
  const node = await nodes.get(view, space);
  return node?.type === "space" && node.deletedAt === null ? revisions.get(view, space, node.revision) : undefined;
}

/** Every this many revisions it is checked whether a copy is due. */
const LOOK_EVERY = 16;
/** The delay after a change, because another change is likely to follow. */
const LOOK_AFTER_MS = 10_000;

/** Schedules what a new revision needs: at once for the host's engine, otherwise by `maintain()`. */
export function followRevision(
  { later, parts, now }: Later,
  at: OfSpace,
  revision: Pick<RevisionRecord, "number">,
): void {
  if (parts.search.engine) later(feedEngine, at);
  else if (revision.number % LOOK_EVERY === 0) later(storeIndex, at, new Date(now.getTime() + LOOK_AFTER_MS));
}

interface Later {
  readonly later: (step: Step<OfSpace>, payload: OfSpace, when?: Date) => void;
  readonly parts: Parts;
  readonly now: Date;
}

/** Removes the search data of a space that has left the partition. */
export async function dropIndex(tx: Transaction, space: string): Promise<void> {
  await storedIndexes.delete(tx, space);
}

/** The index copies of a partition. */
export async function indexObjects(view: Reader): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { record } of everyRow((slice) => storedIndexes.list(view, "all", slice))) found.add(record.object);
  return found;
}
