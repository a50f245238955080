/**
 * The pool of an organization: one index with the pages of all its small spaces. A site has a pool of the spaces on it.
 *
 * A search reads only the pages of spaces that its caller may read, and ranks them as if there were no others. Before each
 * search, these spaces are updated to the revisions that they show. A new process starts from a stored snapshot.
 */

import { loadSearch } from "../../../content/lazy";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import { createError } from "../../../errors";
import type { PoolEntry, SpacePool } from "../../../ports/search-engine";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { createNodeSource, openRevision, type RevisionRecord, revisions } from "../revisions/records";
import {
  countNewlyRestricted,
  hasEnoughUnsavedText,
  hasSameSearchText,
  type IndexContext,
  readSearchPages,
} from "./indexes";
import type { IndexPart } from "./rank-together";
import {
  createPoolSnapshot,
  loadPoolSnapshot,
  pooledIds,
  type StoredPoolContext,
  savePoolSnapshot,
} from "./stored-pools";
import { listVaryingPages } from "./variations";

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

/** A user who searches, and the context of the search. */
interface PoolReadContext extends IndexContext {
  readonly user: string;
  /** Lists the spaces that the user may read. */
  readonly listReadableSpaces: () => Promise<readonly SpaceRecord[]>;
}

/** The pages of a pool that are ranked, and their spaces, by id. */
export interface PoolPart<Space> extends IndexPart {
  readonly spaces: ReadonlyMap<string, Space>;
}

/** A part of a pool that a visitor searches. */
interface VisiblePart<Space> extends PoolPart<Space> {
  /** Returns the page with an id of the pool, and its content. */
  readonly getPage: (pooledId: string) => VaryingPage;
}

/** Some spaces, divided by whether their pages are in a pool. */
interface PooledSpaces<Space> {
  /** The part of the pool with their pages; undefined: no space is in the pool. */
  readonly part: PoolPart<Space> | undefined;
  /** The spaces that are not in the pool. */
  readonly apart: readonly Space[];
}

/** Opens the part of a pool with the spaces that a user may read. */
export async function openReadablePart(context: PoolReadContext): Promise<PooledSpaces<SpaceRecord>> {
  const { tx, partition, user, listReadableSpaces } = context;
  const poolContext: PoolContext = {
    ...context,
    name: partition,
    total: () => nodes.total(tx, "spaces"),
    isThere: async () => true,
  };
  const { inside, apart } = await usePool(poolContext, async (pool) => {
    // The records of the partition decide which spaces a user may read. The result is cached for its version.
    const { readableSpaces } = pool;
    const cached = readableSpaces.get(user);
    if (cached?.version === tx.version) return cached.spaces as ReadableSpaces;
    const found = await listReadableSpaces();
    await updatePool(poolContext, pool, found);
    const isApart = ({ id }: SpaceRecord) => pool.spaces.get(id) === "apart";
    const inside = new Map(found.filter((space) => !isApart(space)).map((space) => [space.id, space]));
    const divided: ReadableSpaces = { inside, apart: found.filter(isApart) };
    readableSpaces.delete(user);
    readableSpaces.set(user, { version: tx.version, spaces: divided });
    if (readableSpaces.size > MAX_CACHED_USERS) readableSpaces.delete(readableSpaces.keys().next().value!);
    return divided;
  });
  if (inside.size === 0) return { part: undefined, apart };
  const use: IndexPart["use"] = (run) =>
    usePool(poolContext, async (pool) => {
      await updatePool(poolContext, pool, [...inside.values()]);
      return run(pool.index, (id) => inside.has(pooledIds.getSpace(id)));
    });
  return { part: { spaces: inside, use }, apart };
}

/** The spaces that a user may read: those whose pages are in the pool, by their id, and all others. */
interface ReadableSpaces {
  readonly inside: ReadonlyMap<string, SpaceRecord>;
  readonly apart: readonly SpaceRecord[];
}

/** A space, and the revision that it shows. */
export interface ShownSpace {
  readonly id: string;
  readonly revision: string;
}

/** The context in which a pool is used. `total` counts its spaces. */
export interface PoolContext extends StoredPoolContext {
  readonly total: () => Promise<number>;
}

/** The state of a space whose pages are in a pool. */
export type PooledSpaceEntry = Exclude<PoolEntry, "apart">;

/**
 * Opens the part of a pool with the pages that a visitor finds. `listHiddenPages` lists the pages of a space that the
 * visitor may not find; it is called only for spaces that may have some.
 */
