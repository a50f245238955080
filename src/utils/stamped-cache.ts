// A cache of values that are computed from the records of a partition and serve many requests, such as the order of a list.
// Each value has a stamp: a text that changes whenever the value might. Callers read the stamp in their own snapshot, so a
// value is never used for other records than those it was computed from, whichever process changed them.

import { type CacheStats, LruCache } from "./lru-cache";

export interface StampedCache {
  /** Returns the value of a name if it has this stamp. */
  get<Value extends object>(name: string, stamp: string): Value | undefined;
  /** Caches a value of about `bytes` bytes. A value that has grown must be set again. */
  set(name: string, stamp: string, value: object, bytes: number): void;
}

/** The bytes of a name, a stamp and the cache's own bookkeeping for each value. */
const ENTRY_OVERHEAD_BYTES = 500;

/** Creates a cache of about `maxBytes` bytes. */
export function createStampedCache(maxBytes: number): StampedCache & { readonly getStats: () => CacheStats } {
  const entries = new LruCache<{ readonly stamp: string; readonly value: object; readonly bytes: number }>(
    maxBytes,
    ({ bytes }) => bytes + ENTRY_OVERHEAD_BYTES,
  );
  return {
    get: <Value extends object>(name: string, stamp: string) =>
      entries.get(name, (entry) => entry.stamp === stamp)?.value as Value | undefined,
    set: (name, stamp, value, bytes) => entries.set(name, { stamp, value, bytes }),
    getStats: () => entries.getStats(),
  };
}

/** Returns the value of a name. If none with this stamp is cached, computes and caches it. */
export async function getOrCompute<Value extends object>(
  cache: StampedCache,
  name: string,
  stamp: string,
  compute: () => Promise<Value>,
  measureBytes: (value: Value) => number,
): Promise<Value> {
  const cached = cache.get<Value>(name, stamp);
  if (cached) return cached;
  const value = await compute();
  cache.set(name, stamp, value, measureBytes(value));
  return value;
}
