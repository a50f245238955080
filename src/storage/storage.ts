// The storage contract: everything that Octavo needs from a database. An adapter implements these types and passes the suite in
// `octavo/conformance`. There are no capability flags: a database that cannot keep a promise cannot be an adapter. The
// promises are listed at `Storage`, and other files cite them by number.

/** A JSON value. It is immutable: a storage may return the same (frozen) object twice, and callers never change one. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/**
 * An ordered sequence of bytes, one per character. Every character code is 0 to 255, so `<` compares two keys byte by byte, and
 * a key can be looked up in a `Map`. `key.ts` encodes tuples as keys.
 */
export type Key = string;

/** The position of a commit in the order of its partition: a positive integer. */
export type Version = number;

/** A key and its value, with the version of the commit that last wrote it. */
export interface Entry {
  readonly key: Key;
  readonly value: Json;
  readonly version: Version;
}

/**
 * A database of partitions and blobs. It promises:
 *
 * 1. The commits of a partition form one total order, and versions increase with it.
 * 2. Each partition is strictly serializable: a snapshot contains every commit that was acknowledged before the call, by any
 *    process.
 * 3. An acknowledged write is durable.
 * 4. Keys are ordered by their bytes.
 * 5. A write whose outcome is not known throws `Unavailable` with `outcome: "unknown"`. No other error leaves the outcome in
 *    doubt.
 * 6. The limits (`MAX_KEY_BYTES` and so on) apply in every adapter, and exceeding one by a single byte throws `TooLarge`.
 */
export interface Storage {
  /**
   * Returns a partition: a key space with its own commits. No operation is atomic across two partitions. A name matches
   * `^[a-z0-9][a-z0-9-]{0,62}$`.
   */
  partition(name: string): Partition;
  /** Lists, in order, the names of all partitions that have ever been committed to. For maintenance, backup and verification. */
  partitions(after?: string): AsyncIterable<string>;
  /** Binary objects that are too large for a record. */
  readonly blobs: Blobs;
  /**
   * Identifies the process that has the storage open, if only one process can. The value changes each time the storage is
   * opened, so a lease that was taken under another value belongs to a process that has ended and can be ignored.
   */
  readonly owner?: string;
  /**
   * Runs a limited amount of the storage's own deferred work, such as merging or sweeping. It is safe to call at any time, in
   * any process. If the work is divided by partition, `after` and `partitions` select the partitions to work on; by default the
   * call continues where this process stopped.
   */
  maintain?(piece?: { readonly after?: string; readonly partitions?: number }): Promise<unknown>;
  /** Finishes all writes that have been acknowledged or started. Later calls throw `Closed`. Closing twice is not an error. */
  close(): Promise<void>;
}

/** An ordered map of JSON values that is changed by atomic, conditional commits. */
export interface Partition {
  /** Returns an immutable view that contains every commit acknowledged before the call, by any process. */
  snapshot(): Promise<Snapshot>;
  /** Applies all of a batch or nothing. A check that fails is returned as a conflict and does not throw. */
  commit(batch: Batch): Promise<Committed>;
}

/** The outcome of a commit: its version, or the first key whose check failed. */
export type Committed =
  | { readonly ok: true; readonly version: Version }
  | { readonly ok: false; readonly conflict: Key };

/** A partition at one version. A snapshot does not need to be closed: dropping the reference is enough. */
export interface Snapshot {
  /** The version of the last commit in the snapshot; 0 if the partition has no commits. */
  readonly version: Version;
  /** Returns the entries of the given keys in the same order, with `undefined` for every key that is absent. */
  get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]>;
  /** Returns the entries of a range in key order, or in reverse. */
  list(range: Range): Promise<readonly Entry[]>;
}

/** The keys that start with `under`, strictly after `after` and strictly before `before`; at most `limit` of them. */
export interface Range {
  readonly under: Key;
  readonly after?: Key | undefined;
  readonly before?: Key | undefined;
  /** Lists from the last key to the first. Default: false. */
  readonly reverse?: boolean | undefined;
  readonly limit: number;
}

/** The checks and writes of one commit. A key occurs at most once in `puts`, `deletes` and `adds` together. */
export interface Batch {
  /** The version that each key must still have; null requires the key to be absent. */
  readonly checks: readonly { readonly key: Key; readonly version: Version | null }[];
  /**
   * The values to write. `isNew` states that nothing was ever stored under the key, because the key contains an id that was
   * generated for this commit. A storage can use this to skip looking up the previous value, or ignore it.
   */
  readonly puts: readonly { readonly key: Key; readonly value: Json; readonly isNew?: true }[];
  /** The keys to delete. Deleting an absent key is not an error. */
  readonly deletes: readonly Key[];
  /**
   * The counters to change. Additions commute, so they need no check and never conflict. An absent key counts as 0, and a value
   * that is not a number is replaced.
   */
  readonly adds: readonly { readonly key: Key; readonly amount: number }[];
}

/**
 * Named binary objects. A name matches `^[a-z0-9][a-z0-9-]{0,127}$`. It is written once and never reused, even after a delete.
 */
export interface Blobs {
  /** Stores a blob and resolves with its size once it is durable. If the stream fails, `get` finds no blob under the name. */
  put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ readonly size: number }>;
  /**
   * Returns the size of the blob and a stream of its bytes from `start` (default: 0) up to but not including `end` (default: the
   * size); `undefined` if the blob does not exist.
   */
  get(
    name: string,
    range?: { readonly start?: number; readonly end?: number },
  ): Promise<{ readonly size: number; readonly stream: ReadableStream<Uint8Array> } | undefined>;
  /** Deletes a blob. Deleting one that does not exist is not an error. */
  delete(name: string): Promise<void>;
  /** Lists the names in order. */
  list(after?: string): AsyncIterable<string>;
}

/** The maximum length of a key, in bytes. */
export const MAX_KEY_BYTES = 1024;
/** The maximum size of a value, in bytes of its JSON text as UTF-8. */
export const MAX_VALUE_BYTES: number = 64 * 1024;
/** The maximum number of puts, deletes and adds in a batch. */
export const MAX_BATCH_ENTRIES = 500;
/** The maximum number of checks in a batch. */
export const MAX_BATCH_CHECKS = 1000;
/** The maximum number of bytes of keys and values that a batch writes. */
export const MAX_BATCH_BYTES: number = 800 * 1024;

/** The base class of all errors that a storage throws. The class tells the caller what to do; the message is for people. */
export abstract class StorageError extends Error {
  abstract readonly code: "conflict" | "unavailable" | "corrupt" | "closed" | "too_large";
  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * Other writers kept changing the same records until the retries timed out. The caller can run the transaction again. Storages
 * do not throw this error: the layer above the contract does.
 */
export class Conflict extends StorageError {
  readonly code = "conflict";
}

/** The storage cannot be used at the moment. `outcome: "unknown"` means that the commit may have been applied. */
export class Unavailable extends StorageError {
  readonly code = "unavailable";
  readonly outcome: "none" | "unknown";
  constructor(message: string, options: { outcome: "none" | "unknown"; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.outcome = options.outcome;
  }
}

/** Stored data differs from what was written. The message names the damaged object. Retrying does not help. */
export class Corrupt extends StorageError {
  readonly code = "corrupt";
}

/** The storage has been closed. */
export class Closed extends StorageError {
  readonly code = "closed";
}

/** A key, value or batch exceeds a limit or is malformed. Nothing was written. */
export class TooLarge extends StorageError {
  readonly code = "too_large";
}
