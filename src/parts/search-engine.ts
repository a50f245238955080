// The search engine: the host's own, or the built-in indexes.

import type { Root } from "../content/map";
import type { SearchIndex, SearchPage } from "../content/search";
import { CountedCache } from "../counted-cache";
import { createTurns, type Turns } from "../turns/turns";

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
export interface IndexAt {
  readonly index: SearchIndex;
  readonly root: Root;
  /** The computed pages that it includes. */
  readonly computed: KnownComputed;
  /** The characters that were read for it since a copy was stored. */
  readonly unsaved: number;
}

/** The computed pages that somebody has: an index, or the host's engine. */
export interface KnownComputed {
  /** The same name means the same pages. */
  readonly name: string;
  /** A digest of what each page says, by its id. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Recently used indexes, by space. An index that is being updated is taken out meanwhile, so nobody else uses it. */
export interface Indexes {
  readonly lately: {
    get(space: string): IndexAt | undefined;
    set(space: string, index: IndexAt): unknown;
    delete(space: string): unknown;
  };
  readonly turns: Turns;
}

/** The approximate memory of an index. */
const BYTES_A_PAGE = 4000;

/** Indexes that take about so many bytes together. */
export function createIndexes(most: number): Indexes & { readonly lately: CountedCache<IndexAt> } {
  const bytesOf = ({ index }: IndexAt) => 1000 + index.size * BYTES_A_PAGE;
  return { lately: new CountedCache<IndexAt>(most, bytesOf), turns: createTurns() };
}
