// Watches partitions for new versions. However many watch a partition, it is read once at a time, and never if nobody does. A commit of
// this process triggers a read at once. For commits of others the storage is polled, less often while the partition is quiet.

import type { Store } from "../storage/store";
import type { Reader } from "../storage/transaction";

/** Called after every read of a partition. */
export type PartitionWatcher = (view: Reader) => Promise<void>;

export interface PartitionWatches {
  /** Begins to watch a partition. Returns functions that end the watch, and that have the partition read after a time. */
  begin(
    partition: string,
    watcher: PartitionWatcher,
  ): { readonly end: () => void; readonly soon: (delayMs: number) => void };
}

/** A quiet partition is polled less and less often, at intervals of up to this many times the shortest one. */
const MAX_INTERVAL_FACTOR = 4;

export function createPartitionWatches(
  store: Store,
  minIntervalMs: number,
  onError: (error: unknown) => void,
): PartitionWatches {
  const watchedPartitions = new Map<string, WatchedPartition>();

  class WatchedPartition {
    readonly watchers = new Set<PartitionWatcher>();
    readonly #unwatch: () => void;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #dueAt = Number.POSITIVE_INFINITY;
    #intervalMs = minIntervalMs;
    #version = -1;
    #isReading = false;
    /** The delay after which another read was requested while one is going on. */
    #requestedDelayMs = Number.POSITIVE_INFINITY;

    constructor(readonly partition: string) {
      this.#unwatch = store.watch(partition, () => this.scheduleRead(0));
    }

    /** Reads the partition after a delay, unless it is read earlier anyway. */
    scheduleRead(delayMs: number): void {
      if (this.#isReading) {
        this.#requestedDelayMs = Math.min(this.#requestedDelayMs, delayMs);
        return;
      }
      const dueAt = performance.now() + delayMs;
      if (dueAt >= this.#dueAt) return;
      clearTimeout(this.#timer);
      this.#dueAt = dueAt;
      this.#timer = setTimeout(() => void this.#read(), delayMs);
    }

    async #read(): Promise<void> {
      this.#isReading = true;
      this.#requestedDelayMs = Number.POSITIVE_INFINITY;
      this.#dueAt = Number.POSITIVE_INFINITY;
      try {
        const { view } = await store.readWithCache(this.partition);
        const isNew = view.version !== this.#version;
        this.#version = view.version;
        this.#intervalMs = isNew
          ? minIntervalMs
          : Math.min(this.#intervalMs * 1.5, minIntervalMs * MAX_INTERVAL_FACTOR);
        for (const watcher of this.watchers) await watcher(view).catch(onError);
      } catch (error) {
        onError(error);
        this.#intervalMs = minIntervalMs * MAX_INTERVAL_FACTOR;
      }
      this.#isReading = false;
      if (this.watchers.size > 0) this.scheduleRead(Math.min(this.#requestedDelayMs, this.#intervalMs));
    }

    removeWatcher(watcher: PartitionWatcher): void {
      this.watchers.delete(watcher);
      if (this.watchers.size > 0) return;
      clearTimeout(this.#timer);
      this.#unwatch();
      watchedPartitions.delete(this.partition);
    }
  }

  return {
    begin(partition, watcher) {
      const watched = watchedPartitions.get(partition) ?? new WatchedPartition(partition);
      watchedPartitions.set(partition, watched);
      watched.watchers.add(watcher);
      watched.scheduleRead(minIntervalMs);
      return { end: () => watched.removeWatcher(watcher), soon: (delayMs) => watched.scheduleRead(delayMs) };
    },
  };
}
