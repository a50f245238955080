// Entries by what their keys begin with, whatever they are: brought to another partition, and taken away. Nothing is
// understood on the way, so it costs what reading and writing cost.

import { type Entry, type Json, type Key, MAX_BATCH_BYTES } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";

/** Entries that one commit writes, with room for what else is in it. */
const AT_ONCE = 450;
/** A character of JSON is at most three bytes. */
const MAX_LENGTH = (MAX_BATCH_BYTES - 50_000) / 3;
/** Entries that one look reads. */
const READ_AT_ONCE = 1000;

/** Something to write: a value, or that there is none. */
type Difference = readonly [Key, Json | undefined];

/**
 * Makes another partition hold, under some beginnings of keys, what `source` holds. `guard` is read in every commit, and
 * throws when the place is not ours any more. What was not written after `since` is the same on both sides where it is on
 * both.
 */
export async function mirror(
  store: Store,
  source: Reader,
  to: string,
  ranges: readonly Key[],
  options: { readonly guard: (tx: Reader) => Promise<void>; readonly since: number },
): Promise<void> {
  let some: Difference[] = [];
  let length = 0;
  const write = async () => {
    if (some.length === 0) return;
    await store.write(to, async (tx) => {
      await options.guard(tx);
      for (const [key, value] of some) {
        if (value === undefined) tx.delete(key);
        else tx.put(key, value);
      }
    });
    [some, length] = [[], 0];
  };
  for (const under of ranges) {
    for await (const difference of differences(source, () => store.read(to), under, options.since)) {
      const size = difference[0].length + (difference[1] === undefined ? 0 : JSON.stringify(difference[1]).length);
      if (some.length >= AT_ONCE || length + size > MAX_LENGTH) await write();
      some.push(difference);
      length += size;
    }
  }
  await write();
}

/** What must be written so that the target holds what `source` does. The target is read again for every part, which
 * begins after everything written so far, because an old snapshot of a partition that is being written to is slow to
 * read. */
async function* differences(
  source: Reader,
  target: () => Promise<Reader>,
  under: Key,
  since: number,
): AsyncGenerator<Difference> {
  const theirs = entriesOf(target, under);
  let there = (await theirs.next()).value as Entry | undefined;
  for await (const here of entriesOf(async () => source, under)) {
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

async function* entriesOf(view: () => Promise<Reader>, under: Key): AsyncGenerator<Entry, undefined> {
  let after: Key | undefined;
  for (;;) {
    const entries = await (await view()).list({ under, after, limit: READ_AT_ONCE });
    yield* entries;
    if (entries.length < READ_AT_ONCE) return;
    after = entries.at(-1)!.key;
  }
}

/** Takes away some of what is under some beginnings of keys; true when there is more. They are read unchecked: whoever calls
 * this has read something that keeps others from writing there. */
export async function dropRanges(tx: Transaction, ranges: readonly Key[]): Promise<boolean> {
  let left = AT_ONCE;
  for (const under of ranges) {
    const entries = await tx.unchecked.list({ under, limit: left });
    for (const { key } of entries) tx.delete(key);
    left -= entries.length;
    if (left === 0) return true;
  }
  return false;
}
