// What keeps the suite from running for ever. Every call of a storage must answer in time, and whatever a storage lists or
// streams must end. A storage that does neither fails with a sentence that names the call.

import type { Blobs, Partition, Snapshot, Storage } from "../adapter";

/** A call that was not answered in time. */
export class UnansweredCallError extends Error {}

/** Gives the answer of a call; throws `Unanswered` when it does not come in time. */
export type CallGuard = <T>(what: string, call: () => T | PromiseLike<T>) => Promise<T>;

/** After so many calls without an answer nothing more is asked of a storage. */
const MAX_UNANSWERED_CALLS = 3;
/** The suite never keeps more names than this. */
const MAX_NAMES = 10_000;
/** The suite never keeps a larger blob than this. */
const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/** Watches all calls of one run of the suite. */
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

/** The same storage, with every call watched. */
export function guardStorage(storage: Storage, watch: CallGuard): Storage {
  return {
    partition: (name) => watchedPartition(storage.partition(name), watch),
    partitions: (after) => guardNames("partitions", storage.partitions(after), watch),
    blobs: watchedBlobs(storage.blobs, watch),
    close: () => watch("close", () => storage.close()),
  };
}

function watchedPartition(partition: Partition, watch: CallGuard): Partition {
  return {
    snapshot: async () => watchedSnapshot(await watch("snapshot", () => partition.snapshot()), watch),
    commit: (batch) => watch("commit", () => partition.commit(batch)),
  };
}

function watchedSnapshot(snapshot: Snapshot, watch: CallGuard): Snapshot {
  return {
    get version() {
      return snapshot.version;
    },
    get: (keys) => watch("snapshot.get", () => snapshot.get(keys)),
    list: (range) => watch("snapshot.list", () => snapshot.list(range)),
  };
}

function watchedBlobs(blobs: Blobs, watch: CallGuard): Blobs {
  return {
    put: (name, bytes) => watch("blobs.put", () => blobs.put(name, bytes)),
    async get(name, range) {
      const blob = await watch("blobs.get", () => blobs.get(name, range));
      return blob && { size: blob.size, stream: guardStream(blob.stream, watch) };
    },
    delete: (name) => watch("blobs.delete", () => blobs.delete(name)),
    list: (after) => guardNames("blobs.list", blobs.list(after), watch),
  };
}

async function* guardNames(what: string, names: AsyncIterable<string>, watch: CallGuard): AsyncGenerator<string> {
  const iterator = names[Symbol.asyncIterator]();
  let count = 0;
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await watch(what, () => iterator.next());
      isWaiting = false;
      if (done) return;
      if (++count > MAX_NAMES) throw new Error(`\`${what}\` does not end: it gave more than ${MAX_NAMES} names.`);
      yield value;
    }
  } finally {
    // An iterator that has not answered would not answer this either.
    if (!isWaiting) await watch(what, () => iterator.return?.());
  }
}

function guardStream(stream: ReadableStream<Uint8Array>, watch: CallGuard): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await watch("the stream of blobs.get", () => reader.read());
        if (done) return controller.close();
        bytes += value.length;
        if (bytes > MAX_BLOB_BYTES)
          throw new Error(`The stream of \`blobs.get\` does not end: it gave more than ${MAX_BLOB_BYTES} bytes.`);
        controller.enqueue(value);
      },
      cancel: (reason) => watch("cancelling the stream of blobs.get", () => reader.cancel(reason)),
    },
    { highWaterMark: 0 },
  );
}
