// Storages that count, fail and copy, for checking the laws.

import type { Batch, Partition, Snapshot, Storage } from "octavo";
import { Unavailable } from "octavo";
import type { MemoryStorage } from "octavo/memory";
import { resealAuditLog } from "../../src/audit/seal";
import { createSecrets } from "../../src/storage/secrets";
import { createStore } from "../../src/storage/store";
import { SECRET, seeded } from "../support/setting";

/** How a call fails: before anything happened; after a commit was made and its answer lost; or with the whole process, so
 * that no later call gets through either. */
export type Fault = "before" | "answer lost" | "crash";

export interface Watched extends Storage {
  /** Calls of snapshots, reads, lists and commits so far. */
  readonly calls: { total: number; reads: number; commits: number };
  /** Whether any commit has come to the storage. If not, it is what it was. */
  readonly isTouched: boolean;
  /** The numbers of the calls that were commits. */
  readonly commits: ReadonlySet<number>;
  /** Makes the call with this number, counted from now, fail. */
  failAt(call: number, fault: Fault): void;
  /** What is left after a crash: the storage as the next process finds it. */
  readonly survivor: Storage;
}

/** The storage with every call counted, and one made to fail on demand. */
export function watch(inner: Storage): Watched {
  const calls = { total: 0, reads: 0, commits: 0 };
  const commits = new Set<number>();
  let planned: { call: number; fault: Fault } | undefined;
  let isDown = false;
  let isTouched = false;

  async function step<T>(isCommit: boolean, run: () => Promise<T>): Promise<T> {
    calls.total++;
    if (isCommit) commits.add(calls.total);
    if (isCommit) calls.commits++;
    if (isDown) throw new Unavailable("The process is gone.", { outcome: "none" });
    if (planned?.call !== calls.total) return run();
    const { fault } = planned;
    planned = undefined;
    isDown = fault === "crash";
    if (fault === "answer lost" && isCommit) {
      await run();
      throw new Unavailable("The answer was lost.", { outcome: "unknown" });
    }
    throw new Unavailable("The storage is away.", { outcome: "none" });
  }
  const read = <T>(run: () => Promise<T>): Promise<T> => {
    calls.reads++;
    return step(false, run);
  };
  const watchSnapshot = (snapshot: Snapshot): Snapshot => ({
    version: snapshot.version,
    get: (keys) => read(() => snapshot.get(keys)),
    list: (range) => read(() => snapshot.list(range)),
  });
  const watchPartition = (partition: Partition): Partition => ({
    snapshot: () => step(false, async () => watchSnapshot(await partition.snapshot())),
    commit: (batch) =>
      step(true, () => {
        isTouched = true;
        return partition.commit(batch);
      }),
  });
  return {
    partition: (name) => watchPartition(inner.partition(name)),
    partitions: (after) => inner.partitions(after),
    blobs: inner.blobs,
    close: () => inner.close(),
    calls,
    get isTouched() {
      return isTouched;
    },
    commits,
    survivor: inner,
    failAt(call, fault) {
      planned = { call: calls.total + call, fault };
    },
  };
}

/** Puts entries into a storage. */
export type Fill = (storage: Storage) => Promise<Storage>;

/** Fills other storages with the entries that a storage has now. */
export async function fillerOf(storage: Storage): Promise<Fill> {
  const batches: { readonly name: string; readonly batch: Batch }[] = [];
  for await (const name of storage.partitions()) {
    const snapshot = await storage.partition(name).snapshot();
    let after: string | undefined;
    for (;;) {
      const rows = await snapshot.list({ under: "", after, limit: 400 });
      if (rows.length === 0) break;
      const puts = rows.map(({ key, value }) => ({ key, value }));
      batches.push({ name, batch: { checks: [], puts, deletes: [], adds: [] } });
      after = rows.at(-1)!.key;
    }
  }
  return async (copy) => {
    for (const { name, batch } of batches) await copy.partition(name).commit(batch);
    return copy;
  };
}

/** Seals the rows that all audit logs have now. The maintenance of every copy would do it again. */
export async function sealLogs(storage: Storage, now: Date): Promise<void> {
  const secrets = createSecrets([SECRET], seeded(1));
  const store = createStore(storage, { now: () => now, random: seeded(1), pause: async () => {} });
  for await (const name of storage.partitions()) await resealAuditLog(store, name, secrets);
}

/** Copies of a storage as it is now, however it changes later. */
export function copierOf(storage: MemoryStorage): () => MemoryStorage {
  const kept = storage.copy();
  return () => kept.copy();
}
