// The records as they are now, and a cache of them. This process is the only writer, so the cache is right as long as
// two rules hold: a commit replaces what it wrote in the same turn in which it becomes visible, and a reader keeps what
// it read only when no commit has begun to overwrite it since (`history.ts` knows).

import { LRUCache } from "lru-cache";
import type { Entry, Key, KeySpan } from "../adapter";
import type { Database } from "./database";
import { parseRecord, recordPrefix, recordVersion } from "./layout";

const ABSENT = Symbol("absent");

/** What an entry costs beside its text: the objects around it and its place in the cache, about. */
const ENTRY_OVERHEAD = 200;

export class Records {
  readonly #database: Database;
  readonly #cache: LRUCache<string, Entry | typeof ABSENT>;

  constructor(database: Database, cacheBytes: number) {
    this.#database = database;
    this.#cache = new LRUCache({ maxSize: Math.max(1, cacheBytes) });
  }

  /** The records of one partition. */
  of(partition: string): PartitionRecords {
    return new PartitionRecords(this.#database, this.#cache, partition);
  }

  /** Forgets everything: after a write whose outcome is not known. */
  forget(): void {
    this.#cache.clear();
  }
}

export class PartitionRecords {
  readonly #database: Database;
  readonly #cache: LRUCache<string, Entry | typeof ABSENT>;
  readonly #partition: string;
  readonly #prefix: string;

  constructor(database: Database, cache: LRUCache<string, Entry | typeof ABSENT>, partition: string) {
    this.#database = database;
    this.#cache = cache;
    this.#partition = partition;
    this.#prefix = recordPrefix(partition);
  }

  /** Where the record of a key lies. */
  at(key: Key): string {
    return this.#prefix + key;
  }

  /** What the cache holds; null when it does not know. */
  known(key: Key): Entry | undefined | null {
    const cached = this.#cache.get(this.at(key));
    return cached === undefined ? null : cached === ABSENT ? undefined : cached;
  }

  /** The stored texts of keys. */
  read(keys: readonly Key[]): Promise<(string | undefined)[]> {
    return this.#database.read(keys.map((key) => this.at(key)));
  }

  /** The keys of a span and their stored texts. */
  async scan({ from, to }: KeySpan, options: { reverse: boolean; limit: number }): Promise<[Key, string][]> {
    const lt = to === undefined ? `${this.#prefix.slice(0, -1)}\x01` : this.at(to);
    const rows = await this.#database.scan({ gte: this.at(from), lt, ...options });
    for (const row of rows) row[0] = row[0].slice(this.#prefix.length);
    return rows;
  }

  /** The entry of a text that was just read, which is cached. Only for what no commit has begun to overwrite since. */
  take(key: Key, row: string | undefined): Entry | undefined {
    if (row !== undefined) {
      const cached = this.#cache.get(this.at(key));
      if (cached && cached !== ABSENT && cached.version === recordVersion(row, this.#partition, key)) return cached;
    }
    const entry = row === undefined ? undefined : parseRecord(row, this.#partition, key);
    this.keep(key, entry, row);
    return entry;
  }

  /** Remembers what a key holds now. */
  keep(key: Key, entry: Entry | undefined, text = ""): void {
    this.#cache.set(this.at(key), entry ?? ABSENT, { size: key.length + text.length + ENTRY_OVERHEAD });
  }
}
