// The types of the suite's cases, and the helpers with which they are written.

import type { Batch, Entry, Json, Key, Partition, Range, Storage, Version } from "../adapter";
import { assert } from "./assert";
import { type CallGuard, guardStorage } from "./call-guard";

/** A storage under test. */
export interface Candidate {
  readonly storage: Storage;
  /**
   * Returns a storage with the same data. A durable storage is closed, even while commits are running, and its data is opened
   * as another process would open it. A storage in memory returns itself.
   */
  reopen(): Promise<Storage>;
  /**
   * Returns a second storage on the same data while `storage` stays open, as another process would open it. Omit it if only one
   * process can open the data: the cases for two instances then use `storage` twice.
   */
  another?(): Promise<Storage>;
  /** Called after the case, once the storage has been closed. */
  cleanup?(): Promise<void>;
}

/** A candidate as the cases see it: every call is guarded, and `another` always exists. */
export type OpenedCandidate = Required<Omit<Candidate, "cleanup">>;

/** Runs a case on a storage of its own, and closes this storage and all that the case has reopened. */
export async function runOnCandidate(
  open: () => Promise<Candidate>,
  guard: CallGuard,
  run: (opened: OpenedCandidate) => Promise<void>,
): Promise<void> {
  const candidate = await guard("open", open);
  let last = guardStorage(candidate.storage, guard);
  const others: Storage[] = [];
  const opened: OpenedCandidate = {
    storage: last,
    reopen: async () => {
      last = guardStorage(await guard("reopen", () => candidate.reopen()), guard);
      return last;
    },
    another: async () => {
      if (!candidate.another) return last;
      const other = guardStorage(await guard("another", () => candidate.another!()), guard);
      others.push(other);
      return other;
    },
  };
  const end = async () => {
    for (const storage of [...others, last]) await storage.close();
    await guard("cleanup", () => candidate.cleanup?.());
  };
  try {
    await run(opened);
  } catch (error) {
    // The error of the case is reported, not one that closing causes.
    await end().catch(() => undefined);
    throw error;
  }
  await end();
}

/** The cases of one promise, by name. `seed` determines all random choices. */
export type Cases = Record<string, (opened: OpenedCandidate, seed: number) => Promise<void>>;

/** Creates a batch from its checks and writes. */
export function buildBatch(parts: {
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

/** Commits a batch that must not be refused. */
export async function commitBatch(partition: Partition, parts: Parameters<typeof buildBatch>[0]): Promise<Version> {
  const committed = await partition.commit(buildBatch(parts));
  assert(committed.ok, `a batch was refused that nothing stands against: ${JSON.stringify(committed)}`);
  return committed.version;
}

export async function readEntry(partition: Partition, key: Key): Promise<Entry | undefined> {
  const [entry] = await (await partition.snapshot()).get([key]);
  return entry;
}

export async function readValue(partition: Partition, key: Key): Promise<Json | undefined> {
  return (await readEntry(partition, key))?.value;
}

export async function listKeys(partition: Partition, range: Partial<Range>): Promise<Key[]> {
  const entries = await (await partition.snapshot()).list({ under: "", limit: 1000, ...range });
  return entries.map(({ key }) => key);
}

export async function collectAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Lets all other callers continue first. A storage in memory never waits, so callers would not interleave otherwise. */
export function yieldToTimers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Creates a generator of random integers from 0 up to but not including `below`, which is determined by the seed (mulberry32). */
export function createSeededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
