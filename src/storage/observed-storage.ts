// Observes the calls of a storage, to count and time them for metrics or to record spans. It wraps the contract, so it works for
// every storage, and costs nothing if it is not used.

import { omitUndefined } from "../utils/objects";
import type { Blobs, Partition, Snapshot, Storage } from "./storage";

export const storageCalls = ["snapshot", "get", "list", "commit", "blob_put", "blob_get", "blob_delete"] as const;
export type StorageCall = (typeof storageCalls)[number];

export type CallObserver = <Result>(call: StorageCall, run: () => Promise<Result>) => Promise<Result>;

export function observeStorage(storage: Storage, watch: CallObserver): Storage {
  const observeSnapshot = (inner: Snapshot): Snapshot => ({
    version: inner.version,
    get: (keys) => watch("get", () => inner.get(keys)),
    list: (range) => watch("list", () => inner.list(range)),
  });
  const observePartition = (inner: Partition): Partition => ({
    snapshot: async () => observeSnapshot(await watch("snapshot", () => inner.snapshot())),
    commit: (batch) => watch("commit", () => inner.commit(batch)),
  });
  const blobs: Blobs = {
    put: (name, bytes) => watch("blob_put", () => storage.blobs.put(name, bytes)),
    get: (name, range) => watch("blob_get", () => storage.blobs.get(name, range)),
    delete: (name) => watch("blob_delete", () => storage.blobs.delete(name)),
    list: (after) => storage.blobs.list(after),
  };
  return {
    partition: (name) => observePartition(storage.partition(name)),
    partitions: (after) => storage.partitions(after),
    blobs,
    ...omitUndefined({ maintain: storage.maintain?.bind(storage), owner: storage.owner }),
    close: () => storage.close(),
  };
}

/** The statistics of one kind of call. */
export interface CallStatistics {
  readonly calls: number;
  /** The number of calls that threw. */
  readonly failures: number;
  /** The total duration of all calls. */
  readonly milliseconds: number;
}

export type StorageStatistics = Readonly<Record<StorageCall, CallStatistics>> & {
  /** The number of commits that were refused, and retried, because the same records had been changed concurrently. */
  readonly conflicts: number;
};

/** A storage that provides statistics of its calls. */
export interface MeasuredStorage extends Storage {
  numbers(): StorageStatistics;
}

/** Counts and times the calls of a storage, for metrics. */
export function measureStorage(storage: Storage): MeasuredStorage {
  const counted = Object.fromEntries(
    storageCalls.map((call) => [call, { calls: 0, failures: 0, milliseconds: 0 }]),
  ) as Record<StorageCall, { calls: number; failures: number; milliseconds: number }>;
  let conflicts = 0;
  const observed = observeStorage(storage, async (call, run) => {
    const numbers = counted[call];
    const since = performance.now();
    numbers.calls++;
    try {
      const result = await run();
      if (call === "commit" && (result as { readonly ok?: boolean }).ok === false) conflicts++;
      return result;
    } catch (error) {
      numbers.failures++;
      throw error;
    } finally {
      numbers.milliseconds += performance.now() - since;
    }
  });
  return {
    ...observed,
    numbers() {
      const copies = storageCalls.map((call) => [call, { ...counted[call] }]);
      return { ...(Object.fromEntries(copies) as Record<StorageCall, CallStatistics>), conflicts };
    },
  };
}
