// The host's search engine, and the cache of the built-in indexes.

import type { MapRoot } from "../content/prolly-tree";
import type { SearchIndex, SearchPage } from "../content/search";
import type { KeyedMutex } from "../utils/concurrency/keyed-mutex";
import type { VersionedCache } from "../utils/versioned-cache";

/** A search engine of the host. It is notified of every change of content, at least once, and returns ids of pages. */
export interface SearchEngine {
  /** Stores pages, replacing those with the same ids, and removes others. */
  update(
    space: { readonly organization: string; readonly space: string },
    change: { readonly put: readonly SearchPage[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /** Returns the matching pages of a space, best first: `limit` of them from `offset` on, and the number of all matches. */
  search(
    space: { readonly organization: string; readonly space: string },
    query: string,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly hits: readonly { readonly id: string; readonly score: number }[] }>;
}

/** The index of a space at one state of its content. */
export interface SpaceIndex {
  readonly index: SearchIndex;
  readonly contentRoot: MapRoot;
  /** The computed pages that it includes. */
  readonly computedPages: IndexedComputedPages;
  /** The number of stored pages that not every reader may find; undefined if it is not known. */
  readonly restrictedPageCount: number | undefined;
  /** The characters that were indexed since a snapshot was stored. */
  readonly unsavedCharacters: number;
}

/** The computed pages in an index or in the host's engine. */
export interface IndexedComputedPages {
  /** Equal names mean equal pages. */
  readonly name: string;
  /** A digest of the text of each page, by the page's id. */
  readonly digests: ReadonlyMap<string, string>;
}

/** One index of the pages of many small spaces, for a search over all of them. */
export interface SpacePool {
  /** The id of an entry joins the ids of its space and its page. */
  readonly index: SearchIndex;
  readonly spaces: Map<string, PoolEntry>;
  /**
   * The spaces that each user may read, by user, as found at one version of the partition. Each space is at the revision that
   * it shows there: whenever a space is updated to another revision, this cache is cleared.
   */
  readonly readableSpaces: VersionedCache<object>;
  /** The characters that were indexed since a snapshot was stored. */
  unsavedCharacters: number;
}

/** A space of a pool and the state that it is at; `apart` if it is searched by an index of its own. */
export type PoolEntry =
  | {
      readonly revisionId: string;
      readonly contentRoot: MapRoot;
      readonly pageIds: Set<string>;
      /** The number of pages that not every reader may find; undefined if it is not known. */
      readonly restrictedPageCount: number | undefined;
      /** True if it is an mdBook, whose pages may include files. */
      readonly isBook: boolean;
    }
  | "apart";

/** Caches recently used indexes. An index is removed while it is updated, so that nobody else uses it. */
export interface SearchIndexCache {
  /** Indexes of spaces by space, pools by partition, and other data that was derived from pages, under names that differ from both. */
  readonly entries: VersionedCache;
  readonly mutex: KeyedMutex;
}
