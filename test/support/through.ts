// A storage whose calls go through a test, which counts, changes, delays or fails them.

import type { Batch, Committed, Entry, Key, Range, Snapshot, Storage } from "octavo";

type Read = readonly (Entry | undefined)[];

/** What a test does with the calls of a storage. `go` makes the call as it is; calls that are not named are made so. */
export interface Calls {
  readonly snapshot?: (go: () => Promise<Snapshot>, partition: string) => Promise<Snapshot>;
  readonly get?: (keys: readonly Key[], go: () => Promise<Read>, partition: string) => Promise<Read>;
  readonly list?: (range: Range, go: () => Promise<readonly Entry[]>, partition: string) => Promise<readonly Entry[]>;
  readonly commit?: (batch: Batch, go: () => Promise<Committed>, partition: string) => Promise<Committed>;
  readonly blob?: <Result>(
    call: "put" | "get" | "delete",
    go: () => Promise<Result>,
    range?: { readonly start?: number; readonly end?: number },
  ) => Promise<Result>;
}

/** Returns the storage with its calls through those of a test. Closing it does not close the storage. */
export function through(storage: Storage, calls: Calls): Storage {
  const { blobs } = storage;
  const blob: NonNullable<Calls["blob"]> = calls.blob ?? ((_, go) => go());
  return {
    partition(name) {
      const partition = storage.partition(name);
      const take = async (): Promise<Snapshot> => {
        const snapshot = await partition.snapshot();
        return {
          version: snapshot.version,
          get: (keys) => around(calls.get, keys, () => snapshot.get(keys), name),
          list: (range) => around(calls.list, range, () => snapshot.list(range), name),
        };
      };
      return {
        snapshot: () => (calls.snapshot ? calls.snapshot(take, name) : take()),
        commit: (batch) => around(calls.commit, batch, () => partition.commit(batch), name),
      };
    },
    partitions: (after) => storage.partitions(after),
    blobs: {
      put: (name, bytes) => blob("put", () => blobs.put(name, bytes)),
      get: (name, range) => blob("get", () => blobs.get(name, range), range),
      delete: (name) => blob("delete", () => blobs.delete(name)),
      list: (after) => blobs.list(after),
    },
    ...(storage.maintain ? { maintain: (piece) => storage.maintain!(piece) } : {}),
    close: async () => {},
  };
}

type Around<Given, Result> = (given: Given, go: () => Promise<Result>, partition: string) => Promise<Result>;

function around<Given, Result>(
  call: Around<Given, Result> | undefined,
  given: Given,
  go: () => Promise<Result>,
  partition: string,
): Promise<Result> {
  return call ? call(given, go, partition) : go();
}
