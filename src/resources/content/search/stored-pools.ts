// A copy of a pool is stored when much was read for it, so that the next process begins with it. A copy names no space that
// is in the trash or has left: whoever stores one checks that, and a space that leaves takes the copies away that name it.

import { loadSearch } from "../../../content/lazy";
import type { JobContext } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import type { PoolEntry, SpacePool } from "../../../ports/search-engine";
import { addStagedObject, type Objects, openObjects, stageObject } from "../../../storage/objects";
import type { Reader, Transaction } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { isLiveSpace, nodes } from "../../library/tree/records";
import type { RevisionRecord } from "../revisions/records";
import { type Indexing, unlessDamaged } from "./indexes";
import { type StoredPool, storedPools } from "./records";

/** A pool, and where copies of it are stored. */
export interface PoolAt extends Indexing {
  readonly name: string;
  /** Whether what the pool belongs to is still there. */
  readonly isThere: (tx: Reader) => Promise<boolean>;
}

/** A space in a stored list. Those that are apart are not in it. `restrictedPageCount` and `isBook`: see `PoolEntry`; null: it is not known. */
type Listed = readonly [
  space: string,
  revision: string,
  root: RevisionRecord["root"],
  kept?: number | null,
  isBook?: boolean,
];

/** A pool as it is stored. */
export interface PoolCopy {
  readonly index: Uint8Array;
  readonly spaces: readonly Listed[];
}

/** A page of a space, as a pool knows it. */
export const nameOf = (space: string, page: string) => `${space}/${page}`;
export const spaceOf = (name: string) => name.slice(0, name.indexOf("/"));
export const pageOf = (name: string) => name.slice(name.indexOf("/") + 1);

/** The pool of which a copy was stored; undefined: there is none that can be read. */
export async function loadedPool({ tx, objects, name, jobContext }: PoolAt): Promise<SpacePool | undefined> {
  const stored = await storedPools.get(tx, name);
  return stored && unlessDamaged(jobContext, () => poolFrom(objects, stored));
}

async function poolFrom(objects: Objects, stored: StoredPool): Promise<SpacePool | undefined> {
  const { deserializeIndexInSteps } = await loadSearch();
  const index = await runSteps(deserializeIndexInSteps(await objects.bytes(stored.index)));
  if (!index) return undefined;
  const spaces = new Map<string, Exclude<PoolEntry, "apart">>();
  for (const [space, revision, root, kept, isBook = false] of await listIn(objects, stored.spaces))
    spaces.set(space, {
      revisionId: revision,
      contentRoot: root,
      pageIds: new Set(),
      restrictedPageCount: kept ?? undefined,
      isBook,
    });
  for (const it of index.listIds()) {
    spaces.get(spaceOf(it))!.pageIds.add(pageOf(it));
    await yieldToEventLoop();
  }
  return { index, spaces, readableSpaces: new Map(), unsavedCharacters: 0 };
}

async function listIn(objects: Objects, object: string): Promise<readonly Listed[]> {
  return JSON.parse(await objects.text(object));
}

/** A copy of a pool. What is not there any more is left out of both. */
export async function copyOf({ tx }: PoolAt, pool: SpacePool): Promise<PoolCopy> {
  const ids = [...pool.spaces.keys()];
  const records = await nodes.getMany(
    tx,
    ids.map((id) => [id]),
  );
  ids.forEach((id, i) => {
    if (!isLiveSpace(records[i])) dropSpace(pool, id);
  });
  const spaces = [...pool.spaces].flatMap(([space, known]): Listed[] => {
    if (known === "apart") return [];
    const { revisionId: revision, contentRoot: root, restrictedPageCount: kept, isBook } = known;
    return [isBook ? [space, revision, root, kept ?? null, true] : [space, revision, root, kept ?? null]];
  });
  pool.unsavedCharacters = 0;
  return { index: await runSteps(pool.index.serializeInSteps()), spaces };
}

function dropSpace({ index, spaces, readableSpaces: readable }: SpacePool, space: string): void {
  const known = spaces.get(space);
  if (known && known !== "apart") for (const page of known.pageIds) index.remove(nameOf(space, page));
  spaces.delete(space);
  readable.clear();
}

/** Stores a copy in the place of the last one, unless something of it has left meanwhile. */
export async function storePool({ jobContext, partition, name: pool, isThere }: PoolAt, copy: PoolCopy): Promise<void> {
  const { store } = jobContext;
  const index = await stageObject(store, partition, copy.index);
  const spaces = await stageObject(store, partition, new TextEncoder().encode(JSON.stringify(copy.spaces)));
  await store.write(partition, async (tx) => {
    const live = await nodes.readGuarded(tx, "spaces", [[]]);
    const records = await nodes.getMany(
      live,
      copy.spaces.map(([id]) => [id]),
    );
    if (!records.every(isLiveSpace) || !(await isThere(tx))) return;
    await addStagedObject(tx, index);
    await addStagedObject(tx, spaces);
    await storedPools.put(tx, { name: pool, index: index.hash, spaces: spaces.hash });
  });
}

/** Deletes the copies that name a space, or may: their list is damaged or lost. */
export async function dropFromPools(work: JobContext, tx: Transaction, space: string): Promise<void> {
  const objects = openObjects(work.store, work.objects, tx.unchecked);
  const all = await storedPools.readGuarded(tx, "all", [[]]);
  for await (const { record } of iterateRows((slice) => storedPools.list(all, "all", slice))) {
    const spaces = await unlessDamaged(work, () => listIn(objects, record.spaces));
    if (!spaces || spaces.some(([id]) => id === space)) await storedPools.delete(tx, record.name);
  }
}
