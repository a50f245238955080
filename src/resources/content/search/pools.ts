// The pool of an organization: one index with the pages of all its small spaces. A search looks only at the pages of spaces
// that its caller may read, and ranks them as if there were no others. Before each search, the spaces that the caller may
// read are brought to the revisions that they show. A process that starts begins with a stored copy. A site has a pool of the
// spaces on it.

import { loadSearch } from "../../../content/lazy";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import { createError } from "../../../errors";
import type { PoolEntry, SpacePool } from "../../../ports/search-engine";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { createNodeSource, type RevisionRecord, revisions } from "../revisions/records";
import { type Indexing, isFoundAlike, isMuch, moreKept, searchPages } from "./indexes";
import type { IndexPart } from "./rank-together";
import { copyOf, loadedPool, nameOf, type PoolAt, pageOf, spaceOf, storePool } from "./stored-pools";
import { isBook, varyingPages } from "./variations";

/** A space with more pages has an index of its own. */
const LARGE = 1000;
/** A pool with more pages takes no further spaces. */
const FULL = 100_000;
/** The most users whose readable spaces are remembered. */
const USERS = 50;
/** Revisions that are read at once, and pages whose texts are in memory at once. */
const AT_ONCE = 100;
/** What reading a space takes beside its texts, as if it were so many characters. */
const CHARACTERS_A_SPACE = 1000;

/** Where a pool is used, and by whom. */
interface Pooling extends Indexing {
  readonly user: string;
  /** The spaces that the user may read. */
  readonly all: () => Promise<readonly SpaceRecord[]>;
}

/** The pages of a pool that are ranked, and the spaces that they are of, by id. */
export interface PoolPart<Space> extends IndexPart {
  readonly spaces: ReadonlyMap<string, Space>;
}

/** The same where the contents are known that are in the pool. */
interface VisiblePart<Space> extends PoolPart<Space> {
  readonly pageOf: (name: string) => VaryingPage;
}

/** What of some spaces is in a pool: a part of its index, unless no space is in it, and the spaces that are not. */
interface FromPool<Space> {
  readonly part: PoolPart<Space> | undefined;
  readonly apart: readonly Space[];
}

/** The pages of the spaces that a user may read. */
export async function readablePart(at: Pooling): Promise<FromPool<SpaceRecord>> {
  const { tx, partition } = at;
  const pooling = { ...at, name: partition, total: () => nodes.total(tx, "spaces"), isThere: async () => true };
  const { inside, apart } = await withPool(pooling, (pool) => readableIn(pool, pooling));
  if (inside.size === 0) return { part: undefined, apart };
  const use: IndexPart["use"] = (run) =>
    withPool(pooling, async (pool) => {
      await bring(pooling, pool, [...inside.values()]);
      return run(pool.index, (name) => inside.has(spaceOf(name)));
    });
  return { part: { spaces: inside, use }, apart };
}

/** The spaces that a user may read: those whose pages are in the pool, by their id, and all others. */
interface Readable {
  readonly inside: ReadonlyMap<string, SpaceRecord>;
  readonly apart: readonly SpaceRecord[];
}

/** A space, and the revision that it shows. */
export interface ShownSpace {
  readonly id: string;
  readonly revision: string;
}

/** A pool of spaces, and how many they are. */
export interface PoolOfSpaces extends PoolAt {
  readonly total: () => Promise<number>;
}

/** What a pool knows of a space in it. */
export type PooledSpace = Exclude<PoolEntry, "apart">;

/** The pages of some spaces that a visitor finds. `hiddenIn` tells which pages of a space the visitor does not; it is asked only
 * where there may be some. */
