// A cache of recently used values. A value is valid as long as the versions that it was made from are the same and its time is not
// over. Callers read the versions in their own snapshot, so a value is never used for other records than those it was made from,
// whichever process changed them. The cache counts its hits, and `api.metrics()` reads the numbers.

import { LRUCache } from "lru-cache";

/** The fill level and the hits of a cache. */
export interface CacheStats {
  readonly entries: number;
  /** The capacity, in bytes or in entries. */
  readonly limit: number;
  /** The present size, in the same unit. */
  readonly size: number;
  readonly hits: number;
  readonly misses: number;
}

/** The versions that a value was made from: of partitions, of guards, or of anything else that changes whenever the value might. */
export type CacheVersions = readonly (string | number | null | undefined)[];

interface CacheEntry<Value> {
  readonly value: Value;
  readonly versions: CacheVersions;
  readonly expiresAt: number | undefined;
}

const NO_VERSIONS: CacheVersions = [];

/** Caches values by name and evicts the least recently used ones first. */
export class VersionedCache<Value = unknown> {
  readonly #entries: LRUCache<string, CacheEntry<Value>>;
  readonly #entryBytes: number;
  #hits = 0;
  #misses = 0;

  /**
   * Creates a cache of about `limit` bytes. `entryBytes` are those of an entry besides its value. Without them, and without the
   * bytes of values, the limit is a number of entries.
   */
  constructor(limit: number, entryBytes = 1) {
    // The package treats 0 as unlimited. Given a number of entries, it allocates the memory for all of them at once, which
    // took 9 ms for each API that was opened: so every cache is limited by size.
    this.#entries = new LRUCache<string, CacheEntry<Value>>({ maxSize: Math.max(1, Math.floor(limit)) });
    this.#entryBytes = entryBytes;
  }

  /** Returns the value of a name if it was made from these versions. A value with a time limit is returned only for a time `now`. */
  get<Found extends Value = Value>(
    name: string,
    versions: CacheVersions = NO_VERSIONS,
    now = Number.POSITIVE_INFINITY,
  ): Found | undefined {
    const entry = this.#entries.get(name);
    let isValid =
      entry !== undefined &&
      entry.versions.length === versions.length &&
      (entry.expiresAt === undefined || now < entry.expiresAt);
    for (let i = 0; isValid && i < versions.length; i++) isValid = entry!.versions[i] === versions[i];
    if (isValid) this.#hits++;
    else this.#misses++;
    return isValid ? (entry!.value as Found) : undefined;
  }

  /** Returns the value of a name, valid or not. Counts neither as a hit nor as a miss. */
  peek(name: string): Value | undefined {
    return this.#entries.peek(name)?.value;
  }

  /**
   * Caches a value of about `bytes` bytes, for as long as it is made from `versions`, and up to `expiresAt`, in epoch milliseconds.
   * A value that has grown must be set again.
   */
  set(
    name: string,
    value: Value,
    {
      versions = NO_VERSIONS,
      expiresAt,
      bytes = 0,
    }: { readonly versions?: CacheVersions; readonly expiresAt?: number | undefined; readonly bytes?: number } = {},
  ): void {
    this.#entries.set(name, { value, versions, expiresAt }, { size: this.#entryBytes + bytes });
  }

  /**
   * Returns the value of a name if it was made from these versions, otherwise computes and caches it. `measureBytes` returns undefined
   * for a value that must not be cached.
   */
  async getOrCompute<Computed extends Value>(
    name: string,
    versions: CacheVersions,
    compute: () => Promise<Computed>,
    measureBytes: (value: Computed) => number | undefined,
  ): Promise<Computed> {
    const cached = this.get<Computed>(name, versions);
    if (cached !== undefined) return cached;
    const value = await compute();
    const bytes = measureBytes(value);
    if (bytes !== undefined) this.set(name, value, { versions, bytes });
    return value;
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }

  clear(): void {
    this.#entries.clear();
  }

  getStats(): CacheStats {
    const { size: entries, calculatedSize: size, maxSize: limit } = this.#entries;
    return { entries, limit, size, hits: this.#hits, misses: this.#misses };
  }
}
