// The store: a storage with the clock and the random bytes that its transactions need. Everything above the contract
// uses it; nothing above touches a partition directly.

import { createIdGenerator, type NewId, type Random } from "./ids";
import type { Storage } from "./storage";
import {
  cacheSnapshot,
  createReader,
  createSnapshotCache,
  type Reader,
  type SnapshotCache,
  type Transaction,
} from "./transaction";
import { type Pause, type TransactionOptions, TransactionRunner } from "./transaction-runner";

/** Where time and random bytes come from, so that tests control both. */
export interface StoreEnvironment {
  readonly now: () => Date;
  readonly random: Random;
  readonly pause: Pause;
  /** Milliseconds that pass. Default: those of the runtime. */
  readonly clock?: () => number;
  /** Hears of each run of a transaction but the first. */
  readonly onRetry?: () => void;
}

/** The most partitions of which it is known where transactions were in each other's way. */
const MAX_RUNNERS = 1000;

/** The most partitions whose commits are counted one by one. */
const MAX_COUNTED_PARTITIONS = 10_000;

/** Reads and transactions over named partitions. */
export interface Store extends StoreEnvironment {
  readonly storage: Storage;
  readonly clock: () => number;
  /** Makes ids. */
  readonly newId: NewId;
  /** A snapshot of a partition. */
  read(partition: string): Promise<Reader>;
  /** A snapshot of a partition for a transaction that follows: it does not read again what this one has read, unless
   * something was committed meanwhile. */
  readWithCache(partition: string): Promise<{ readonly view: Reader; readonly cache: SnapshotCache }>;
  /** A transaction on a partition, run again until its commit holds. */
  write<T>(partition: string, body: (tx: Transaction) => Promise<T>, running?: TransactionOptions): Promise<T>;
  /** Counts the commits of this process to a partition. The number says nothing but whether there was another one. */
  countCommits(partition: string): number;
  /** Calls `wake` after every commit of this process to a partition, which has one watcher at the most. Gives what ends
   * that. */
  watch(partition: string, wake: () => void): () => void;
}

export function createStore(storage: Storage, world: StoreEnvironment): Store {
  const watching = new Map<string, () => void>();
  const { pause, clock = () => performance.now(), onRetry } = world;
  /** Where transactions run, and where they were in each other's way lately. */
  const runners = new Map<string, TransactionRunner>();

  /** The number of the last commit to each partition, and the highest number that was forgotten. */
  const commits = new Map<string, number>();
  let lastCommit = 0;
  let forgotten = 0;

  function recordCommit(partition: string): void {
    if (commits.size >= MAX_COUNTED_PARTITIONS) {
      commits.clear();
      forgotten = lastCommit;
    }
    commits.set(partition, ++lastCommit);
  }

  function getRunner(partition: string): TransactionRunner {
    const known = runners.get(partition);
    if (known) return known;
    const onCommit = () => {
      recordCommit(partition);
      watching.get(partition)?.();
    };
    const runner = new TransactionRunner(storage.partition(partition), { pause, clock, onRetry, onCommit });
    if (runners.size >= MAX_RUNNERS) for (const [name, { isIdle }] of runners) if (isIdle) runners.delete(name);
    runners.set(partition, runner);
    return runner;
  }

  return {
    ...world,
    clock,
    storage,
    newId: createIdGenerator(world.now, world.random),
    async read(partition) {
      return createReader(await storage.partition(partition).snapshot());
    },
    async readWithCache(partition) {
      const snapshot = await storage.partition(partition).snapshot();
      const seen = createSnapshotCache(snapshot.version);
      return { view: createReader(cacheSnapshot(snapshot, seen)), cache: seen };
    },
    async write(partition, body, running) {
      const runner = getRunner(partition);
      try {
        return await runner.run(body, running);
      } finally {
        if (runner.isForgettable && runners.get(partition) === runner) runners.delete(partition);
      }
    },
    countCommits: (partition) => commits.get(partition) ?? forgotten,
    watch(partition, wake) {
      watching.set(partition, wake);
      return () => void watching.delete(partition);
    },
  };
}

/** How long a moment serves several reads, in milliseconds. */
const SHARED_SNAPSHOT_MS = 250;

/** A store whose reads of a partition share a moment, for a quarter of a second and until this process commits to it. */
export function shareSnapshots(store: Store): Store {
  const known = new Map<string, { readonly view: Promise<Reader>; readonly commits: number; readonly until: number }>();
  return {
    ...store,
    read(partition) {
      const before = known.get(partition);
      const commits = store.countCommits(partition);
      const now = store.clock();
      if (before && before.commits === commits && now < before.until) return before.view;
      const view = store.read(partition);
      known.set(partition, { view, commits, until: now + SHARED_SNAPSHOT_MS });
      return view;
    },
  };
}

/** Waits a random time that grows with the attempts that failed: after the first there is no wait, after eight or more up to 100
 * ms. */
export function createJitteredPause(random: Random, wait: (ms: number) => Promise<void> = waitFor): Pause {
  return async (attempt) => {
    const chance = random(1)[0]! / 255;
    const ms = Math.floor(chance * Math.min(100, 2 ** (attempt - 1) - 1));
    if (ms > 0) await wait(ms);
  };
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
