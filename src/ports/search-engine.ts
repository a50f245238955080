// The search engine: the host's own, or the built-in indexes.

import type { MapRoot } from "../content/prolly-tree";
import type { SearchIndex, SearchPage } from "../content/search";
import { createKeyedMutex, type KeyedMutex } from "../utils/concurrency/keyed-mutex";
import { type CacheStats, LruCache } from "../utils/lru-cache";

/** A search engine of the host. It is told of every change of content, at least once, and returns ids of pages. */
export interface SearchEngine {
  /** Stores pages, replacing those with the same ids, and removes others. */
  update(
    space: { readonly organization: string; readonly space: string },
    change: { readonly put: readonly SearchPage[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /** The matching pages of a space, best first: `limit` of them from `offset` on, and the number of all matches. */
  search(
    space: { readonly organization: string; readonly space: string },
    query: string,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly hits: readonly { readonly id: string; readonly score: number }[] }>;
}

/** An index, and the state of the content that it is at. */
export interface SpaceIndex {
  readonly index: SearchIndex;
  readonly contentRoot: MapRoot;
  /** The computed pages that it includes. */
  readonly computedPages: IndexedComputedPages;
  /** How many stored pages not everybody finds; undefined: it is not known. */
  readonly restrictedPageCount: number | undefined;
  /** The characters that were read for it since a copy was stored. */
  readonly unsavedCharacters: number;
}

/** The computed pages that somebody has: an index, or the host's engine. */
export interface IndexedComputedPages {
  /** The same name means the same pages. */
  readonly name: string;
  /** A digest of what each page says, by its id. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The pages of many small spaces in one index, for a search over all of them. */
export interface SpacePool {
  /** A page is known as its space and its id in one. */
  readonly index: SearchIndex;
  readonly spaces: Map<string, PoolEntry>;
  /** By user: the spaces that they may read, as found at one version of the partition. All of them are at the revisions that
   * they show there: when a space is brought to another one, this is empty. */
  readonly readableSpaces: Map<string, { readonly version: number; readonly spaces: object }>;
  /** The characters that were read for it since a copy was stored. */
  unsavedCharacters: number;
}

/** A space of a pool and the state that it is at; `apart`: it is searched by an index of its own. */
export type PoolEntry =
  | {
      readonly revisionId: string;
      readonly contentRoot: MapRoot;
      readonly pageIds: Set<string>;
      /** How many of the pages not everybody finds; undefined: it is not known. */
      readonly restrictedPageCount: number | undefined;
      /** Whether it is an mdBook, whose pages may include files. */
      readonly isBook: boolean;
    }
  | "apart";

/** What else was found out about pages for searching, in so many bytes. */
interface DerivedData {
  readonly bytes: number;
}

/** Recently used indexes, by space, and pools by partition. An index that is being updated is taken out meanwhile, so nobody else uses it. */
export interface SearchIndexCache {
  readonly spaceIndexes: CacheSection<SpaceIndex>;
  readonly pools: CacheSection<SpacePool>;
  /** Each has a name that no space and no partition has. */
  readonly derivedData: CacheSection<DerivedData>;
  readonly mutex: KeyedMutex;
}

interface CacheSection<Value> {
  get(name: string): Value | undefined;
  set(name: string, value: Value): unknown;
  delete(name: string): unknown;
}

/** Indexes that take about so many bytes together. No space has the name of a partition. */
export function createSearchIndexCache(most: number): SearchIndexCache & { readonly getStats: () => CacheStats } {
  const all = new LruCache<{ readonly index: SearchIndex } | DerivedData>(most, (it) =>
    "bytes" in it ? it.bytes : it.index.bytes,
  );
  return {
    spaceIndexes: all as CacheSection<object> as CacheSection<SpaceIndex>,
    pools: all as CacheSection<object> as CacheSection<SpacePool>,
    derivedData: all as CacheSection<object> as CacheSection<DerivedData>,
    mutex: createKeyedMutex(),
    getStats: () => all.getStats(),
  };
}
