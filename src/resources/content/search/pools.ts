/**
 * The pool of an organization: one index with the pages of all its small spaces. A site has a pool of the spaces on it.
 *
 * A search reads only the pages of spaces that its caller may read, and ranks them as if there were no others. Before each
 * search, these spaces are updated to the revisions that they show. When enough text was indexed, a snapshot is saved, so that
 * the next process starts from it.
 */

import { loadSearch } from "../../../content/lazy";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import { createError } from "../../../errors";
import type { JobContext } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import type { PoolEntry, SpacePool } from "../../../ports/search-engine";
import { addStagedObject, openObjects, stageObject } from "../../../storage/objects";
import type { Reader, Transaction } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { VersionedCache } from "../../../utils/versioned-cache";
import { isLiveSpace, nodes, type SpaceRecord } from "../../library/tree/records";
import { createNodeSource, openRevision, type RevisionRecord, revisions } from "../revisions/records";
import {
  countNewlyRestricted,
  hasEnoughUnsavedText,
  hasSameSearchText,
  type IndexContext,
  type IndexPart,
  readSearchPages,
  readUnlessCorrupt,
} from "./indexes";
import { storedPools } from "./records";

/** A space with more pages has its own index. */
const MAX_PAGES_PER_SPACE = 1000;
/** A pool with more pages takes no further spaces. */
const MAX_PAGES_PER_POOL = 100_000;
/** The most users whose readable spaces are cached. */
const MAX_CACHED_USERS = 50;
/** Revisions that are read at once, and pages whose texts are in memory at once. */
const BATCH_SIZE = 100;
/** The cost of reading a space besides its texts, in characters of text. */
const CHARACTERS_PER_SPACE = 1000;

/** The owner of a pool: an organization or a site. */
export interface PoolOwner {
  /** The name of the partition, or the id of the site. */
  readonly name: string;
  readonly countSpaces: () => Promise<number>;
  /** Checks whether the owner is still there. */
  readonly isThere: (tx: Reader) => Promise<boolean>;
}

type PoolContext = IndexContext & PoolOwner;

/** A space, and the revision that it shows. */
interface ShownSpace {
  readonly id: string;
  readonly revision: string;
}

/** The state of a space whose pages are in a pool. */
type PooledSpaceEntry = Exclude<PoolEntry, "apart">;

export const pooledIds = {
  format: (space: string, page: string) => `${space}/${page}`,
  getSpace: (name: string) => name.slice(0, name.indexOf("/")),
  getPage: (name: string) => name.slice(name.indexOf("/") + 1),
};

interface OpenPool {
  /** The spaces whose pages are in the pool, by id. The others have indexes of their own. */
  readonly entries: ReadonlyMap<string, PooledSpaceEntry>;
  /** Calls `run` with the index, and with the number of its pages that belong to these spaces. */
  readonly use: <T>(run: (index: SpacePool["index"], pageCount: number) => T) => Promise<T>;
}

/** Opens a pool for a search in some spaces. Returns undefined if the pages of none of them are in it. */
export async function openPool(context: PoolContext, spaces: readonly ShownSpace[]): Promise<OpenPool | undefined> {
  if (spaces.length === 0) return undefined;
  const useEntries = <T>(run: (index: SpacePool["index"], entries: OpenPool["entries"]) => T) =>
    usePool(context, async (pool) => {
      await updatePool(context, pool, spaces);
      const entries = new Map<string, PooledSpaceEntry>();
      for (const { id } of spaces) {
        const entry = pool.spaces.get(id)!;
        if (entry !== "apart") entries.set(id, entry);
      }
      return run(pool.index, entries);
    });
  const entries = await useEntries((_, found) => found);
  if (entries.size === 0) return undefined;
  return {
    entries,
    use: (run) =>
      useEntries((index, current) => {
        let pageCount = 0;
        for (const { pageIds } of current.values()) pageCount += pageIds.size;
        return run(index, pageCount);
      }),
  };
}

