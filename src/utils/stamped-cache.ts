// A memory of what was worked out from the records of a partition and serves many requests, such as the order of a list. Each
// value has a stamp: a text that changes whenever the value might. Whoever asks reads the stamp in their own snapshot, so
// a value never outlives what it was made from, whichever process changed that.

import { type CacheStats, LruCache } from "./lru-cache";

export interface StampedCache {
  /** The value of a name, if it has this stamp. */
  get<Value extends object>(name: string, stamp: string): Value | undefined;
  /** Keeps a value of about so many bytes. One that has grown is kept again. */
  set(name: string, stamp: string, value: object, bytes: number): void;
}

interface Kept {
  readonly stamp: string;
  readonly value: object;
  readonly bytes: number;
}

/** What a name, a stamp and the memory itself take beside a value. */
const OVERHEAD = 500;

/** A memory of about so many bytes. */
export function createStampedCache(most: number): StampedCache & { readonly getStats: () => CacheStats } {
  const all = new LruCache<Kept>(most, ({ bytes }) => bytes + OVERHEAD);
  return {
    get: <Value extends object>(name: string, stamp: string) =>
      all.get(name, (known) => known.stamp === stamp)?.value as Value | undefined,
    set: (name, stamp, value, bytes) => all.set(name, { stamp, value, bytes }),
    getStats: () => all.getStats(),
  };
}

/** The value of a name, worked out if there is none with this stamp. */
export async function getOrCompute<Value extends object>(
  memory: StampedCache,
  name: string,
  stamp: string,
  make: () => Promise<Value>,
  bytesOf: (value: Value) => number,
): Promise<Value> {
  const known = memory.get<Value>(name, stamp);
  if (known) return known;
  const made = await make();
  memory.set(name, stamp, made, bytesOf(made));
  return made;
}
