// Caches the entries of a partition that this process has read or written, as of one version (`known`). Each response of the database
// advances the cache to a later version by naming the keys that have changed since.

import type { LRUCache } from "lru-cache";
import type { Entry, Key, Version } from "../adapter";

/** The entry of a key at the known version, and the earliest version at which it is known to be the same. */
export interface CachedEntry {
  readonly entry: Entry | undefined;
  readonly since: Version;
  readonly bytes: number;
}

export type Cache = LRUCache<string, CachedEntry>;

/** The approximate memory that an entry takes besides its text: objects and its place in the cache. */
const ENTRY_OVERHEAD = 300;

export class Records {
  readonly #cache: Cache;
  readonly #partition: string;
  /** Part of every key in the cache. Incrementing it invalidates all entries of the partition. */
  #generation = 0;
  #known: Version = 0;

  constructor(cache: Cache, partition: string) {
    this.#cache = cache;
    this.#partition = partition;
  }

  /** The version up to which changes are known; 0 if none are. */
  get known(): Version {
    return this.#known;
  }

  /** Returns the entry of a key at a version, or undefined if it is known to be absent; null if that is not known. */
  getCached(key: Key, version: Version): Entry | undefined | null {
    if (version > this.#known) return null;
    const cached = this.#cache.get(this.#encodeCacheKey(key));
    return cached && cached.since <= version ? cached.entry : null;
  }

  /** Advances to a version that was read, given all keys that have changed since the known version. */
  advance(version: Version, changed: readonly Key[]): void {
    if (version <= this.#known) return;
    for (const key of changed) this.#cache.delete(this.#encodeCacheKey(key));
    this.#known = version;
  }

  /** Advances to a version that was read and invalidates everything, because the changes are not known. */
  reset(version: Version): void {
    if (version <= this.#known) return;
    this.#generation++;
    this.#known = version;
  }

  /**
   * Advances by a commit of this process, if no other process has written in between. If it returns true, the caller must
   * synchronously pass everything that the commit has written to `cacheWritten`.
   */
  advanceByCommit(base: Version, version: Version): boolean {
    if (base !== this.#known) return false;
    this.#known = version;
    return true;
  }

  /** Caches an entry of the commit that created the known version. */
  cacheWritten(key: Key, entry: Entry | undefined, text: string): void {
    this.#store(key, entry, entry?.version ?? this.#known, text);
  }

  /** Caches an entry that was read at `version` and had not changed until the version `read`. */
  cacheRead(key: Key, entry: Entry | undefined, version: Version, read: Version, text: string): void {
    if (version <= this.#known && this.#known <= read) this.#store(key, entry, entry?.version ?? version, text);
  }

  #store(key: Key, entry: Entry | undefined, since: Version, text: string): void {
    const bytes = key.length + text.length + ENTRY_OVERHEAD;
    this.#cache.set(this.#encodeCacheKey(key), { entry, since, bytes });
  }

  #encodeCacheKey(key: Key): string {
    return `${this.#partition}.${this.#generation}.${key}`;
  }
}