/** The spaces that a user may read: those whose pages are in the pool, by their id, and all others. */
interface ReadableSpaces {
  readonly inside: ReadonlyMap<string, SpaceRecord>;
  readonly apart: readonly SpaceRecord[];
}

/** Opens the part of an organization's pool with the spaces that a user may read, which `listReadableSpaces` lists. */
export async function openReadablePart(
  context: IndexContext,
  user: string,
  listReadableSpaces: () => Promise<readonly SpaceRecord[]>,
): Promise<ReadableSpaces & IndexPart> {
  const { tx, partition } = context;
  const poolContext: PoolContext = {
    ...context,
    name: partition,
    countSpaces: () => nodes.total(tx, "spaces"),
    isThere: async () => true,
  };
  const spaces = await usePool(poolContext, async (pool) => {
    // The records of the partition decide which spaces a user may read. The result is cached for its version.
    const { readableSpaces } = pool;
    const cached = readableSpaces.get<ReadableSpaces>(user, [tx.version]);
    if (cached) return cached;
    const found = await listReadableSpaces();
    await updatePool(poolContext, pool, found);
    const isApart = ({ id }: SpaceRecord) => pool.spaces.get(id) === "apart";
    const inside = new Map(found.filter((space) => !isApart(space)).map((space) => [space.id, space]));
    const divided: ReadableSpaces = { inside, apart: found.filter(isApart) };
    readableSpaces.set(user, divided, { versions: [tx.version] });
    return divided;
  });
  const { inside } = spaces;
  const use: IndexPart["use"] = (run) =>
    usePool(poolContext, async (pool) => {
      await updatePool(poolContext, pool, [...inside.values()]);
      return run(pool.index, (id) => inside.has(pooledIds.getSpace(id)));
    });
  return { ...spaces, use };
}

/** Calls `use` with a pool, and saves a snapshot if enough text was indexed. */
async function usePool<T>(context: PoolContext, use: (pool: SpacePool) => Promise<T>): Promise<T> {
  const { jobContext, name } = context;
  const { entries, mutex } = jobContext.ports.search.indexCache;
  const { result, snapshot } = await mutex(name, async () => {
    const maxSpaces = 100 + 2 * (await context.countSpaces());
    let pool = entries.get<SpacePool>(name) ?? (await loadPoolSnapshot(context));
    // A pool of which most spaces are gone is built again.
    if (!pool || pool.spaces.size > maxSpaces) {
      const { createSearchIndex } = await loadSearch();
      pool = {
        index: createSearchIndex(),
        spaces: new Map(),
        readableSpaces: new VersionedCache(MAX_CACHED_USERS),
        unsavedCharacters: 0,
      };
    }
    entries.set(name, pool, { bytes: pool.index.bytes });
    const result = await use(pool);
    return { result, snapshot: hasEnoughUnsavedText(pool) ? await createPoolSnapshot(context, pool) : undefined };
  });
  if (snapshot) await savePoolSnapshot(context, snapshot).catch(jobContext.onError);
  return result;
}

/** Updates spaces of a pool to the revisions that they show. */
async function updatePool(
  { tx, objects, jobContext, name }: PoolContext,
  pool: SpacePool,
  spaces: readonly ShownSpace[],
): Promise<void> {
  const outdated = spaces.filter(({ id, revision }) => {
    const entry = pool.spaces.get(id);
    return entry !== "apart" && entry?.revisionId !== revision;
  });
  if (outdated.length === 0) return;
  const { entries } = jobContext.ports.search.indexCache;
  // If the update fails halfway, the pool has no valid state: it is dropped before.
  entries.delete(name);
  let changed: [name: string, page: PageEntry][] = [];
  const flush = async () => {
    for (const { page, characters } of await readSearchPages(objects, changed)) {
      await runSteps(pool.index.putInSteps(page));
      pool.unsavedCharacters += characters;
    }
    changed = [];
  };
  for (let start = 0; start < outdated.length; start += BATCH_SIZE) {
    const batch = outdated.slice(start, start + BATCH_SIZE).map(({ id, revision }) => [id, revision] as const);
    for (const revision of await revisions.getMany(tx, batch)) {
      if (!revision) throw createError("storage_damaged");
      for (const page of await updatePooledSpace(objects, pool, revision)) changed.push(page);
      pool.unsavedCharacters += CHARACTERS_PER_SPACE;
      if (changed.length >= BATCH_SIZE) await flush();
      await yieldToEventLoop();
    }
  }
  await flush();
  await runSteps(pool.index.prepareInSteps());
  pool.readableSpaces.clear();
  entries.set(name, pool, { bytes: pool.index.bytes });
}