export async function visiblePoolPart<Space extends ShownSpace>(
  at: PoolOfSpaces,
  spaces: readonly Space[],
  hiddenIn: (content: {
    readonly space: string;
    readonly root: RevisionRecord["root"];
  }) => Promise<ReadonlySet<string>>,
): Promise<FromPool<Space> & { readonly part: VisiblePart<Space> | undefined; readonly varying?: VaryingPart }> {
  if (spaces.length === 0) return { part: undefined, apart: [] };
  const find = async (pool: SpacePool) => {
    await bring(at, pool, spaces);
    const inside = new Map<string, Space>();
    const known = new Map<string, PooledSpace>();
    const hidden = new Map<string, ReadonlySet<string>>();
    let pages = 0;
    for (const it of spaces) {
      const pooled = pool.spaces.get(it.id)!;
      if (pooled === "apart") continue;
      inside.set(it.id, it);
      known.set(it.id, pooled);
      pages += pooled.pageIds.size;
      const kept =
        pooled.restrictedPageCount === 0 ? undefined : await hiddenIn({ space: it.id, root: pooled.contentRoot });
      if (kept && kept.size > 0) hidden.set(it.id, kept);
    }
    const books = new Set(Array.from(known).flatMap(([id, { isBook }]) => (isBook ? [id] : [])));
    const varying = varyingPages(pool.index, books.size === 0 ? undefined : (name) => books.has(spaceOf(name)));
    const isSeen =
      pages === pool.index.size && hidden.size === 0
        ? undefined
        : (name: string) => inside.has(spaceOf(name)) && hidden.get(spaceOf(name))?.has(pageOf(name)) !== true;
    return { inside, known, varying, isSeen };
  };
  type Found = Awaited<ReturnType<typeof find>>;
  const use = <T>(run: (index: SpacePool["index"], found: Found) => T) =>
    withPool(at, async (pool) => run(pool.index, await find(pool)));
  const { inside, known, hasVarying } = await use((_, { inside, known, varying }) => ({
    ...{ inside, known },
    hasVarying: varying.size > 0,
  }));
  const apart = spaces.filter(({ id }) => !inside.has(id));
  if (inside.size === 0) return { part: undefined, apart };
  const pageOfPool = (name: string): VaryingPage => {
    const space = spaceOf(name);
    return { id: pageOf(name), space, root: known.get(space)!.contentRoot };
  };
  const part: VisiblePart<Space> = {
    spaces: inside,
    pageOf: pageOfPool,
    use: (run) =>
      use((index, { isSeen, varying }) =>
        run(
          index,
          varying.size === 0 ? isSeen : (name) => !varying.has(name) && (isSeen === undefined || isSeen(name)),
        ),
      ),
  };
  if (!hasVarying) return { part, apart };
  const varying: VaryingPart = {
    suggest: (query, most) =>
      use((index, { isSeen, varying }) =>
        index
          .findCandidates(
            query,
            most,
            () => true,
            (name) => varying.has(name) && (isSeen === undefined || isSeen(name)),
          )
          .map(({ id: name }) => pageOfPool(name)),
      ),
  };
  return { part, apart, varying };
}

/** A page whose text varies, and the content that it is of. */
export interface VaryingPage {
  readonly id: string;
  readonly space: string;
  readonly root: RevisionRecord["root"];
}

/** Pages of which each reader may have another text. */
export interface VaryingPart {
  /** Those that may answer once some of their texts are left out, the likeliest first. */
  readonly suggest: (query: string, most: number) => Promise<readonly VaryingPage[]>;
}

/** Uses a pool, and stores a copy when much was read for it. */
async function withPool<T>(at: PoolOfSpaces, use: (pool: SpacePool) => Promise<T>): Promise<T> {
  const { jobContext, name } = at;
  const { result, copy } = await jobContext.ports.search.indexCache.mutex(name, async () => {
    const pool = await poolFor(at);
    const result = await use(pool);
    return { result, copy: isMuch(pool) ? await copyOf(at, pool) : undefined };
  });
  if (copy) await storePool(at, copy).catch(jobContext.onError);
  return result;
}

/** The known pool, the stored one, or an empty one: also when most of what the others hold is not there any more. */
async function poolFor(at: PoolOfSpaces): Promise<SpacePool> {
  const { pools } = at.jobContext.ports.search.indexCache;
  const most = 100 + 2 * (await at.total());
  const known = pools.get(at.name) ?? (await loadedPool(at));
  const pool = known && known.spaces.size <= most ? known : await emptyPool();
  pools.set(at.name, pool);
  return pool;
}

async function emptyPool(): Promise<SpacePool> {
  const { createSearchIndex } = await loadSearch();
  return { index: createSearchIndex(), spaces: new Map(), readableSpaces: new Map(), unsavedCharacters: 0 };
}

