// Reads the entries of a snapshot in batches of about the same number of bytes, whatever the entries are. The next batch is read while
// one is processed, so that neither waits for the other. No more than these two are held in memory.

import type { Json, Key, Snapshot } from "../storage/storage";

/** An entry with the JSON of its value, so that nobody has to serialize it again. */
export interface SerializedEntry {
  readonly key: Key;
  readonly value: Json;
  readonly text: string;
}

/** The approximate number of characters of a batch. */
const BATCH_LENGTH = 512 * 1024;

/** The entries of a batch: enough to be worth a round trip, and not too many if each is as large as one can be. */
const MIN_BATCH_ENTRIES = 16;
const MAX_BATCH_ENTRIES = 1000;
const FIRST_BATCH_ENTRIES = 250;

/** Yields all entries of a snapshot in the order of their keys. */
export async function* readBatches(snapshot: Snapshot): AsyncGenerator<readonly SerializedEntry[], void> {
  let limit = FIRST_BATCH_ENTRIES;
  let next = readBatch(snapshot, undefined, limit);
  for (;;) {
    const { entries, after, length } = await next;
    const isLast = entries.length < limit;
    if (!isLast) {
      // The size of these entries is an estimate for the next ones.
      const fitting = Math.round((entries.length * BATCH_LENGTH) / (length + 1));
      limit = Math.max(MIN_BATCH_ENTRIES, Math.min(MAX_BATCH_ENTRIES, fitting));
      next = readBatch(snapshot, after, limit);
      // If the caller stops here, the error does not matter. If it continues, it gets the error.
      next.catch(() => {});
    }
    if (entries.length > 0) yield entries;
    if (isLast) return;
  }
}

async function readBatch(snapshot: Snapshot, after: Key | undefined, limit: number) {
  let length = 0;
  const entries: SerializedEntry[] = [];
  for (const { key, value } of await snapshot.list({ under: "", after, limit })) {
    const text = JSON.stringify(value);
    length += key.length + text.length;
    entries.push({ key, value, text });
  }
  return { entries, after: entries.at(-1)?.key, length };
}