/** Updates the entry of a space to a revision. Returns the pages that are to be put into the index. */
async function updatePooledSpace(
  objects: IndexContext["objects"],
  { index, spaces }: SpacePool,
  { id, space, root }: RevisionRecord,
): Promise<[name: string, page: PageEntry][]> {
  const entry = spaces.get(space) as PooledSpaceEntry | undefined;
  const pageIds = entry?.pageIds ?? new Set<string>();
  let restrictedPageCount = entry ? entry.restrictedPageCount : 0;
  const changed: [name: string, page: PageEntry][] = [];
  let isApart = false;
  const source = createNodeSource(objects);
  for await (const change of diffMaps(source, entry?.contentRoot ?? null, root, { under: keys.pages })) {
    const page = change.key.slice(keys.pages.length);
    const [before, after] = [change.before, change.after] as (PageEntry | undefined)[];
    if (restrictedPageCount !== undefined) restrictedPageCount += countNewlyRestricted(before, after);
    if (!after) {
      pageIds.delete(page);
      index.remove(pooledIds.format(space, page));
      continue;
    }
    pageIds.add(page);
    if (!hasSameSearchText(before, after)) changed.push([pooledIds.format(space, page), after]);
    const isFull = pageIds.size > MAX_PAGES_PER_SPACE || index.size + changed.length > MAX_PAGES_PER_POOL;
    isApart = after.type === "computed" || isFull;
    if (isApart) break;
  }
  if (!isApart) {
    const isBook = (await openRevision(objects, { root }).get(keys.mdBook)) !== undefined;
    spaces.set(space, { revisionId: id, contentRoot: root, pageIds, restrictedPageCount, isBook });
    return changed;
  }
  for (const page of pageIds) index.remove(pooledIds.format(space, page));
  spaces.set(space, "apart");
  return [];
}

// A snapshot lists no space that is in the trash or has left: saving checks that, and a space that leaves deletes the snapshots
// that list it.

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

interface PoolSnapshot {
  readonly index: Uint8Array;
  readonly spaces: readonly ListedSpace[];
}

/** Loads the snapshot of a pool. Returns undefined if there is none that can be read. */
async function loadPoolSnapshot(context: PoolContext): Promise<SpacePool | undefined> {
  const { tx, objects, name, jobContext } = context;
  const stored = await storedPools.get(tx, name);
  if (!stored) return undefined;
  return readUnlessCorrupt(jobContext, async () => {
    const { deserializeIndexInSteps } = await loadSearch();
    const index = await runSteps(deserializeIndexInSteps(await objects.bytes(stored.index)));
    if (!index) return undefined;
    const spaces = new Map<string, PooledSpaceEntry>();
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
    return { index, spaces, readableSpaces: new VersionedCache(MAX_CACHED_USERS), unsavedCharacters: 0 };
  });
}

/** Creates a snapshot of a pool. Spaces that are gone are removed from the pool before. */
async function createPoolSnapshot({ tx }: PoolContext, pool: SpacePool): Promise<PoolSnapshot> {
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
async function savePoolSnapshot(
  { jobContext, partition, name: poolName, isThere }: PoolContext,
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