/** What a user may read, at the revisions that are shown. Everything that decides it is in the partition: at the same version
 * it is the same. */
async function readableIn(pool: SpacePool, at: Pooling & PoolOfSpaces): Promise<Readable> {
  const { tx, user, all } = at;
  const { readableSpaces: readable, spaces } = pool;
  const known = readable.get(user);
  if (known?.version === tx.version) return known.spaces as Readable;
  const found = await all();
  await bring(at, pool, found);
  const isApart = ({ id }: SpaceRecord) => spaces.get(id) === "apart";
  const inside = new Map(found.filter((it) => !isApart(it)).map((it) => [it.id, it]));
  const sorted: Readable = { inside, apart: found.filter(isApart) };
  readable.delete(user);
  readable.set(user, { version: tx.version, spaces: sorted });
  if (readable.size > USERS) readable.delete(readable.keys().next().value!);
  return sorted;
}

function isBehind(known: PoolEntry | undefined, revision: string): boolean {
  return known !== "apart" && known?.revisionId !== revision;
}

/** Brings spaces to the revisions that they show. */
async function bring(
  { tx, objects, jobContext, name }: PoolOfSpaces,
  pool: SpacePool,
  spaces: readonly ShownSpace[],
): Promise<void> {
  const behind = spaces.filter(({ id, revision }) => isBehind(pool.spaces.get(id), revision));
  if (behind.length === 0) return;
  const { pools } = jobContext.ports.search.indexCache;
  // A pool that was brought only partly has no valid state.
  pools.delete(name);
  let changed: [name: string, page: PageEntry][] = [];
  const flush = async () => {
    for (const { page, characters } of await searchPages(objects, changed)) {
      await runSteps(pool.index.putInSteps(page));
      pool.unsavedCharacters += characters;
    }
    changed = [];
  };
  for (let from = 0; from < behind.length; from += AT_ONCE) {
    const some = behind.slice(from, from + AT_ONCE).map(({ id, revision }) => [id, revision] as const);
    for (const revision of await revisions.getMany(tx, some)) {
      if (!revision) throw createError("storage_damaged");
      for (const page of await bringSpace(objects, pool, revision)) changed.push(page);
      pool.unsavedCharacters += CHARACTERS_A_SPACE;
      if (changed.length >= AT_ONCE) await flush();
      await yieldToEventLoop();
    }
  }
  await flush();
  await runSteps(pool.index.prepareInSteps());
  pool.readableSpaces.clear();
  pools.set(name, pool);
}

/** Takes one space to a revision, and gives the pages that are to be put in. */
async function bringSpace(
  objects: Indexing["objects"],
  { index, spaces }: SpacePool,
  { id, space, root }: RevisionRecord,
): Promise<[name: string, page: PageEntry][]> {
  const known = spaces.get(space) as Exclude<PoolEntry, "apart"> | undefined;
  const pages = known?.pageIds ?? new Set<string>();
  let kept = known ? known.restrictedPageCount : 0;
  const changed: [name: string, page: PageEntry][] = [];
  let isApart = false;
  for await (const { key, before, after } of diffMaps(createNodeSource(objects), known?.contentRoot ?? null, root, {
    under: keys.pages,
  })) {
    const page = key.slice(keys.pages.length);
    const [last, entry] = [before, after] as (PageEntry | undefined)[];
    if (kept !== undefined) kept += moreKept(last, entry);
    if (!entry) {
      pages.delete(page);
      index.remove(nameOf(space, page));
      continue;
    }
    pages.add(page);
    if (!isFoundAlike(last, entry)) changed.push([nameOf(space, page), entry]);
    isApart = entry.type === "computed" || pages.size > LARGE || index.size + changed.length > FULL;
    if (isApart) break;
  }
  if (!isApart) {
    spaces.set(space, {
      revisionId: id,
      contentRoot: root,
      pageIds: pages,
      restrictedPageCount: kept,
      isBook: await isBook(objects, root),
    });
    return changed;
  }
  for (const page of pages) index.remove(nameOf(space, page));
  spaces.set(space, "apart");
  return [];
}
