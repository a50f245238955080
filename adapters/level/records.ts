// The records as they are now, and a cache of them. This process is the only writer, so the cache is right as long as
// two rules hold: a commit replaces what it wrote in the same turn in which it becomes visible, and a reader keeps what
// it read only when no commit has begun to overwrite it since (`history.ts` knows).

import type { Entry, Key, KeySpan, Version } from "../adapter";
import type { Database } from "./database";
import { encodeRecordPrefix, parseRecord, parseRecordVersion, verifyRecord } from "./layout";

/** What an entry costs beside its text: the objects around it and its place in the cache, about. */
const ENTRY_OVERHEAD = 200;

/** What a key holds, and about how much memory that takes. */
interface CachedRecord {
  readonly entry: Entry | undefined;
  readonly bytes: number;
}

/**
 * The cache has two generations. What is used is in the younger one. When that one has half of the memory, it becomes
 * the older one, and what was there is forgotten. A list in the order of use would know more exactly what to forget.
 * But it is changed with every look-up, and over all partitions its keys are longer. With it, a durable write took a
 * seventh more time.
 */
export class Records {
  readonly #database: Database;
  /** Of one generation. */
  readonly #mostBytes: number;
  readonly #partitions: PartitionRecords[] = [];
  #youngBytes = 0;

  constructor(database: Database, cacheBytes: number) {
    this.#database = database;
    this.#mostBytes = cacheBytes / 2;
  }

  /** The records of one partition. */
  getPartition(partition: string): PartitionRecords {
    const records = new PartitionRecords(this.#database, partition, this.#mostBytes, (bytes) => this.#grow(bytes));
    this.#partitions.push(records);
    return records;
  }

  /** Forgets everything: after a write whose outcome is not known. */
  forget(): void {
    this.#youngBytes = 0;
    for (const partition of this.#partitions) partition.forget();
  }

  #grow(bytes: number): void {
    this.#youngBytes += bytes;
    if (this.#youngBytes <= this.#mostBytes) return;
    this.#youngBytes = 0;
    for (const partition of this.#partitions) partition.age();
  }
}

export class PartitionRecords {
  readonly #database: Database;
  readonly #partition: string;
  readonly #prefix: string;
  readonly #mostBytes: number;
  /** Tells by how much the younger generation grew. */
  readonly #grew: (bytes: number) => void;
  #young = new Map<Key, CachedRecord>();
  #old = new Map<Key, CachedRecord>();

  constructor(database: Database, partition: string, mostBytes: number, grew: (bytes: number) => void) {
    this.#database = database;
    this.#partition = partition;
    this.#prefix = encodeRecordPrefix(partition);
    this.#mostBytes = mostBytes;
    this.#grew = grew;
  }

  /** The younger generation becomes the older one, which is forgotten. */
  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  forget(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  /** Where the record of a key lies. */
  encodeKey(key: Key): string {
    return this.#prefix + key;
  }

  /** What the cache holds; null when it does not know. */
  getCached(key: Key): Entry | undefined | null {
    const young = this.#young.get(key);
    if (young) return young.entry;
    const old = this.#old.get(key);
    if (!old) return null;
    this.#hold(key, old);
    return old.entry;
  }

  /** The stored texts of keys. */
  read(keys: readonly Key[]): Promise<(string | undefined)[]> {
    return this.#database.read(keys.map((key) => this.encodeKey(key)));
  }

  /** The keys of a span and their stored texts. */
  async scan({ from, to }: KeySpan, options: { reverse: boolean; limit: number }): Promise<[Key, string][]> {
    const lt = to === undefined ? `${this.#prefix.slice(0, -1)}\x01` : this.encodeKey(to);
    const rows = await this.#database.scan({ gte: this.encodeKey(from), lt, ...options });
    for (const row of rows) row[0] = row[0].slice(this.#prefix.length);
    return rows;
  }

  /** The entry of a text that was just read, which is cached. Only for what no commit has begun to overwrite since. */
  parseAndCache(key: Key, row: string | undefined): Entry | undefined {
    if (row !== undefined) {
      const cached = this.getCached(key);
      if (cached && cached.version === parseRecordVersion(row, this.#partition, key)) return cached;
    }
    const entry = row === undefined ? undefined : parseRecord(row, this.#partition, key);
    this.#keep(key, entry, row);
    return entry;
  }

  /** Whether a text was written after a version. One that says so must be sound: it is not looked at again. */
  isAfter(version: Version, key: Key, row: string): boolean {
    return (
      parseRecordVersion(row, this.#partition, key) > version &&
      verifyRecord(row, this.#partition, key).version > version
    );
  }

  /** Tells what a commit wrote. The cache follows if it holds the key; a new key comes in when it is first read. Most entries
   * of indexes, and rows of the audit log, are never looked up by their key. */
  updateCached(key: Key, entry: Entry | undefined, text: string | undefined): void {
    if (this.#young.has(key) || this.#old.has(key)) this.#keep(key, entry, text);
  }

  #keep(key: Key, entry: Entry | undefined, text = ""): void {
    const bytes = key.length + text.length + ENTRY_OVERHEAD;
    if (bytes <= this.#mostBytes) this.#hold(key, { entry, bytes });
    else this.#drop(key);
  }

  #drop(key: Key): void {
    this.#grew(-(this.#young.get(key)?.bytes ?? 0));
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #hold(key: Key, held: CachedRecord): void {
    const before = this.#young.get(key);
    this.#young.set(key, held);
    this.#grew(held.bytes - (before?.bytes ?? 0));
  }
}
