// The jobs that update search after content has changed: they save a snapshot of the index from time to time, or send every change to
// the host's search engine.

import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { SearchPage } from "../../../content/search";
import { defineJob, type JobType } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import type { Ports } from "../../../ports/ports";
import { CODE_LENGTH, formatOrganizationId } from "../../../storage/ids";
import { addStagedObject, type Objects, openObjects, stageObject } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { nodes } from "../../library/tree/records";
import { createNodeSource, type RevisionRecord, revisions } from "../revisions/records";
import { engineStates, storedIndexes, storedPools } from "./records";

const loadIndexes = loadLazily(() => import("./indexes"));

type SearchJobPayload = { readonly partition: string; readonly space: string };

/** A new snapshot is saved after this many pages have changed. */
const SNAPSHOT_MIN_CHANGES = 100;
/** Every this many revisions it is checked whether a snapshot is due. */
const REVISIONS_PER_SNAPSHOT_CHECK = 16;
/** The delay after a change, because another change is likely to follow. */
const SNAPSHOT_CHECK_DELAY_MS = 10_000;
/** Pages that the engine gets at once. */
const PAGES_PER_CALL = 100;

/** The job that saves a snapshot of a space's index, if the last one is far behind. */
export const storeIndex = defineJob<SearchJobPayload>(
  "store-search-index",
  async (jobContext, { partition, space }) => {
    const { store } = jobContext;
    const tx = await store.read(partition);
    const revision = await findActiveRevision(tx, space);
    if (!revision) return;
    const stored = await storedIndexes.get(tx, space);
    const objects = openObjects(store, jobContext.objects, tx);
    let changes = 0;
    const pages = { under: keys.pages };
    for await (const _ of diffMaps(createNodeSource(objects), stored?.root ?? null, revision.root, pages))
      if (++changes >= SNAPSHOT_MIN_CHANGES) break;
    if (changes < SNAPSHOT_MIN_CHANGES) return;
    const { querySpaceIndex, readComputedPages } = await loadIndexes();
    const context = { tx, objects, peek: store.read, jobContext, revision, me: undefined };
    const { computed } = await readComputedPages(context, () => true);
    const target = { space, root: revision.root, computed };
    await querySpaceIndex({ ...context, partition }, target, () => {}, { forceSnapshot: true });
  },
);

/** The job that sends the changes of a space since the last time to the host's engine. */
export const feedEngine = defineJob<SearchJobPayload>(
  "feed-search-engine",
  async (jobContext, { partition, space }) => {
    const { engine } = jobContext.ports.search;
    const { store } = jobContext;
    if (!engine) return;
    const indexes = await loadIndexes();
    const tx = await store.read(partition);
    const revision = await findActiveRevision(tx, space);
    const objects = openObjects(store, jobContext.objects, tx);
    const before = await engineStates.get(tx, space);
    const scope = { organization: formatOrganizationId(partition.slice(-CODE_LENGTH)), space };
    // The engine gets many changes at once.
    let put: SearchPage[] = [];
    let remove: string[] = [];
    const batch = {
      async put(page: SearchPage) {
        put.push(page);
        await batch.send(PAGES_PER_CALL);
      },
      async remove(id: string) {
        remove.push(id);
        await batch.send(PAGES_PER_CALL);
      },
      async send(minChanges: number) {
        if (put.length + remove.length < minChanges) return;
        await engine.update(scope, { put, remove });
        [put, remove] = [[], []];
      },
    };
    let changed: [string, PageEntry][] = [];
    const flush = async () => {
      for (const { page } of await indexes.readSearchPages(objects, changed)) await batch.put(page);
      changed = [];
    };
    const root = revision?.root ?? null;
    for await (const change of diffMaps(createNodeSource(objects), before?.root ?? null, root, { under: keys.pages })) {
      const id = change.key.slice(keys.pages.length);
      const page = change.after as PageEntry | undefined;
      if (!page) await batch.remove(id);
      else if (!indexes.hasSameSearchText(change.before as PageEntry | undefined, page)) changed.push([id, page]);
      if (changed.length >= PAGES_PER_CALL) await flush();
    }
    await flush();
    const indexed = await indexes.readIndexedPages(objects, before?.computed);
    const context = { tx, objects, peek: store.read, jobContext, me: undefined };
    const { computed } = revision
      ? await indexes.readComputedPages({ ...context, revision }, () => true)
      : { computed: indexes.NO_PAGES };
    const serialized = indexes.serializeIndexedPages(await indexes.updateComputedPages(indexed, computed, batch));
    await batch.send(1);
    const staged = serialized && (await stageObject(store, partition, serialized));
    await store.write(partition, async (tx) => {
      if (!revision) return engineStates.delete(tx, space);
      if (staged) await addStagedObject(tx, staged);
      await engineStates.put(tx, { space, root: revision.root, ...omitUndefined({ computed: staged?.hash }) });
    });
  },
);

/** The job that sends the changed computed pages of an organization to the host's engine, after their source has changed. */
export const feedComputed = defineJob<{ readonly partition: string }>(
  "feed-computed-pages",
  async (jobContext, { partition }, canContinue) => {
    const view = await jobContext.store.read(partition);
    let done = 0;
    for await (const { record } of iterateRows((slice) => engineStates.list(view, "withComputed", slice))) {
      await feedEngine.run(jobContext, { partition, space: record.space });
      // The next attempt repeats nothing, because the engine gets only what differs.
      if (!((await canContinue?.({ done: ++done, step: "indexing" })) ?? true)) return true;
    }
    return false;
  },
  { isLong: true },
);

async function findActiveRevision(view: Reader, space: string): Promise<RevisionRecord | undefined> {
  const node = await nodes.get(view, space);
  return node?.type === "space" && node.deletedAt === null ? revisions.get(view, space, node.revision) : undefined;
}

/** Enqueues the update of the search after a new revision: at once for the host's engine, otherwise later and rarely. */
export function enqueueSearchUpdates(
  { enqueueJob, ports, now }: FollowRevisionContext,
  payload: SearchJobPayload,
  revision: Pick<RevisionRecord, "number">,
): void {
  if (ports.search.engine) enqueueJob(feedEngine, payload);
  else if (revision.number % REVISIONS_PER_SNAPSHOT_CHECK === 0)
    enqueueJob(storeIndex, payload, new Date(now.getTime() + SNAPSHOT_CHECK_DELAY_MS));
}

interface FollowRevisionContext {
  readonly enqueueJob: (step: JobType<SearchJobPayload>, payload: SearchJobPayload, when?: Date) => void;
  readonly ports: Ports;
  readonly now: Date;
}

/** Reports the objects that the search data of a partition refers to: snapshots, and lists of computed pages. */
export async function reportSearchObjects(view: Reader, _: Objects, tell: (hash: string) => void): Promise<void> {
  for await (const { record } of iterateRows((slice) => storedIndexes.list(view, "all", slice))) {
    tell(record.object);
    if (record.computed !== undefined) tell(record.computed);
  }
  for await (const { record } of iterateRows((slice) => storedPools.list(view, "all", slice))) {
    tell(record.index);
    tell(record.spaces);
  }
  for await (const { record } of iterateRows((slice) => engineStates.list(view, "withComputed", slice)))
    tell(record.computed!);
}
