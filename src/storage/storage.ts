// The storage contract: all that Octavo asks of a place to keep things. An adapter implements these types and passes
// the suite in `octavo/conformance`; there are no capability flags, because what cannot keep a promise is no adapter. The
// promises stand at `Storage`, and are cited by their numbers elsewhere.

/** A JSON value. Immutable: a storage may hand out the same (frozen) object twice, and callers never change one. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/**
 * Ordered bytes, one per character: every char code is 0 to 255, so `<` on two keys is the order of their bytes and a
 * key can be looked up in a `Map`. `store/key.ts` makes them out of tuples.
 */
export type Key = string;

/** The place of a commit in its partition's order: a positive integer. */
export type Version = number;

/** A value under its key, with the version of the commit that wrote it last. */
export interface Entry {
  readonly key: Key;
  readonly value: Json;
  readonly version: Version;
}

/**
 * A place that keeps partitions and blobs. It promises:
 *
 * 1. The commits of a partition form one order, and versions grow with it.
 * 2. Strict serializability per partition: a snapshot holds every commit acknowledged before the call, by any process.
 * 3. Acknowledged means durable.
 * 4. Keys are ordered by their bytes.
 * 5. An outcome that is not known throws `Unavailable` with `outcome: "unknown"`; nothing else leaves doubt.
 * 6. The limits (`MAX_KEY_BYTES` …) hold everywhere, and one byte more is `TooLarge`.
 */
export interface Storage {
  /** A key space that commits on its own; nothing is atomic across two. Names: `^[a-z0-9][a-z0-9-]{0,62}$`. */
  partition(name: string): Partition;
  /** Names of the partitions that were ever committed to, in order: for maintenance, backup and verification. */
  partitions(after?: string): AsyncIterable<string>;
  /** Bytes too large for a record. */
  readonly blobs: Blobs;
  /** Names the process that has the storage, where only one can have it: another value each time that it is opened. Whoever
   * holds a lease under another value has ended, and is not waited for. */
  readonly owner?: string;
  /** Work of the storage's own that can wait, a bounded piece of it: merging, sweeping. Safe at any time, in any process.
   * `after` and `partitions` name a piece, where such work goes by partitions; without them it goes on where this process
   * has stopped. */
  maintain?(piece?: { readonly after?: string; readonly partitions?: number }): Promise<unknown>;
  /** Finishes what was acknowledged or begun; afterwards every call throws `Closed`. Closing twice is no error. */
  close(): Promise<void>;
}

/** An ordered map of JSON values with one atomic conditional commit. */
export interface Partition {
  /** A view that does not change while it is read. It holds every commit acknowledged before the call, by any process. */
  snapshot(): Promise<Snapshot>;
  /** Applies all of the batch or none of it. Refused, not thrown, when a check no longer holds. */
  commit(batch: Batch): Promise<Committed>;
}

/** What became of a batch: its version, or the first key whose check did not hold. */
export type Committed =
  | { readonly ok: true; readonly version: Version }
  | { readonly ok: false; readonly conflict: Key };

/** A partition at one version. Dropping it is enough; there is nothing to close. */
export interface Snapshot {
  /** The version of the last commit that the view holds; 0 when there was none. */
  readonly version: Version;
  /** The entries under these keys, in the order asked; `undefined` where there is none. */
  get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]>;
  /** The entries of a range, in key order (or against it). */
  list(range: Range): Promise<readonly Entry[]>;
}

/** The keys that begin with `under`, strictly after `after` and strictly before `before`; at most `limit` of them. */
export interface Range {
  readonly under: Key;
  readonly after?: Key | undefined;
  readonly before?: Key | undefined;
  /** From the last to the first. Default: false. */
  readonly reverse?: boolean | undefined;
  readonly limit: number;
}

/** What one commit does. A key stands at most once among `puts`, `deletes` and `adds` together. */
export interface Batch {
  /** Every key must still have this version; null: the key must be absent. */
  readonly checks: readonly { readonly key: Key; readonly version: Version | null }[];
  /** `isNew`: nothing was ever stored under the key, because it holds an id that was drawn for this commit. A storage need
   * not look what was there, and may leave this out of account. */
  readonly puts: readonly { readonly key: Key; readonly value: Json; readonly isNew?: true }[];
  /** Deleting what is absent is no error. */
  readonly deletes: readonly Key[];
  /** Commutative counters: no check, no conflict. An absent key counts as 0; a value that is not a number is replaced. */
  readonly adds: readonly { readonly key: Key; readonly amount: number }[];
}

/** Bytes under names. A name (`^[a-z0-9][a-z0-9-]{0,127}$`) is written once and never used again, also not after a delete. */
export interface Blobs {
  /** Resolves with the size once the bytes are durable. A stream that fails leaves nothing that `get` would return. */
  put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ readonly size: number }>;
  /** The bytes from `start` (default 0) up to but not including `end` (default: the size); `undefined` when absent. */
  get(
    name: string,
    range?: { readonly start?: number; readonly end?: number },
  ): Promise<{ readonly size: number; readonly stream: ReadableStream<Uint8Array> } | undefined>;
  /** Deleting what is absent is no error. */
  delete(name: string): Promise<void>;
  /** The names, in order. */
  list(after?: string): AsyncIterable<string>;
}

/** The longest key, in bytes. */
export const MAX_KEY_BYTES = 1024;
/** The largest value, in bytes of its JSON text as UTF-8. */
export const MAX_VALUE_BYTES: number = 64 * 1024;
/** The most puts, deletes and adds in a batch. */
export const MAX_BATCH_ENTRIES = 500;
/** The most checks in a batch. */
export const MAX_BATCH_CHECKS = 1000;
/** The most bytes of keys and values that a batch writes. */
export const MAX_BATCH_BYTES: number = 800 * 1024;

/** The closed list of what a storage throws. The class tells the caller what to do; the message is for people. */
export abstract class StorageError extends Error {
  abstract readonly code: "conflict" | "unavailable" | "corrupt" | "closed" | "too_large";
  override get name(): string {
    return this.constructor.name;
  }
}

/** Run the transaction again: others kept winning. Thrown above the contract, when the time is up. */
export class Conflict extends StorageError {
  readonly code = "conflict";
}

/** Try later. `outcome: "unknown"` says that the commit may have happened. */
export class Unavailable extends StorageError {
  readonly code = "unavailable";
  readonly outcome: "none" | "unknown";
  constructor(message: string, options: { outcome: "none" | "unknown"; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.outcome = options.outcome;
  }
}

/** Stop: something stored is not what was written. The message names the object. */
export class Corrupt extends StorageError {
  readonly code = "corrupt";
}

/** The storage was closed. */
export class Closed extends StorageError {
  readonly code = "closed";
}

/** A key, value or batch is over its limit, or not of the contract's form. Nothing was written. */
export class TooLarge extends StorageError {
  readonly code = "too_large";
}
