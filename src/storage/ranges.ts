// Entries by what their keys begin with, whatever they are: brought to another partition, and taken away. Nothing is
// understood on the way, so it costs what reading and writing cost.

import type { Entry, Json, Key } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";
import { forEachEntry, processInCommits } from "./transaction-budget";

/** Entries that are read together. */
const PART = 1000;

/** Something to write: a value, or that there is none. */
type Difference = readonly [Key, Json | undefined];

/**
 * Makes another partition hold, under some beginnings of keys, what `source` holds. `guard` is read in every commit, and
 * throws when the place is not ours any more. What was not written after `since` is the same on both sides where it is on
 * both.
 */
export async function mirrorRanges(
  store: Store,
  source: Reader,
  to: string,
  ranges: readonly Key[],
  options: { readonly guard: (tx: Reader) => Promise<void>; readonly since: number },
): Promise<void> {
  const write = (tx: Transaction, [key, value]: Difference) => {
    if (value === undefined) tx.delete(key);
    else tx.put(key, value);
  };
  async function* all() {
    for (const under of ranges) yield* diffRange(source, () => store.read(to), under, options.since);
  }
  await processInCommits(store, to, all(), write, options.guard);
}

/** What must be written so that the target holds what `source` does. The target is read again for every part, which
 * begins after everything written so far, because an old snapshot of a partition that is being written to is slow to
 * read. */
async function* diffRange(
  source: Reader,
  target: () => Promise<Reader>,
  under: Key,
  since: number,
): AsyncGenerator<Difference> {
  const theirs = iterateRange(target, under);
  let there = (await theirs.next()).value as Entry | undefined;
  for await (const here of iterateRange(async () => source, under)) {
    while (there && there.key < here.key) {
      yield [there.key, undefined];
      there = (await theirs.next()).value as Entry | undefined;
    }
    const isThere = there?.key === here.key;
    if (!isThere || (here.version > since && JSON.stringify(there!.value) !== JSON.stringify(here.value)))
      yield [here.key, here.value];
    if (isThere) there = (await theirs.next()).value as Entry | undefined;
  }
  for (; there; there = (await theirs.next()).value as Entry | undefined) yield [there.key, undefined];
}

/** Every entry whose key begins with `under`, read part by part; every part asks for its view. */
export async function* iterateRange(
  view: () => Promise<Reader>,
  under: Key,
  part = PART,
): AsyncGenerator<Entry, undefined> {
  let after: Key | undefined;
  for (;;) {
    const entries = await (await view()).list({ under, after, limit: part });
    yield* entries;
    if (entries.length < part) return;
    after = entries.at(-1)!.key;
  }
}

/** Takes away what is under some beginnings of keys, as much as the transaction has room for; true when there is more. It is
 * read unchecked: whoever calls this has read something that keeps others from writing there. */
export async function dropRanges(tx: Transaction, ranges: readonly Key[]): Promise<boolean> {
  for (const under of ranges) if (await forEachEntry(tx, { under }, async ({ key }) => tx.delete(key))) return true;
  return false;
}
