// What a case of the suite is, and the short forms in which the cases are written.

import type { Batch, Entry, Json, Key, Partition, Range, Storage, Version } from "../../src/store/storage";
import { assert } from "./assert";

/** A storage under test. */
export interface Candidate {
  readonly storage: Storage;
  /**
   * Gives a storage with the same data. A durable one closes `storage`, also while commits are under way, and opens
   * what it left as another process would; one that lives in memory gives the same storage.
   */
  reopen(): Promise<Storage>;
  /** Called after the case, when the storage was closed. */
  cleanup?(): Promise<void>;
}

/** Runs something on a storage of its own, and closes that and whatever was opened again. */
export async function onCandidate(
  open: () => Promise<Candidate>,
  run: (candidate: Candidate) => Promise<void>,
): Promise<void> {
  const candidate = await open();
  let last = candidate.storage;
  const reopen = async () => {
    last = await candidate.reopen();
    return last;
  };
  try {
    await run({ storage: candidate.storage, reopen });
  } finally {
    await last.close();
    await candidate.cleanup?.();
  }
}

/** The cases of one promise, by name. `seed` decides all that is random. */
export type Cases = Record<string, (candidate: Candidate, seed: number) => Promise<void>>;

/** A batch out of what it does. */
export function batch(parts: {
  checks?: Record<Key, Version | null>;
  puts?: Record<Key, Json>;
  deletes?: readonly Key[];
  adds?: Record<Key, number>;
}): Batch {
  return {
    checks: Object.entries(parts.checks ?? {}).map(([key, version]) => ({ key, version })),
    puts: Object.entries(parts.puts ?? {}).map(([key, value]) => ({ key, value })),
    deletes: parts.deletes ?? [],
    adds: Object.entries(parts.adds ?? {}).map(([key, amount]) => ({ key, amount })),
  };
}

/** Commits a batch that nothing stands against. */
export async function commit(partition: Partition, parts: Parameters<typeof batch>[0]): Promise<Version> {
  const committed = await partition.commit(batch(parts));
  assert(committed.ok, `a batch was refused that nothing stands against: ${JSON.stringify(committed)}`);
  return committed.version;
}

/** The entry under a key now. */
export async function read(partition: Partition, key: Key): Promise<Entry | undefined> {
  const [entry] = await (await partition.snapshot()).get([key]);
  return entry;
}

/** The value under a key now. */
export async function valueAt(partition: Partition, key: Key): Promise<Json | undefined> {
  return (await read(partition, key))?.value;
}

/** The keys that a range holds now. */
export async function keysIn(partition: Partition, range: Partial<Range>): Promise<Key[]> {
  const entries = await (await partition.snapshot()).list({ under: "", limit: 1000, ...range });
  return entries.map(({ key }) => key);
}

/** All that an iterable yields. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Lets all others go on first. A storage in memory never gives way by itself, and callers would not interleave. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Random numbers from 0 up to but not including `below`, the same ones for the same seed (mulberry32). */
export function randomly(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
