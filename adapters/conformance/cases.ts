// What a case of the suite is, and the short forms in which the cases are written.

import type { Batch, Entry, Json, Key, Partition, Range, Storage, Version } from "../adapter";
import { assert } from "./assert";
import { type CallGuard, guardStorage } from "./patience";

/** A storage under test. */
export interface Candidate {
  readonly storage: Storage;
  /**
   * Gives a storage with the same data. A durable one closes `storage`, also while commits are under way, and opens
   * what it left as another process would; one that lives in memory gives the same storage.
   */
  reopen(): Promise<Storage>;
  /**
   * Gives a second storage on the same data while `storage` stays open, as another process would have it. Left out where
   * only one process can have the data: the cases of two instances then use `storage` twice.
   */
  another?(): Promise<Storage>;
  /** Called after the case, when the storage was closed. */
  cleanup?(): Promise<void>;
}

/** A candidate as the cases see it: every call is watched, and there always is another. */
export type OpenedCandidate = Required<Omit<Candidate, "cleanup">>;

/** Runs something on a storage of its own, and closes that and whatever was opened again. */
export async function runOnCandidate(
  open: () => Promise<Candidate>,
  watch: CallGuard,
  run: (opened: OpenedCandidate) => Promise<void>,
): Promise<void> {
  const candidate = await watch("open", open);
  let last = guardStorage(candidate.storage, watch);
  const others: Storage[] = [];
  const opened: OpenedCandidate = {
    storage: last,
    reopen: async () => {
      last = guardStorage(await watch("reopen", () => candidate.reopen()), watch);
      return last;
    },
    another: async () => {
      if (!candidate.another) return last;
      const other = guardStorage(await watch("another", () => candidate.another!()), watch);
      others.push(other);
      return other;
    },
  };
  const end = async () => {
    for (const storage of [...others, last]) await storage.close();
    await watch("cleanup", () => candidate.cleanup?.());
  };
  try {
    await run(opened);
  } catch (error) {
    // What the case has found counts, and not what comes of it.
    await end().catch(() => undefined);
    throw error;
  }
  await end();
}

/** The cases of one promise, by name. `seed` decides all that is random. */
export type Cases = Record<string, (opened: OpenedCandidate, seed: number) => Promise<void>>;

/** A batch out of what it does. */
export function createBatch(parts: {
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
export async function commitBatch(partition: Partition, parts: Parameters<typeof createBatch>[0]): Promise<Version> {
  const committed = await partition.commit(createBatch(parts));
  assert(committed.ok, `a batch was refused that nothing stands against: ${JSON.stringify(committed)}`);
  return committed.version;
}

/** The entry under a key now. */
export async function readEntry(partition: Partition, key: Key): Promise<Entry | undefined> {
  const [entry] = await (await partition.snapshot()).get([key]);
  return entry;
}

/** The value under a key now. */
export async function readValue(partition: Partition, key: Key): Promise<Json | undefined> {
  return (await readEntry(partition, key))?.value;
}

/** The keys that a range holds now. */
export async function listKeys(partition: Partition, range: Partial<Range>): Promise<Key[]> {
  const entries = await (await partition.snapshot()).list({ under: "", limit: 1000, ...range });
  return entries.map(({ key }) => key);
}

/** All that an iterable yields. */
export async function collectAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Lets all others go on first. A storage in memory never gives way by itself, and callers would not interleave. */
export function yieldToTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Random numbers from 0 up to but not including `below`, the same ones for the same seed (mulberry32). */
export function createSeededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
