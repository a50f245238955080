// How much an archive may hold. What it declares is checked against these before anything is inflated, and what really
// comes out while it is.

/** The limits of an archive, nested ones included. */
export interface ArchiveLimits {
  /** How many entries it may list. */
  readonly entries: number;
  /** How many bytes all its files may have together. */
  readonly bytes: number;
  /** How many bytes one file may have. */
  readonly entryBytes: number;
  /** How many times larger than its compressed form a file may be; small files may be anything. */
  readonly ratio: number;
  /** How many bytes a name may have. */
  readonly nameBytes: number;
}

/** The limits when nobody sets others. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 20_000,
  bytes: 256 * 1024 * 1024,
  entryBytes: 64 * 1024 * 1024,
  ratio: 250,
  nameBytes: 1024,
};

/** Up to this size the ratio of a file is not checked. */
export const SMALL_BYTES = 1024 * 1024;
