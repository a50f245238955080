// A storage whose calls are watched: counted and timed for metrics, or put into spans. What is watched is the contract, so
// it is the same for every storage, and a storage that is not wrapped pays nothing.

import { omitUndefined } from "../utils/objects";
import type { Blobs, Partition, Snapshot, Storage } from "./storage";

/** The kinds of calls that a storage gets. */
export const storageCalls = ["snapshot", "get", "list", "commit", "blob_put", "blob_get", "blob_delete"] as const;
export type StorageCall = (typeof storageCalls)[number];

/** Runs a call, and sees how it ends. */
export type Watch = <Result>(call: StorageCall, run: () => Promise<Result>) => Promise<Result>;

/** The same storage; every call goes through `watch`. */
export function observedStorage(storage: Storage, watch: Watch): Storage {
  const snapshot = (inner: Snapshot): Snapshot => ({
    version: inner.version,
    get: (keys) => watch("get", () => inner.get(keys)),
    list: (range) => watch("list", () => inner.list(range)),
  });
  const partition = (inner: Partition): Partition => ({
    snapshot: async () => snapshot(await watch("snapshot", () => inner.snapshot())),
    commit: (batch) => watch("commit", () => inner.commit(batch)),
  });
  const blobs: Blobs = {
    put: (name, bytes) => watch("blob_put", () => storage.blobs.put(name, bytes)),
    get: (name, range) => watch("blob_get", () => storage.blobs.get(name, range)),
    delete: (name) => watch("blob_delete", () => storage.blobs.delete(name)),
    list: (after) => storage.blobs.list(after),
  };
  return {
    partition: (name) => partition(storage.partition(name)),
    partitions: (after) => storage.partitions(after),
    blobs,
    ...omitUndefined({ maintain: storage.maintain?.bind(storage), owner: storage.owner }),
    close: () => storage.close(),
  };
}

/** How one kind of call is doing. */
export interface CallNumbers {
  readonly calls: number;
  /** Calls that threw. */
  readonly failures: number;
  /** Of all calls together. */
  readonly milliseconds: number;
}

export type StorageNumbers = Readonly<Record<StorageCall, CallNumbers>> & {
  /** Commits that were refused because others had changed the same records. They were tried again. */
  readonly conflicts: number;
};

/** A storage that counts and times its calls. */
export interface MeasuredStorage extends Storage {
  numbers(): StorageNumbers;
}

/** Counts and times the calls of a storage, for metrics. */
export function measuredStorage(storage: Storage): MeasuredStorage {
  const counted = Object.fromEntries(
    storageCalls.map((call) => [call, { calls: 0, failures: 0, milliseconds: 0 }]),
  ) as Record<StorageCall, { calls: number; failures: number; milliseconds: number }>;
  let conflicts = 0;
  const observed = observedStorage(storage, async (call, run) => {
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
  const copy = () =>
    Object.fromEntries(storageCalls.map((call) => [call, { ...counted[call] }])) as Record<StorageCall, CallNumbers>;
  return { ...observed, numbers: () => ({ ...copy(), conflicts }) };
}
