// A cache of what was used lately, which counts how often it helped. Its numbers are read by `api.metrics()`.

import { LRUCache } from "lru-cache";

/** How a cache is doing. */
export interface CacheStats {
  readonly entries: number;
  /** What it may hold at most, in bytes or in entries. */
  readonly limit: number;
  /** What it holds, in the same unit. */
  readonly size: number;
  readonly hits: number;
  readonly misses: number;
}

/** Values by name, the least recently used of which go first. */
export class LruCache<Value extends object> {
  readonly #values: LRUCache<string, Value>;
  #hits = 0;
  #misses = 0;

  /** Holds `limit` entries; or `limit` bytes, where their weight is given. */
  constructor(most: number, bytesOf: (value: Value) => number = () => 1) {
    // To the package, 0 means no limit. For a number of entries it would take all of their memory at once, which took
    // 9 ms for each API that was opened: so every cache is one by weight.
    this.#values = new LRUCache<string, Value>({ maxSize: Math.max(1, most), sizeCalculation: bytesOf });
  }

  /** The value of a name. One that is not valid any more does not count as found. */
  get(name: string, isValid?: (value: Value) => boolean): Value | undefined {
    const found = this.#values.get(name);
    const value = found === undefined || isValid?.(found) === false ? undefined : found;
    if (value === undefined) this.#misses++;
    else this.#hits++;
    return value;
  }

  /** Whether there is a value, valid or not. It is not counted. */
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
    const { size: entries, calculatedSize: size, maxSize: most } = this.#values;
    return { entries, limit: most, size, hits: this.#hits, misses: this.#misses };
  }
}
