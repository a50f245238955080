// Work that may exceed one commit. It continues while the transaction has budget left and reports if it stopped early, so that the
// next transaction can continue. Neither these functions nor their callers count the cost of a row.

import type { Entry, Key, Range } from "./storage";
import type { Store } from "./store";
import type { CommitBudget, Reader, Transaction } from "./transaction";

/**
 * The budget that is kept in reserve: for the last row that was started, for other changes that belong in the same commit, and for
 * sealed values, which are longer in the storage.
 */
const RESERVE: CommitBudget = { entries: 100, checks: 200, bytes: 160 * 1024 };

/** The number of rows that are read together. */
const PAGE_SIZE = 50;

/** Returns whether a transaction should take on no more work. */
export function isFull({ budget }: Transaction): boolean {
  return budget.entries <= RESERVE.entries || budget.checks <= RESERVE.checks || budget.bytes <= RESERVE.bytes;
}

/** A record and its position in a list. */
export interface PositionedRecord<T> {
  readonly record: T;
  readonly position: Key;
}

/** The page of a list to read: at most `limit` rows after a position. */
interface RowWindow {
  readonly after: Key | undefined;
  readonly limit: number;
}

export type RowListing<T> = (reader: Reader, window: RowWindow) => Promise<readonly PositionedRecord<T>[]>;

/**
 * Calls `process` for each row of a list while there is budget left. Returns whether there are more rows. If a row needs more work
 * than the budget allows, `process` returns `true`, and the next transaction processes the row again. `start` is the position
 * after which to begin.
 *
 * The list is read unchecked: a caller that changes or deletes a row must check it.
 */
export async function forEachRow<T>(
  tx: Transaction,
  list: RowListing<T>,
  process: (record: T, position: Key) => Promise<unknown>,
  start?: Key,
): Promise<boolean> {
  const unchecked = await tx.withGuards([]);
  let after = start;
  for (;;) {
    const rows = await list(unchecked, { after, limit: PAGE_SIZE });
    for (const { record, position } of rows) if (isFull(tx) || (await process(record, position)) === true) return true;
    if (rows.length < PAGE_SIZE) return false;
    after = rows.at(-1)!.position;
  }
}

/** Calls `process` for each entry of a range while there is budget left, like `forEachRow`. */
export function forEachEntry(
  tx: Transaction,
  range: Pick<Range, "under" | "before">,
  process: (entry: Entry) => Promise<unknown>,
): Promise<boolean> {
  const list: RowListing<Entry> = async (reader, window) => {
    const entries = await reader.list({ ...range, ...window });
    return entries.map((entry) => ({ record: entry, position: entry.key }));
  };
  return forEachRow(tx, list, process);
}

/**
 * Calls `process` for each item, in as many commits as needed. Returns the number of items for which it returned `true`. `guard`
 * runs at the beginning of each commit. A commit takes at least one item, and a transaction that is retried takes the same items
 * again.
 */
export async function processInCommits<T>(
  store: Store,
  partition: string,
  items: Iterable<T> | AsyncIterable<T>,
  process: (tx: Transaction, item: T) => unknown,
  guard?: (tx: Reader) => Promise<void>,
): Promise<number> {
  const incoming = (async function* () {
    yield* items;
  })();
  /** Items that have been received but not committed. */
  const pending: T[] = [];
  const receive = async (index: number) => {
    if (index < pending.length) return true;
    const next = await incoming.next();
    if (!next.done) pending.push(next.value);
    return !next.done;
  };
  let count = 0;
  while (await receive(0)) {
    const results = await store.write(partition, async (tx) => {
      await guard?.(tx);
      const committing: unknown[] = [];
      do committing.push(await process(tx, pending[committing.length]!));
      while (!isFull(tx) && (await receive(committing.length)));
      return committing;
    });
    pending.splice(0, results.length);
    count += results.filter((result) => result === true).length;
  }
  return count;
}
