// Copies and deletes all entries whose keys start with given prefixes, without interpreting them. The cost is that of reading and
// writing the entries.

import type { Entry, Json, Key } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";
import { forEachEntry, processInCommits } from "./transaction-budget";

/** The number of entries that are read together. */
const PAGE_SIZE = 1000;

/** A key to write with its value; undefined deletes the key. */
type Difference = readonly [Key, Json | undefined];

/**
 * Makes another partition contain, under the given prefixes, what `source` contains. `guard` runs in every commit and throws if
 * the range is no longer ours to write. Entries that were not written after `since` are known to be equal if both sides have
 * them.
 */
export async function mirrorRanges(
  store: Store,
  source: Reader,
  to: string,
  ranges: readonly Key[],
  { guard, since }: { readonly guard: (tx: Reader) => Promise<void>; readonly since: number },
): Promise<void> {
  const write = (tx: Transaction, [key, value]: Difference) => {
    if (value === undefined) tx.delete(key);
    else tx.put(key, value);
  };
  // The writes that make each range of the target equal to that of `source`. The target is read again for every page. Each page
  // starts after everything written so far, because an old snapshot of a partition that is being written to is slow to read.
  async function* diffRanges(): AsyncGenerator<Difference> {
    for (const under of ranges) {
      const targetEntries = iterateRange(() => store.read(to), under);
      let existing = (await targetEntries.next()).value as Entry | undefined;
      for await (const entry of iterateRange(async () => source, under)) {
        while (existing && existing.key < entry.key) {
          yield [existing.key, undefined];
          existing = (await targetEntries.next()).value as Entry | undefined;
        }
        const exists = existing?.key === entry.key;
        if (!exists || (entry.version > since && JSON.stringify(existing!.value) !== JSON.stringify(entry.value)))
          yield [entry.key, entry.value];
        if (exists) existing = (await targetEntries.next()).value as Entry | undefined;
      }
      for (; existing; existing = (await targetEntries.next()).value as Entry | undefined)
        yield [existing.key, undefined];
    }
  }
  await processInCommits(store, to, diffRanges(), write, guard);
}

/** Yields every entry whose key starts with `under`. `getView` is called again for each page. */
export async function* iterateRange(
  getView: () => Promise<Reader>,
  under: Key,
  pageSize = PAGE_SIZE,
): AsyncGenerator<Entry, undefined> {
  let after: Key | undefined;
  for (;;) {
    const entries = await (await getView()).list({ under, after, limit: pageSize });
    yield* entries;
    if (entries.length < pageSize) return;
    after = entries.at(-1)!.key;
  }
}

/**
 * Deletes the entries under the given prefixes, as many as fit into the transaction. Returns whether there are more. The entries
 * are read unchecked: the caller must have read something that keeps others from writing there.
 */
export async function dropRanges(tx: Transaction, ranges: readonly Key[]): Promise<boolean> {
  for (const under of ranges) if (await forEachEntry(tx, { under }, async ({ key }) => tx.delete(key))) return true;
  return false;
}
