// The pool of an organization: one index with the pages of all its small spaces. A search looks only at the pages of spaces
// that its caller may read, and ranks them as if there were no others. Before each search, the spaces that the caller may
// read are brought to the revisions that they show. A process that starts begins with a stored copy. A site has a pool of the
// spaces on it.

import { loadSearch } from "../../../content/late";
import { diff } from "../../../content/map";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { Ranked } from "../../../content/search";
import { failure } from "../../../errors";
import type { Pool, Pooled } from "../../../parts/search-engine";
import { inTurns, takeBreak } from "../../../turns/pause";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { nodesOf, type RevisionRecord, revisions } from "../revisions/records";
import type { RankedPages } from "./find-pages";
import { type Indexing, isFoundAlike, isMuch, moreKept, searchPages, sectionsOf } from "./indexes";
import { copyOf, loadedPool, nameOf, type PoolAt, pageOf, spaceOf, storePool } from "./stored-pools";

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

/** What a pool answers. */
interface FromPool {
  readonly found: readonly { readonly space: SpaceRecord; readonly pages: RankedPages }[];
  /** Readable spaces that are not in the pool. */
  readonly apart: readonly SpaceRecord[];
}

/** Searches the pages of the spaces that a user may read. */
export function searchPool(at: Pooling, query: string, pagesEach: number): Promise<FromPool> {
  const { tx, partition } = at;
  const pooling = { ...at, name: partition, total: () => nodes.total(tx, "spaces"), isThere: async () => true };
  return withPool(pooling, async (pool) => searched(pool, await readableIn(pool, pooling), query, pagesEach));
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

/** A page that may answer, and the content that it is of. */
export interface SuggestedPage extends Ranked {
  readonly space: string;
  readonly root: RevisionRecord["root"];
}

/** What a pool suggests. */
interface FromPoolOf<Space> {
  readonly suggested: readonly SuggestedPage[];
  /** Spaces that are not in the pool. */
  readonly apart: readonly Space[];
}

/** A pool of spaces, and how many they are. */
export interface PoolOfSpaces extends PoolAt {
  readonly total: () => Promise<number>;
}

/** The best pages of some spaces that may match after some of their texts are left out. Only pages that `seesIn` allows are
 * suggested, and pages of other spaces have no part in it. */
export function suggestFromPool<Space extends ShownSpace>(
  at: PoolOfSpaces,
  spaces: readonly Space[],
  query: string,
  most: number,
  seesIn: (content: {
    readonly space: string;
    readonly root: RevisionRecord["root"];
  }) => Promise<(page: string) => boolean>,
): Promise<FromPoolOf<Space>> {
  return withPool(at, async (pool) => {
    await bring(at, pool, spaces);
    const inside = new Map<
      string,
      { readonly root: RevisionRecord["root"]; readonly sees: (page: string) => boolean }
    >();
    let pages = 0;
    for (const { id: space } of spaces) {
      const known = pool.spaces.get(space)!;
      if (known === "apart") continue;
      const { root, kept } = known;
      pages += known.pages.size;
      inside.set(space, { root, sees: kept === 0 ? () => true : await seesIn({ space, root }) });
    }
    const sees = (it: string) => inside.get(spaceOf(it))!.sees(pageOf(it));
    const isIn = pages === pool.index.size ? undefined : (it: string) => inside.has(spaceOf(it));
    const hits = pool.index.candidates(query, most, sees, isIn);
    return {
      suggested: hits.map(({ id, score }) => {
        const space = spaceOf(id);
        return { id: pageOf(id), score, space, root: inside.get(space)!.root };
      }),
      apart: spaces.filter(({ id }) => !inside.has(id)),
    };
  });
}

/** Uses a pool, and stores a copy when much was read for it. */
async function withPool<T>(at: PoolOfSpaces, use: (pool: Pool) => Promise<T>): Promise<T> {
  const { work, name } = at;
  const { result, copy } = await work.parts.search.indexes.turns(name, async () => {
    const pool = await poolFor(at);
    const result = await use(pool);
    return { result, copy: isMuch(pool) ? await copyOf(at, pool) : undefined };
  });
  if (copy) await storePool(at, copy).catch(work.onError);
  return result;
}

/** The known pool, the stored one, or an empty one: also when most of what the others hold is not there any more. */
async function poolFor(at: PoolOfSpaces): Promise<Pool> {
  const { pools } = at.work.parts.search.indexes;
  const most = 100 + 2 * (await at.total());
  const known = pools.get(at.name) ?? (await loadedPool(at));
  const pool = known && known.spaces.size <= most ? known : await emptyPool();
  pools.set(at.name, pool);
  return pool;
}

async function emptyPool(): Promise<Pool> {
  const { createIndex } = await loadSearch();
  return { index: createIndex(), spaces: new Map(), readable: new Map(), unsaved: 0 };
}

/** What a user may read, at the revisions that are shown. Everything that decides it is in the partition: at the same version
 * it is the same. */
async function readableIn(pool: Pool, at: Pooling & PoolOfSpaces): Promise<Readable> {
  const { tx, user, all } = at;
  const { readable, spaces } = pool;
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

function isBehind(known: Pooled | undefined, revision: string): boolean {
  return known !== "apart" && known?.revision !== revision;
}

/** Brings spaces to the revisions that they show. */
async function bring(
  { tx, objects, work, name }: PoolOfSpaces,
  pool: Pool,
  spaces: readonly ShownSpace[],
): Promise<void> {
  const behind = spaces.filter(({ id, revision }) => isBehind(pool.spaces.get(id), revision));
  if (behind.length === 0) return;
  const { pools } = work.parts.search.indexes;
  // A pool that was brought only partly has no valid state.
  pools.delete(name);
  let changed: [name: string, page: PageEntry][] = [];
  const flush = async () => {
    for (const { page, characters } of await searchPages(objects, changed)) {
      await inTurns(pool.index.putInSteps(page));
      pool.unsaved += characters;
    }
    changed = [];
  };
  for (let from = 0; from < behind.length; from += AT_ONCE) {
    const some = behind.slice(from, from + AT_ONCE).map(({ id, revision }) => [id, revision] as const);
    for (const revision of await revisions.getMany(tx, some)) {
      if (!revision) throw failure("storage_damaged");
      for (const page of await bringSpace(objects, pool, revision)) changed.push(page);
      pool.unsaved += CHARACTERS_A_SPACE;
      if (changed.length >= AT_ONCE) await flush();
      await takeBreak();
    }
  }
  await flush();
  await inTurns(pool.index.settle());
  pool.readable.clear();
  pools.set(name, pool);
}

/** Takes one space to a revision, and gives the pages that are to be put in. */
async function bringSpace(
  objects: Indexing["objects"],
  { index, spaces }: Pool,
  { id, space, root }: RevisionRecord,
): Promise<[name: string, page: PageEntry][]> {
  const known = spaces.get(space) as Exclude<Pooled, "apart"> | undefined;
  const pages = known?.pages ?? new Set<string>();
  let kept = known ? known.kept : 0;
  const changed: [name: string, page: PageEntry][] = [];
  let isApart = false;
  for await (const { key, before, after } of diff(nodesOf(objects), known?.root ?? null, root, { under: keys.pages })) {
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
    spaces.set(space, { revision: id, root, pages, kept });
    return changed;
  }
  for (const page of pages) index.remove(nameOf(space, page));
  spaces.set(space, "apart");
  return [];
}

function searched({ index }: Pool, { inside, apart }: Readable, query: string, pagesEach: number): FromPool {
  const { hits, sectionsInSteps } = index.searchAmong(query, (name) => inside.has(spaceOf(name)));
  const sectionsIn: RankedPages["sectionsIn"] = async ({ body }, texts) =>
    inTurns(sectionsInSteps(await sectionsOf(texts, body)));
  const bySpace = new Map<string, Ranked[]>();
  for (const { id: name, score } of hits) {
    const space = spaceOf(name);
    const page = { id: pageOf(name), score };
    const others = bySpace.get(space);
    if (others) others.push(page);
    else bySpace.set(space, [page]);
  }
  const found = [...bySpace].map(([space, pages]) => {
    const best = pages.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, pagesEach);
    return { space: inside.get(space)!, pages: { total: pages.length, hits: best, sectionsIn } };
  });
  return { found, apart };
}
