// The current records and a cache of them. This process is the only writer, so the cache is correct if two rules are followed: a
// commit updates the cache in the same turn in which it becomes visible, and a reader caches an entry only if no commit has started
// to overwrite it since (see `history.ts`).

import type { Entry, Key, KeySpan, Version } from "../adapter";
import type { Database } from "./database";
import { keys, parseRecord, parseRecordHead, verifyRecord } from "./layout";

/** The approximate memory that an entry takes besides its text: objects and its place in the cache. */
const ENTRY_OVERHEAD = 200;

/** The entry of a key, with the approximate memory that it takes. */
interface CachedRecord {
  readonly entry: Entry | undefined;
  readonly bytes: number;
}

/**
 * The cache has two generations. An entry that is used moves to the younger one. When that takes half of the memory, it becomes the
 * older one, and the previous older one is dropped. A list in the order of use would evict more precisely, but it changes with every
 * lookup, and across all partitions its keys are longer. With such a list, a durable write took a seventh more time.
 */
export class Records {
  readonly #database: Database;
  /** The maximum size of one generation. */
  readonly #maxBytes: number;
  readonly #partitions: PartitionRecords[] = [];
  #youngBytes = 0;

  constructor(database: Database, cacheBytes: number) {
    this.#database = database;
    this.#maxBytes = cacheBytes / 2;
  }

  getPartition(partition: string): PartitionRecords {
    const records = new PartitionRecords(this.#database, partition, this.#maxBytes, (bytes) => this.#grow(bytes));
    this.#partitions.push(records);
    return records;
  }

  /** Empties the cache, after a write whose outcome is not known. */
  forget(): void {
    this.#youngBytes = 0;
    for (const partition of this.#partitions) partition.forget();
  }

  #grow(bytes: number): void {
    this.#youngBytes += bytes;
    if (this.#youngBytes <= this.#maxBytes) return;
    this.#youngBytes = 0;
    for (const partition of this.#partitions) partition.age();
  }
}

export class PartitionRecords {
  readonly #database: Database;
  readonly #partition: string;
  readonly #prefix: string;
  readonly #maxBytes: number;
  /** Reports by how much the younger generation has grown. */
  readonly #onGrow: (bytes: number) => void;
  #young = new Map<Key, CachedRecord>();
  #old = new Map<Key, CachedRecord>();

  constructor(database: Database, partition: string, maxBytes: number, onGrow: (bytes: number) => void) {
    this.#database = database;
    this.#partition = partition;
    this.#prefix = keys.recordPrefix(partition);
    this.#maxBytes = maxBytes;
    this.#onGrow = onGrow;
  }

  /** Makes the younger generation the older one, and drops the previous older one. */
  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  forget(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  encodeKey(key: Key): string {
    return this.#prefix + key;
  }

  /** Returns the cached entry, or undefined if the key is known to be absent; null if it is not cached. */
  getCached(key: Key): Entry | undefined | null {
    const young = this.#young.get(key);
    if (young) return young.entry;
    const old = this.#old.get(key);
    if (!old) return null;
    this.#store(key, old);
    return old.entry;
  }

  /** Reads the stored texts of keys. */
  read(keys: readonly Key[]): Promise<(string | undefined)[]> {
    return this.#database.read(keys.map((key) => this.encodeKey(key)));
  }

  /** Reads the keys of a span and their stored texts. */
  async scan({ from, to }: KeySpan, options: { reverse: boolean; limit: number }): Promise<[Key, string][]> {
    const lt = to === undefined ? `${this.#prefix.slice(0, -1)}\x01` : this.encodeKey(to);
    const rows = await this.#database.scan({ gte: this.encodeKey(from), lt, ...options });
    for (const row of rows) row[0] = row[0].slice(this.#prefix.length);
    return rows;
  }

  /** Parses a text that was just read and caches the entry. Only allowed if no commit has started to overwrite it since. */
  parseAndCache(key: Key, row: string | undefined): Entry | undefined {
    if (row !== undefined) {
      const cached = this.getCached(key);
      if (cached && cached.version === parseRecordHead(row, this.#partition, key).version) return cached;
    }
    const entry = row === undefined ? undefined : parseRecord(row, this.#partition, key);
    this.#cache(key, entry, row);
    return entry;
  }

  /** Returns whether a text was written after a version. Such a text is verified here, because it is not read any further. */
  isAfter(version: Version, key: Key, row: string): boolean {
    return (
      parseRecordHead(row, this.#partition, key).version > version &&
      verifyRecord(row, this.#partition, key).version > version
    );
  }

  /**
   * Updates the cache with a write if it contains the key. A new key is cached when it is first read, because most index entries and
   * audit rows are never looked up by their key.
   */
  updateCached(key: Key, entry: Entry | undefined, text: string | undefined): void {
    if (this.#young.has(key) || this.#old.has(key)) this.#cache(key, entry, text);
  }

  #cache(key: Key, entry: Entry | undefined, text = ""): void {
    const bytes = key.length + text.length + ENTRY_OVERHEAD;
    if (bytes <= this.#maxBytes) this.#store(key, { entry, bytes });
    else this.#drop(key);
  }

  #drop(key: Key): void {
    this.#onGrow(-(this.#young.get(key)?.bytes ?? 0));
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #store(key: Key, record: CachedRecord): void {
    const before = this.#young.get(key);
    this.#young.set(key, record);
    this.#onGrow(record.bytes - (before?.bytes ?? 0));
  }
}
