// Snapshots of pools. One is saved when enough text was indexed, so that the next process starts from it. A snapshot lists
// no space that is in the trash or has left: saving checks that, and a space that leaves deletes the snapshots that list it.

import { loadSearch } from "../../../content/lazy";
import type { JobContext } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import type { PoolEntry, SpacePool } from "../../../ports/search-engine";
import { addStagedObject, openObjects, stageObject } from "../../../storage/objects";
import type { Reader, Transaction } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { isLiveSpace, nodes } from "../../library/tree/records";
import type { RevisionRecord } from "../revisions/records";
import { type IndexContext, readUnlessCorrupt } from "./indexes";
import { storedPools } from "./records";

/** A pool, and the context in which its snapshots are stored. */
export interface StoredPoolContext extends IndexContext {
  readonly name: string;
  /** Checks whether the owner of the pool, such as a site, is still there. */
  readonly isThere: (tx: Reader) => Promise<boolean>;
}

/**
 * A space in a stored list. Spaces that are not in the pool are not listed. For `restrictedPageCount` and `isBook` see
 * `PoolEntry`; null: it is not known.
 */
type ListedSpace = readonly [
  space: string,
  revision: string,
  root: RevisionRecord["root"],
  restrictedPageCount?: number | null,
  isBook?: boolean,
];

/** A serialized pool. */
export interface PoolSnapshot {
  readonly index: Uint8Array;
  readonly spaces: readonly ListedSpace[];
}

/** The ids of pages in a pool. */
export const pooledIds = {
  format: (space: string, page: string) => `${space}/${page}`,
  getSpace: (name: string) => name.slice(0, name.indexOf("/")),
  getPage: (name: string) => name.slice(name.indexOf("/") + 1),
};

/** Loads the snapshot of a pool. Returns undefined if there is none that can be read. */
export async function loadPoolSnapshot(context: StoredPoolContext): Promise<SpacePool | undefined> {
  const { tx, objects, name, jobContext } = context;
  const stored = await storedPools.get(tx, name);
  if (!stored) return undefined;
  return readUnlessCorrupt(jobContext, async () => {
    const { deserializeIndexInSteps } = await loadSearch();
    const index = await runSteps(deserializeIndexInSteps(await objects.bytes(stored.index)));
    if (!index) return undefined;
    const spaces = new Map<string, Exclude<PoolEntry, "apart">>();
    const listedSpaces: readonly ListedSpace[] = JSON.parse(await objects.text(stored.spaces));
    for (const listed of listedSpaces) {
      const [space, revisionId, contentRoot, count, isBook = false] = listed;
      const restrictedPageCount = count ?? undefined;
      spaces.set(space, { revisionId, contentRoot, pageIds: new Set(), restrictedPageCount, isBook });
    }
    for (const id of index.listIds()) {
      spaces.get(pooledIds.getSpace(id))!.pageIds.add(pooledIds.getPage(id));
      await yieldToEventLoop();
    }
    return { index, spaces, readableSpaces: new Map(), unsavedCharacters: 0 };
  });
}

/** Creates a snapshot of a pool. Spaces that are gone are removed from the pool before. */
export async function createPoolSnapshot({ tx }: StoredPoolContext, pool: SpacePool): Promise<PoolSnapshot> {
  const ids = [...pool.spaces.keys()];
  const records = await nodes.getMany(
    tx,
    ids.map((id) => [id]),
  );
  ids.forEach((space, i) => {
    if (isLiveSpace(records[i])) return;
    const entry = pool.spaces.get(space);
    if (entry && entry !== "apart") for (const page of entry.pageIds) pool.index.remove(pooledIds.format(space, page));
    pool.spaces.delete(space);
    pool.readableSpaces.clear();
  });
  const spaces = [...pool.spaces].flatMap(([space, entry]): ListedSpace[] => {
    if (entry === "apart") return [];
    const { revisionId, contentRoot, restrictedPageCount = null, isBook } = entry;
    const listed = [space, revisionId, contentRoot, restrictedPageCount] as const;
    return [isBook ? [...listed, true] : listed];
  });
  pool.unsavedCharacters = 0;
  return { index: await runSteps(pool.index.serializeInSteps()), spaces };
}

/** Saves a snapshot in place of the last one, unless one of its spaces has left meanwhile. */
export async function savePoolSnapshot(
  { jobContext, partition, name: poolName, isThere }: StoredPoolContext,
  snapshot: PoolSnapshot,
): Promise<void> {
  const { store } = jobContext;
  const index = await stageObject(store, partition, snapshot.index);
  const spaces = await stageObject(store, partition, new TextEncoder().encode(JSON.stringify(snapshot.spaces)));
  await store.write(partition, async (tx) => {
    const live = await nodes.readGuarded(tx, "spaces", [[]]);
    const records = await nodes.getMany(
      live,
      snapshot.spaces.map(([id]) => [id]),
    );
    if (!records.every(isLiveSpace) || !(await isThere(tx))) return;
    await addStagedObject(tx, index);
    await addStagedObject(tx, spaces);
    await storedPools.put(tx, { name: poolName, index: index.hash, spaces: spaces.hash });
  });
}

/** Deletes the snapshots that list a space, and those whose list is corrupt or lost. */
export async function dropFromPools(jobContext: JobContext, tx: Transaction, space: string): Promise<void> {
  const objects = openObjects(jobContext.store, jobContext.objects, tx.unchecked);
  const all = await storedPools.readGuarded(tx, "all", [[]]);
  for await (const { record } of iterateRows((slice) => storedPools.list(all, "all", slice))) {
    const spaces = await readUnlessCorrupt(
      jobContext,
      async (): Promise<readonly ListedSpace[]> => JSON.parse(await objects.text(record.spaces)),
    );
    if (!spaces || spaces.some(([id]) => id === space)) await storedPools.delete(tx, record.name);
  }
}
