// Work that may be more than one commit takes. It goes on while the transaction has room and says when it stopped, so that
// the next transaction goes on from there. Nothing here, and nobody who uses it, counts what a row costs.

import type { Entry, Key, Range } from "./storage";
import type { Store } from "./store";
import type { CommitBudget, Reader, Transaction } from "./transaction";

/** What stays free: for the last piece of work that was begun, for what else belongs into the commit, and for sealed values,
 * which are longer in the storage. */
const KEPT_FREE: CommitBudget = { entries: 100, checks: 200, bytes: 160 * 1024 };

/** Rows that are read together. */
const PAGE = 50;

/** Whether a transaction should take on no more work. */
export function isFull({ budget: room }: Transaction): boolean {
  return room.entries <= KEPT_FREE.entries || room.checks <= KEPT_FREE.checks || room.bytes <= KEPT_FREE.bytes;
}

/** A record in its place in a list. */
export interface PositionedRecord<T> {
  readonly record: T;
  readonly position: Key;
}

/** What `list` reads next: so many, after a position. */
interface RowWindow {
  readonly after: Key | undefined;
  readonly limit: number;
}

/** Rows of a list, in the order of their positions. */
export type RowListing<T> = (reader: Reader, stretch: RowWindow) => Promise<readonly PositionedRecord<T>[]>;

/**
 * Does something with each row of a list, for as long as there is room; true when there are more rows. A row that has more
 * to it than there is room for is not done: `each` says so with `true`, and the next transaction comes back to it. `start`
 * is the position to begin behind.
 *
 * The list is read unchecked: whoever changes or deletes what it holds checks that.
 */
export async function forEachRow<T>(
  tx: Transaction,
  list: RowListing<T>,
  each: (it: T, position: Key) => Promise<unknown>,
  start?: Key,
): Promise<boolean> {
  const unchecked = await tx.withGuards([]);
  let after = start;
  for (;;) {
    const rows = await list(unchecked, { after, limit: PAGE });
    for (const { record, position } of rows) if (isFull(tx) || (await each(record, position)) === true) return true;
    if (rows.length < PAGE) return false;
    after = rows.at(-1)!.position;
  }
}

/** The same with entries, whatever they are. */
export function forEachEntry(
  tx: Transaction,
  range: Pick<Range, "under" | "before">,
  each: (entry: Entry) => Promise<unknown>,
): Promise<boolean> {
  const rowOf = (entry: Entry) => ({ record: entry, position: entry.key });
  return forEachRow(tx, async (reader, stretch) => (await reader.list({ ...range, ...stretch })).map(rowOf), each);
}

/**
 * Does something with each of many things, in as many commits as they take; gives the number of those of which `each` said
 * `true`. `guard` is held at the beginning of each commit. A commit takes at least one thing, and a transaction that runs
 * again takes the same.
 */
export async function processInCommits<T>(
  store: Store,
  partition: string,
  things: Iterable<T> | AsyncIterable<T>,
  each: (tx: Transaction, thing: T) => unknown,
  guard?: (tx: Reader) => Promise<void>,
): Promise<number> {
  const coming = allOf(things);
  /** What has come and is not committed. */
  const waiting: T[] = [];
  const hasCome = async (nth: number) => {
    if (nth < waiting.length) return true;
    const next = await coming.next();
    if (!next.done) waiting.push(next.value);
    return !next.done;
  };
  let counted = 0;
  while (await hasCome(0)) {
    const said = await store.write(partition, async (tx) => {
      await guard?.(tx);
      const answers: unknown[] = [];
      do answers.push(await each(tx, waiting[answers.length]!));
      while (!isFull(tx) && (await hasCome(answers.length)));
      return answers;
    });
    waiting.splice(0, said.length);
    counted += said.filter((it) => it === true).length;
  }
  return counted;
}

async function* allOf<T>(things: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, undefined> {
  yield* things;
}