export async function openVisiblePoolPart<Space extends ShownSpace>(
  context: PoolContext,
  spaces: readonly Space[],
  listHiddenPages: (content: {
    readonly space: string;
    readonly root: RevisionRecord["root"];
  }) => Promise<ReadonlySet<string>>,
): Promise<PooledSpaces<Space> & { readonly part: VisiblePart<Space> | undefined; readonly varying?: VaryingPart }> {
  if (spaces.length === 0) return { part: undefined, apart: [] };
  const readVisibility = async (pool: SpacePool) => {
    await updatePool(context, pool, spaces);
    const inside = new Map<string, Space>();
    const entries = new Map<string, PooledSpaceEntry>();
    const hidden = new Map<string, ReadonlySet<string>>();
    let pageCount = 0;
    for (const space of spaces) {
      const entry = pool.spaces.get(space.id)!;
      if (entry === "apart") continue;
      inside.set(space.id, space);
      entries.set(space.id, entry);
      pageCount += entry.pageIds.size;
      if (entry.restrictedPageCount === 0) continue;
      const hiddenPages = await listHiddenPages({ space: space.id, root: entry.contentRoot });
      if (hiddenPages.size > 0) hidden.set(space.id, hiddenPages);
    }
    const books = new Set(Array.from(entries).flatMap(([id, { isBook }]) => (isBook ? [id] : [])));
    const isInBook = books.size === 0 ? undefined : (id: string) => books.has(pooledIds.getSpace(id));
    const varying = listVaryingPages(pool.index, isInBook);
    const isVisibleId = (id: string) => {
      const space = pooledIds.getSpace(id);
      return inside.has(space) && hidden.get(space)?.has(pooledIds.getPage(id)) !== true;
    };
    const isVisible = pageCount === pool.index.size && hidden.size === 0 ? undefined : isVisibleId;
    return { inside, entries, varying, isVisible };
  };
  type Visibility = Awaited<ReturnType<typeof readVisibility>>;
  const use = <T>(run: (index: SpacePool["index"], visibility: Visibility) => T) =>
    usePool(context, async (pool) => run(pool.index, await readVisibility(pool)));
  const { inside, entries, varying: varyingIds } = await use((_, visibility) => visibility);
  const apart = spaces.filter(({ id }) => !inside.has(id));
  if (inside.size === 0) return { part: undefined, apart };
  const getPage = (pooledId: string): VaryingPage => {
    const space = pooledIds.getSpace(pooledId);
    return { id: pooledIds.getPage(pooledId), space, root: entries.get(space)!.contentRoot };
  };
  const part: VisiblePart<Space> = {
    spaces: inside,
    getPage,
    use: (run) =>
      use((index, { isVisible, varying }) =>
        run(
          index,
          varying.size === 0 ? isVisible : (id) => !varying.has(id) && (isVisible === undefined || isVisible(id)),
        ),
      ),
  };
  if (varyingIds.size === 0) return { part, apart };
  const varying: VaryingPart = {
    suggest: (query, limit) =>
      use((index, { isVisible, varying }) =>
        index
          .findCandidates(
            query,
            limit,
            () => true,
            (id) => varying.has(id) && (isVisible === undefined || isVisible(id)),
          )
          .map(({ id }) => getPage(id)),
      ),
  };
  return { part, apart, varying };
}

/** A page whose text varies, and its content. */
export interface VaryingPage {
  readonly id: string;
  readonly space: string;
  readonly root: RevisionRecord["root"];
}

/** Pages whose text differs between readers. */
export interface VaryingPart {
  /** Lists the pages that may match for some readers, the likeliest first. */
  readonly suggest: (query: string, limit: number) => Promise<readonly VaryingPage[]>;
}

/** Calls `use` with a pool, and saves a snapshot if enough text was indexed. */
async function usePool<T>(context: PoolContext, use: (pool: SpacePool) => Promise<T>): Promise<T> {
  const { jobContext, name } = context;
  const { pools, mutex } = jobContext.ports.search.indexCache;
  const { result, snapshot } = await mutex(name, async () => {
    const maxSpaces = 100 + 2 * (await context.total());
    let pool = pools.get(name) ?? (await loadPoolSnapshot(context));
    // A pool of which most spaces are gone is built again.
    if (!pool || pool.spaces.size > maxSpaces) {
      const { createSearchIndex } = await loadSearch();
      pool = { index: createSearchIndex(), spaces: new Map(), readableSpaces: new Map(), unsavedCharacters: 0 };
    }
    pools.set(name, pool);
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
  const { pools } = jobContext.ports.search.indexCache;
  // If the update fails halfway, the pool has no valid state: it is dropped before.
  pools.delete(name);
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
  pools.set(name, pool);
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
