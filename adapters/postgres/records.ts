// What this process knows of a partition at one version, `known`: the entries that were read or written. Each answer of the
// database takes the knowledge to a later version, by naming the keys that have changed since.

import type { LRUCache } from "lru-cache";
import type { Entry, Key, Version } from "../adapter";

/** What a key holds at `known`, and the version from which on it does, as far as that is known. */
export interface CachedEntry {
  readonly entry: Entry | undefined;
  readonly since: Version;
  readonly bytes: number;
}

export type Cache = LRUCache<string, CachedEntry>;

/** What an entry costs beside its text: the objects around it and its place in the cache, about. */
const ENTRY_OVERHEAD = 300;

export class Records {
  readonly #cache: Cache;
  readonly #partition: string;
  /** Part of every key in the cache: what was kept under an earlier one is never found again. */
  #generation = 0;
  #known: Version = 0;

  constructor(cache: Cache, partition: string) {
    this.#cache = cache;
    this.#partition = partition;
  }

  /** The version up to which changes are known; 0 in the beginning, when nothing is. */
  get known(): Version {
    return this.#known;
  }

  /** What a key holds at a version; null when that is not known. */
  getCached(key: Key, version: Version): Entry | undefined | null {
    if (version > this.#known) return null;
    const held = this.#cache.get(this.#at(key));
    return held && held.since <= version ? held.entry : null;
  }

  /** Moves on to a version that was read, with all keys that have changed since the version known before. */
  advance(version: Version, changed: readonly Key[]): void {
    if (version <= this.#known) return;
    for (const key of changed) this.#cache.delete(this.#at(key));
    this.#known = version;
  }

  /** Moves on to a version that was read, and forgets everything: it is not known what has changed. */
  reset(version: Version): void {
    if (version <= this.#known) return;
    this.#generation++;
    this.#known = version;
  }

  /** Moves on by a commit of this process, if nobody else has written in between. Whoever hears `true` then tells all that
   * the commit has written (`written`), before anybody else has a turn. */
  advanceByCommit(base: Version, version: Version): boolean {
    if (base !== this.#known) return false;
    this.#known = version;
    return true;
  }

  /** Remembers an entry of the commit that led to the version that is known. */
  cacheWritten(key: Key, entry: Entry | undefined, text: string): void {
    this.#keep(key, entry, entry?.version ?? this.#known, text);
  }

  /** Remembers what was read at `version`, where nothing had changed it until `read`. */
  cacheRead(key: Key, entry: Entry | undefined, version: Version, read: Version, text: string): void {
    if (version <= this.#known && this.#known <= read) this.#keep(key, entry, entry?.version ?? version, text);
  }

  #keep(key: Key, entry: Entry | undefined, since: Version, text: string): void {
    const bytes = key.length + text.length + ENTRY_OVERHEAD;
    this.#cache.set(this.#at(key), { entry, since, bytes });
  }

  #at(key: Key): string {
    return `${this.#partition}.${this.#generation}.${key}`;
  }
}
