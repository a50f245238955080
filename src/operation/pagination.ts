// Parts of a list. Without a filter a part reads only its own rows, and the count is a stored total. With a filter the
// whole list is read, because only that shows how many rows pass.

import type { KeyPart } from "../storage/key";
import type { Slice } from "../storage/records";
import type { Row } from "../storage/room";
import type { Key } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import type { PageOfItems, PageRequest } from "./operation";

/** Rows from a position on, in the list's order. */
export type ReadRows<T> = (slice: Pick<Slice, "after" | "limit">) => Promise<Row<T>[]>;

const CHUNK = 500;

/** One part of a list without a filter. */
export async function paginateList<T, Item>(
  listPart: PageRequest,
  walk: ReadRows<T>,
  count: number,
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
): Promise<PageOfItems<Item>> {
  const rows = await walk({ after: listPart.after, limit: listPart.limit + 1 });
  return listing(listPart, rows, count, view);
}

/** One part of the rows of an index under `group`. A total of the same name has their count. */
export async function paginateGroup<T, Name extends string, Item>(
  { tx, pageRequest: listPart }: { readonly tx: Reader; readonly pageRequest: PageRequest },
  set: {
    list(tx: Reader, name: Name, slice: Slice): Promise<Row<T>[]>;
    total(tx: Reader, name: Name, ...group: readonly KeyPart[]): Promise<number>;
  },
  name: Name,
  group: readonly KeyPart[],
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
  options: Pick<Slice, "reverse"> = {},
): Promise<PageOfItems<Item>> {
  const walk: ReadRows<T> = (slice) => set.list(tx, name, { under: group, ...options, ...slice });
  return paginateList(listPart, walk, await set.total(tx, name, ...group), view);
}

/** One part of rows that are all in memory, in their order, or against it. */
export function paginateRows<T, Item>(
  listPart: PageRequest,
  rows: readonly Row<T>[],
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
  options: { readonly reverse?: boolean } = {},
): Promise<PageOfItems<Item>> {
  const walk: ReadRows<T> = async ({ after, limit }) => {
    const found: Row<T>[] = [];
    const step = options.reverse ? -1 : 1;
    for (let at = options.reverse ? rows.length - 1 : 0; rows[at] && found.length < limit; at += step) {
      const { position } = rows[at]!;
      if (after === undefined || (options.reverse ? position < after : position > after)) found.push(rows[at]!);
    }
    return found;
  };
  return paginateList(listPart, walk, rows.length, view);
}

/** One part of a list of the rows that pass a filter. */
export async function paginateFiltered<T, Item>(
  listPart: PageRequest,
  walk: ReadRows<T>,
  passes: (record: T) => boolean,
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
  options: { readonly reverse?: boolean } = {},
): Promise<PageOfItems<Item>> {
  const rows: Row<T>[] = [];
  let count = 0;
  for await (const row of iterateRows(walk)) {
    if (!passes(row.record)) continue;
    count++;
    const isPast =
      listPart.after === undefined || (options.reverse ? row.position < listPart.after : row.position > listPart.after);
    if (isPast && rows.length <= listPart.limit) rows.push(row);
  }
  return listing(listPart, rows, count, view);
}

/** Every row of a list, read in chunks. */
export async function* iterateRows<T>(walk: ReadRows<T>, chunk = CHUNK): AsyncGenerator<Row<T>> {
  let after: Key | undefined;
  for (;;) {
    const rows = await walk({ after, limit: chunk });
    yield* rows;
    if (rows.length < chunk) return;
    after = rows.at(-1)!.position;
  }
}

/** The same, all of them together. */
export async function readAllRows<T>(walk: ReadRows<T>): Promise<Row<T>[]> {
  const rows: Row<T>[] = [];
  for await (const row of iterateRows(walk)) rows.push(row);
  return rows;
}

async function listing<T, Item>(
  listPart: PageRequest,
  rows: readonly Row<T>[],
  count: number,
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
): Promise<PageOfItems<Item>> {
  const shown = rows.slice(0, listPart.limit);
  const last = rows.length > listPart.limit ? shown.at(-1)!.position : undefined;
  return { items: await view(shown.map((row) => row.record)), lastPosition: last, count };
}
