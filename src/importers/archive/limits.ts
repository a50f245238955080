// The limits of archives. The declarations of an archive are checked against these before anything is inflated, and the real sizes
// while it is.

/** The limits of an archive, including nested ones. */
export interface ArchiveLimits {
  /** The most entries. */
  readonly maxEntries: number;
  /** The most bytes of all files together. */
  readonly maxBytes: number;
  /** The most bytes of one file. */
  readonly maxEntryBytes: number;
  /** The greatest ratio of the size of a file to its compressed size. Small files may have any. */
  readonly maxRatio: number;
  /** The most bytes of a name. */
  readonly maxNameBytes: number;
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 20_000,
  maxBytes: 256 * 1024 * 1024,
  maxEntryBytes: 64 * 1024 * 1024,
  maxRatio: 250,
  maxNameBytes: 1024,
};

/** The ratio of files up to this size is not checked. */
export const MIN_RATIO_BYTES = 1024 * 1024;
