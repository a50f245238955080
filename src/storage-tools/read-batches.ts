// The entries of a snapshot, in pages that are about as large in bytes, whatever the entries are. The next page is being read
// while one is worked on, so that nobody waits for both; and no more than these two are held.

import type { Json, Key, Snapshot } from "../storage/storage";

/** An entry with the JSON of its value: whoever needs the text need not make it again. */
export interface SerializedEntry {
  readonly key: Key;
  readonly value: Json;
  readonly text: string;
}

/** Characters of a page, about. */
const PAGE = 512 * 1024;

/** Entries of a page: so many are no waste of a round trip, and not too many where each is as large as one can be. */
const FEWEST = 16;
const MOST = 1000;
const FIRST = 250;

/** All entries of a snapshot in the order of their keys. */
export async function* readBatches(snapshot: Snapshot): AsyncGenerator<readonly SerializedEntry[], void> {
  let limit = FIRST;
  let next = read(snapshot, undefined, limit);
  for (;;) {
    const { entries, after, size } = await next;
    const isLast = entries.length < limit;
    // The pages before tell how large entries are here.
    if (!isLast) {
      limit = Math.max(FEWEST, Math.min(MOST, Math.round((entries.length * PAGE) / (size + 1))));
      next = read(snapshot, after, limit);
      // Whoever stops here does not hear of it; whoever goes on does.
      next.catch(() => {});
    }
    if (entries.length > 0) yield entries;
    if (isLast) return;
  }
}

async function read(snapshot: Snapshot, after: Key | undefined, limit: number) {
  const listed = await snapshot.list({ under: "", after, limit });
  let size = 0;
  const entries = listed.map(({ key, value }) => {
    const text = JSON.stringify(value);
    size += key.length + text.length;
    return { key, value, text };
  });
  return { entries, after: entries.at(-1)?.key, size };
}
