// The port for another search engine, in place of the one that is built in.

import type { SearchPage } from "../../content/search";

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
