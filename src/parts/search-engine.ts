// What finds pages: an engine of the host's, or the indexes of our own.

import { LRUCache } from "lru-cache";
import type { Root } from "../content/map";
import type { SearchIndex, SearchPage } from "../content/search";
import { createTurns, type Turns } from "../turns/turns";

/** A search engine of the host's. It is told of every change of content, at least once, and asked for ids of pages. */
export interface SearchEngine {
  /** Takes pages in, in place of those with their ids, and takes others out. */
  update(
    space: { readonly organization: string; readonly space: string },
    change: { readonly put: readonly SearchPage[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /** The pages of a space that answer, best first: `limit` of them from `offset` on, and how many there are at all. */
  search(
    space: { readonly organization: string; readonly space: string },
    query: string,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly hits: readonly { readonly id: string; readonly score: number }[] }>;
}

/** An index at a state of the content. */
export interface IndexAt {
  readonly index: SearchIndex;
  readonly root: Root;
  /** Which computed pages are in it beside those of the content. */
  readonly computed: Pick<ComputedPages, "name" | "ids">;
}

/** The computed pages of a space, at a state of what they are computed from. */
export interface ComputedPages {
  /** The same name, the same pages. */
  readonly name: string;
  readonly ids: readonly string[];
  readonly pages: () => Iterable<SearchPage>;
}

/** The indexes that were used lately, by space. One that is being brought up to date is nobody else's meanwhile. */
export interface Indexes {
  readonly lately: {
    get(space: string): IndexAt | undefined;
    set(space: string, index: IndexAt): unknown;
    delete(space: string): unknown;
  };
  readonly turns: Turns;
}

/** About what an index takes in memory, and how much all of them may. */
const BYTES_A_PAGE = 4000;
const MAX_BYTES = 256 * 1024 * 1024;

export function createIndexes(): Indexes {
  const sizeCalculation = ({ index }: IndexAt) => 1000 + index.size * BYTES_A_PAGE;
  return { lately: new LRUCache<string, IndexAt>({ maxSize: MAX_BYTES, sizeCalculation }), turns: createTurns() };
}
