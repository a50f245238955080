// The sizes of the caches of an API, which an operator may change. Every cache may be empty: caches save time, and nothing else
// depends on them.

/** The size of each cache. A size of 0 means that hardly anything is cached. */
export interface CacheSizes {
  /** Responses to GETs, which are served again until something changes, in bytes. Default: 16 MiB. */
  readonly responses?: number;
  /** Parsed pages and parts of revisions, in bytes. Without it, reading content parses again. Default: 64 MiB. */
  readonly objects?: number;
  /**
   * Complete contents of spaces as they are sent, in bytes: trees of pages, at about 650 bytes a page for the first thousand or two
   * and 120 for the others, and lists of files. Content that does not fit is written again for every request. Default: 64 MiB.
   */
  readonly contents?: number;
  /**
   * Search indexes, in bytes, at about 1 kB for a page of 2,000 characters. An index that is not cached is built again for the next
   * search. Default: 128 MiB.
   */
  readonly indexes?: number;
  /**
   * The things that members of an organization see and the order of lists, in bytes, at about 500 bytes for a space. Without it, a
   * list reads everything that it could show. Default: 32 MiB.
   */
  readonly lists?: number;
  /** Tokens that were used recently, in entries of about 1 kB. Default: 500. */
  readonly tokens?: number;
  /** URLs and the operations that they lead to, in entries of about 1 kB. Default: 500. */
  readonly routes?: number;
  /** Callers that the rate limit counts, in entries of about 200 bytes. A caller that is evicted begins a new window. Default: 50,000. */
  readonly callers?: number;
}

const MIB = 1024 * 1024;

/** The sizes that are used if the host gives no others. */
export const defaultSizes: Required<CacheSizes> = {
  responses: 16 * MIB,
  objects: 64 * MIB,
  contents: 64 * MIB,
  indexes: 128 * MIB,
  lists: 32 * MIB,
  tokens: 500,
  routes: 500,
  callers: 50_000,
};
