// Guards that keep the suite from running forever. Every call of a storage must settle in time, and everything that it lists or
// streams must end. Otherwise the case fails with a sentence that names the call.

import type { Partition, Snapshot, Storage } from "../adapter";

/** A call did not settle in time. */
export class UnansweredCallError extends Error {}

/** Returns the result of a call, or throws `UnansweredCallError` if it does not settle in time. */
export type CallGuard = <T>(what: string, call: () => T | PromiseLike<T>) => Promise<T>;

/** After this many calls without an answer, the storage is not called any more. */
const MAX_UNANSWERED_CALLS = 3;
/** The maximum number of names that a listing may yield. No case stores more. */
const MAX_NAMES = 10_000;
/** The maximum number of bytes that a stream may yield. No case stores a larger blob. */
const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/** Creates the guard for all calls of one run of the suite. */
export function createCallGuard(milliseconds: number): CallGuard {
  const unanswered: string[] = [];
  return async (what, call) => {
    if (unanswered.length >= MAX_UNANSWERED_CALLS)
      throw new UnansweredCallError(`Not asked: ${unanswered.join(", ")} did not answer within ${milliseconds} ms.`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        unanswered.push(what);
        reject(new UnansweredCallError(`\`${what}\` did not answer within ${milliseconds} ms.`));
      }, milliseconds);
    });
    try {
      return await Promise.race([call(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

export function guardStorage(storage: Storage, guard: CallGuard): Storage {
  const guardSnapshot = (snapshot: Snapshot): Snapshot => ({
    get version() {
      return snapshot.version;
    },
    get: (keys) => guard("snapshot.get", () => snapshot.get(keys)),
    list: (range) => guard("snapshot.list", () => snapshot.list(range)),
  });
  const guardPartition = (partition: Partition): Partition => ({
    snapshot: async () => guardSnapshot(await guard("snapshot", () => partition.snapshot())),
    commit: (batch) => guard("commit", () => partition.commit(batch)),
  });
  const { blobs } = storage;
  return {
    partition: (name) => guardPartition(storage.partition(name)),
    partitions: (after) => guardNames("partitions", storage.partitions(after), guard),
    blobs: {
      put: (name, bytes) => guard("blobs.put", () => blobs.put(name, bytes)),
      async get(name, range) {
        const blob = await guard("blobs.get", () => blobs.get(name, range));
        if (!blob) return undefined;
        const reader = blob.stream.getReader();
        let bytes = 0;
        const stream = new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              const { done, value } = await guard("the stream of blobs.get", () => reader.read());
              if (done) return controller.close();
              bytes += value.length;
              if (bytes > MAX_BLOB_BYTES)
                throw new Error(`The stream of \`blobs.get\` does not end: it gave more than ${MAX_BLOB_BYTES} bytes.`);
              controller.enqueue(value);
            },
            cancel: (reason) => guard("cancelling the stream of blobs.get", () => reader.cancel(reason)),
          },
          { highWaterMark: 0 },
        );
        return { size: blob.size, stream };
      },
      delete: (name) => guard("blobs.delete", () => blobs.delete(name)),
      list: (after) => guardNames("blobs.list", blobs.list(after), guard),
    },
    close: () => guard("close", () => storage.close()),
  };
}

async function* guardNames(what: string, names: AsyncIterable<string>, guard: CallGuard): AsyncGenerator<string> {
  const iterator = names[Symbol.asyncIterator]();
  let count = 0;
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await guard(what, () => iterator.next());
      isWaiting = false;
      if (done) return;
      if (++count > MAX_NAMES) throw new Error(`\`${what}\` does not end: it gave more than ${MAX_NAMES} names.`);
      yield value;
    }
  } finally {
    // An iterator whose last call did not settle would not settle this one either.
    if (!isWaiting) await guard(what, () => iterator.return?.());
  }
}
