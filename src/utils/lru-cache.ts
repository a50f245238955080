// A cache of recently used values that counts its hits. `api.metrics()` reads the numbers.

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

/** Caches values by name and evicts the least recently used ones first. */
export class LruCache<Value extends object> {
  readonly #values: LRUCache<string, Value>;
  #hits = 0;
  #misses = 0;

  /** Creates a cache of `limit` entries, or of `limit` bytes if `measureBytes` returns the size of a value. */
  constructor(limit: number, measureBytes: (value: Value) => number = () => 1) {
    // The package treats 0 as unlimited. Given a number of entries, it allocates the memory for all of them at once, which
    // took 9 ms for each API that was opened: so every cache is limited by size.
    this.#values = new LRUCache<string, Value>({ maxSize: Math.max(1, limit), sizeCalculation: measureBytes });
  }

  /** Returns the value of a name. A value for which `isValid` returns false counts as a miss. */
  get(name: string, isValid?: (value: Value) => boolean): Value | undefined {
    const cached = this.#values.get(name);
    const value = cached === undefined || isValid?.(cached) === false ? undefined : cached;
    if (value === undefined) this.#misses++;
    else this.#hits++;
    return value;
  }

  /** Returns true if there is a value, valid or not. Counts neither as a hit nor as a miss. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  getStats(): CacheStats {
    const { size: entries, calculatedSize: size, maxSize: limit } = this.#values;
    return { entries, limit, size, hits: this.#hits, misses: this.#misses };
  }
}
