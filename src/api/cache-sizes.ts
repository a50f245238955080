// The sizes of the caches of one API, which an operator may change. All of them can be empty: they save time, and nothing
// depends on them.

/** How much each cache may hold. A size of 0 means that next to nothing is kept. */
export interface CacheSizes {
  /** Answers to GETs that are served again while nothing has changed, in bytes. Default: 16 MiB. */
  readonly answers?: number;
  /** Parsed pages and parts of revisions, in bytes. Reading content without it parses again. Default: 64 MiB. */
  readonly objects?: number;
  /** Whole contents of spaces as they are sent, in bytes: trees of pages, at about 650 bytes a page for the first thousand or two
   * and 120 for the others, and lists of files. One that has no room is written again for every request. Default: 64 MiB. */
  readonly contents?: number;
  /** Search indexes, in bytes, at about 1 kB for a page of 2,000 characters. An index that is not kept is built again for the next
   * search. Default: 128 MiB. */
  readonly indexes?: number;
  /** Which things of an organization its members see and how lists are ordered, in bytes, at about 500 bytes for a space. A list
   * without it reads everything that it could show. Default: 32 MiB. */
  readonly lists?: number;
  /** Tokens that were recognized lately, in entries of about 1 kB. Default: 500. */
  readonly tokens?: number;
  /** URLs whose operation is remembered, in entries of about 1 kB. Default: 500. */
  readonly routes?: number;
  /** Callers that the rate limit counts, in entries of about 200 bytes. A caller that is forgotten begins a new window.
   * Default: 50,000. */
  readonly callers?: number;
}

const MIB = 1024 * 1024;

const defaults: Required<CacheSizes> = {
  answers: 16 * MIB,
  objects: 64 * MIB,
  contents: 64 * MIB,
  indexes: 128 * MIB,
  lists: 32 * MIB,
  tokens: 500,
  routes: 500,
  callers: 50_000,
};

/** The sizes as they are used. */
export function cacheSizes(given: CacheSizes = {}): Required<CacheSizes> {
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(given).filter(([, size]) => size !== undefined)),
  };
}
