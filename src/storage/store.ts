// The store: a storage together with the clock and the random bytes that its transactions need. All code above the contract uses
// the store and never accesses a partition directly.

import { createIdGenerator, type NewId, type Random } from "./ids";
import type { Storage } from "./storage";
import { cacheSnapshot, type Reader, SnapshotCache, SnapshotReader, type Transaction } from "./transaction";
import { type Pause, type TransactionOptions, TransactionRunner } from "./transaction-runner";

/** The sources of time and randomness, so that tests control both. */
export interface StoreEnvironment {
  readonly now: () => Date;
  readonly random: Random;
  readonly pause: Pause;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly clock?: () => number;
  /** Called for each retry of a transaction. */
  readonly onRetry?: () => void;
}

/** The maximum number of partitions for which the keys with recent conflicts are remembered. */
const MAX_RUNNERS = 1000;

/** The maximum number of partitions whose commits are counted individually. */
const MAX_COUNTED_PARTITIONS = 10_000;

/** Reads and transactions over named partitions. */
export interface Store extends StoreEnvironment {
  readonly storage: Storage;
  readonly clock: () => number;
  readonly newId: NewId;
  /** Returns a snapshot of a partition. */
  read(partition: string): Promise<Reader>;
  /**
   * Returns a snapshot of a partition and a cache of its reads. A transaction that gets the cache does not repeat these reads,
   * unless something was committed in the meantime.
   */
  readWithCache(partition: string): Promise<{ readonly view: Reader; readonly cache: SnapshotCache }>;
  /** Runs a transaction on a partition, and retries it until its commit succeeds. */
  write<T>(partition: string, body: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Returns a number that changes with each commit of this process to a partition, to compare with earlier ones. */
  countCommits(partition: string): number;
  /** Calls `wake` after every commit of this process to a partition. Returns a function that stops this. */
  watch(partition: string, wake: () => void): () => void;
}

export function createStore(storage: Storage, environment: StoreEnvironment): Store {
  const watchers = new Map<string, () => void>();
  const { pause, clock = () => performance.now(), onRetry } = environment;
  const runners = new Map<string, TransactionRunner>();

  /** The number of the last commit to each partition. `forgottenCommit` is the highest number that was removed. */
  const commits = new Map<string, number>();
  let lastCommit = 0;
  let forgottenCommit = 0;

  return {
    ...environment,
    clock,
    storage,
    newId: createIdGenerator(environment.now, environment.random),
    async read(partition) {
      return new SnapshotReader(await storage.partition(partition).snapshot());
    },
    async readWithCache(partition) {
      const snapshot = await storage.partition(partition).snapshot();
      const cache = new SnapshotCache(snapshot.version);
      return { view: new SnapshotReader(cacheSnapshot(snapshot, cache)), cache };
    },
    async write(partition, body, options) {
      let runner = runners.get(partition);
      if (!runner) {
        const onCommit = () => {
          if (commits.size >= MAX_COUNTED_PARTITIONS) {
            commits.clear();
            forgottenCommit = lastCommit;
          }
          commits.set(partition, ++lastCommit);
          watchers.get(partition)?.();
        };
        runner = new TransactionRunner(storage.partition(partition), { pause, clock, onRetry, onCommit });
        if (runners.size >= MAX_RUNNERS) for (const [name, { isIdle }] of runners) if (isIdle) runners.delete(name);
        runners.set(partition, runner);
      }
      try {
        return await runner.run(body, options);
      } finally {
        if (runner.isForgettable && runners.get(partition) === runner) runners.delete(partition);
      }
    },
    countCommits: (partition) => commits.get(partition) ?? forgottenCommit,
    watch(partition, wake) {
      watchers.set(partition, wake);
      return () => void watchers.delete(partition);
    },
  };
}

/** The time for which several reads share a snapshot, in milliseconds. */
const SHARED_SNAPSHOT_MS = 250;

/** Returns a store whose reads of a partition share a snapshot for a quarter of a second, or until this process commits to it. */
export function shareSnapshots(store: Store): Store {
  const shared = new Map<
    string,
    { readonly view: Promise<Reader>; readonly commits: number; readonly until: number }
  >();
  return {
    ...store,
    read(partition) {
      const previous = shared.get(partition);
      const commits = store.countCommits(partition);
      const now = store.clock();
      if (previous && previous.commits === commits && now < previous.until) return previous.view;
      const view = store.read(partition);
      shared.set(partition, { view, commits, until: now + SHARED_SNAPSHOT_MS });
      return view;
    },
  };
}

/** Creates a random pause whose maximum doubles with each failure: none at first, up to 100 ms after the eighth. */
export function createJitteredPause(
  random: Random,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Pause {
  return async (attempt) => {
    const chance = random(1)[0]! / 255;
    const ms = Math.floor(chance * Math.min(100, 2 ** (attempt - 1) - 1));
    if (ms > 0) await wait(ms);
  };
}
