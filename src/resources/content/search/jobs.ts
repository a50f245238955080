// Updates the search after content has changed: a copy of the index is stored now and then, and the host's engine is
// told of every change.

import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { SearchPage } from "../../../content/search";
import { defineJob, type JobContext, type JobType } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import type { Ports } from "../../../ports/ports";
import type { SearchEngine } from "../../../ports/search-engine";
import { CODE_LENGTH, formatOrganizationId } from "../../../storage/ids";
import { addStagedObject, type Objects, openObjects, stageObject } from "../../../storage/objects";
import type { Reader, Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { nodes } from "../../library/tree/records";
import { createNodeSource, type RevisionRecord, revisions } from "../revisions/records";
import { bringComputed, computedIn, NO_PAGES, readKnown, writtenKnown } from "./computed-pages";
import { isFoundAlike, searchPages, withIndex } from "./indexes";
import { fed, storedIndexes, storedPools } from "./records";
import { dropFromPools } from "./stored-pools";

/** The space of a job, and its partition. */
type OfSpace = { readonly partition: string; readonly space: string };

/** A new copy is stored after this many pages have changed. */
const WORTH_STORING = 100;

/** Stores a copy of a space's index, if the stored one is far behind. */
export const storeIndex = defineJob<OfSpace>("store-search-index", async (work, { partition, space }) => {
  const { store } = work;
  const tx = await store.read(partition);
  const revision = await activeRevision(tx, space);
  if (!revision) return;
  const stored = await storedIndexes.get(tx, space);
  if (!(await isFarBehind(work, tx, stored?.root ?? null, revision.root))) return;
  const sources = {
    tx,
    objects: openObjects(store, work.objects, tx),
    peek: store.read,
    jobContext: work,
    revision,
    me: undefined,
  };
  const { computed } = await computedIn(sources, () => true);
  await withIndex({ ...sources, partition }, { space, root: revision.root, computed }, () => {}, true);
});

async function isFarBehind(
  { store, objects }: JobContext,
  view: Reader,
  before: RevisionRecord["root"],
  after: RevisionRecord["root"],
): Promise<boolean> {
  const source = createNodeSource(openObjects(store, objects, view));
  let changed = 0;
  for await (const _ of diffMaps(source, before, after, { under: keys.pages })) {
    if (++changed >= WORTH_STORING) return true;
  }
  return false;
}

/** Pages that the engine is told of at once. */
const PAGES_A_CALL = 100;

/** Tells the host's engine what has changed in a space since the last time. */
export const feedEngine = defineJob<OfSpace>("feed-search-engine", async (work, { partition, space }) => {
  const { engine } = work.ports.search;
  const { store } = work;
  if (!engine) return;
  const tx = await store.read(partition);
  const revision = await activeRevision(tx, space);
  const objects = openObjects(store, work.objects, tx);
  const before = await fed.get(tx, space);
  const at = { organization: formatOrganizationId(partition.slice(-CODE_LENGTH)), space };
  const batch = createBatch((change) => engine.update(at, change));
  let put: [string, PageEntry][] = [];
  const flush = async () => {
    for (const { page } of await searchPages(objects, put)) await batch.put(page);
    put = [];
  };
  const root = revision?.root ?? null;
  for await (const change of diffMaps(createNodeSource(objects), before?.root ?? null, root, { under: keys.pages })) {
    const id = change.key.slice(keys.pages.length);
    const page = change.after as PageEntry | undefined;
    if (!page) await batch.remove(id);
    else if (!isFoundAlike(change.before as PageEntry | undefined, page)) put.push([id, page]);
    if (put.length >= PAGES_A_CALL) await flush();
  }
  await flush();
  const known = await readKnown(objects, before?.computed);
  const sources = { tx, objects, peek: store.read, jobContext: work, me: undefined };
  const { computed } = revision ? await computedIn({ ...sources, revision }, () => true) : { computed: NO_PAGES };
  const fedNow = writtenKnown(await bringComputed(known, computed, batch));
  await batch.end();
  const staged = fedNow && (await stageObject(store, partition, fedNow));
  await store.write(partition, async (tx) => {
    if (!revision) return fed.delete(tx, space);
    if (staged) await addStagedObject(tx, staged);
    await fed.put(tx, { space, root: revision.root, ...omitUndefined({ computed: staged?.hash }) });
  });
});

/** Collects changes for the engine, and tells it some at once. */
function createBatch(tell: (change: Parameters<SearchEngine["update"]>[1]) => Promise<void>) {
  let put: SearchPage[] = [];
  let remove: string[] = [];
  const end = async () => {
    if (put.length + remove.length > 0) await tell({ put, remove });
    [put, remove] = [[], []];
  };
  const endIfFull = async () => {
    if (put.length + remove.length >= PAGES_A_CALL) await end();
  };
  return {
    put: (page: SearchPage) => {
      put.push(page);
      return endIfFull();
    },
    remove: (id: string) => {
      remove.push(id);
      return endIfFull();
    },
    end,
  };
}

/** Tells the host's engine of the computed pages of an organization, after something has changed that they come from. */
export const feedComputed = defineJob<InPartition>(
  "feed-computed-pages",
  async (work, { partition }, mayGoOn) => {
    const view = await work.store.read(partition);
    let done = 0;
    for await (const { record } of iterateRows((slice) => fed.list(view, "withComputed", slice))) {
      await feedEngine.run(work, { partition, space: record.space });
      // What is done is not done again: the engine is told only what differs.
      if (!((await mayGoOn?.({ done: ++done, step: "indexing" })) ?? true)) return true;
    }
    return false;
  },
  { isLong: true },
);

type InPartition = { readonly partition: string };

/** Schedules what a change needs of something that pages are computed from. */
export function followComputed(
  { ports }: Pick<JobContext, "ports">,
  later: (step: JobType<InPartition>, payload: InPartition) => void,
  partition: string,
): void {
  if (ports.search.engine) later(feedComputed, { partition });
}

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
  { enqueueJob, ports, now }: Later,
  at: OfSpace,
  revision: Pick<RevisionRecord, "number">,
): void {
  if (ports.search.engine) enqueueJob(feedEngine, at);
  else if (revision.number % LOOK_EVERY === 0) enqueueJob(storeIndex, at, new Date(now.getTime() + LOOK_AFTER_MS));
}

interface Later {
  readonly enqueueJob: (step: JobType<OfSpace>, payload: OfSpace, when?: Date) => void;
  readonly ports: Ports;
  readonly now: Date;
}

/** Removes the search data of a space that has left the partition. */
export async function dropIndex(work: JobContext, tx: Transaction, space: string): Promise<void> {
  await storedIndexes.delete(tx, space);
  await dropFromPools(work, tx, space);
}

/** Tells the copies of indexes and pools of a partition, and the lists of computed pages that were searched or told. */
export async function indexObjects(view: Reader, _: Objects, tell: (hash: string) => void): Promise<void> {
  for await (const { record } of iterateRows((slice) => storedIndexes.list(view, "all", slice))) {
    tell(record.object);
    if (record.computed !== undefined) tell(record.computed);
  }
  for await (const { record } of iterateRows((slice) => storedPools.list(view, "all", slice))) {
    tell(record.index);
    tell(record.spaces);
  }
  for await (const { record } of iterateRows((slice) => fed.list(view, "withComputed", slice))) tell(record.computed!);
}
