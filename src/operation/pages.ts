// Pages of a list. Without a filter a page reads only its own rows, and the count is a stored total. With a filter the
// whole list is read, because only that shows how many rows pass.

import type { KeyPart } from "../store/key";
import type { Slice } from "../store/records";
import type { Row } from "../store/room";
import type { Key } from "../store/storage";
import type { Reader } from "../store/transaction";
import type { Listing, Page } from "./operation";

/** Rows from a position on, in the list's order. */
export type Walk<T> = (slice: Pick<Slice, "after" | "limit">) => Promise<Row<T>[]>;

const CHUNK = 500;

/** One page of a list without a filter. */
export async function pageOf<T, Item>(
  page: Page,
  walk: Walk<T>,
  count: number,
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
): Promise<Listing<Item>> {
  const rows = await walk({ after: page.after, limit: page.limit + 1 });
  return listing(page, rows, count, view);
}

/** One page of the rows of an index under `group`. A total of the same name has their count. */
export async function groupPage<T, Name extends string, Item>(
  { tx, page }: { readonly tx: Reader; readonly page: Page },
  set: {
    list(tx: Reader, name: Name, slice: Slice): Promise<Row<T>[]>;
    total(tx: Reader, name: Name, ...group: readonly KeyPart[]): Promise<number>;
  },
  name: Name,
  group: readonly KeyPart[],
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
  options: Pick<Slice, "reverse"> = {},
): Promise<Listing<Item>> {
  const walk: Walk<T> = (slice) => set.list(tx, name, { under: group, ...options, ...slice });
  return pageOf(page, walk, await set.total(tx, name, ...group), view);
}

/** One page of rows that are all in memory, in their order. */
export function pageOfRows<T, Item>(
  page: Page,
  rows: readonly Row<T>[],
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
): Promise<Listing<Item>> {
  const walk: Walk<T> = async ({ after, limit }) =>
    rows.filter(({ position }) => after === undefined || position > after).slice(0, limit);
  return pageOf(page, walk, rows.length, view);
}

/** One page of a list of the rows that pass a filter. */
export async function filteredPageOf<T, Item>(
  page: Page,
  walk: Walk<T>,
  passes: (record: T) => boolean,
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
  options: { readonly reverse?: boolean } = {},
): Promise<Listing<Item>> {
  const rows: Row<T>[] = [];
  let count = 0;
  for await (const row of everyRow(walk)) {
    if (!passes(row.record)) continue;
    count++;
    const isPast =
      page.after === undefined || (options.reverse ? row.position < page.after : row.position > page.after);
    if (isPast && rows.length <= page.limit) rows.push(row);
  }
  return listing(page, rows, count, view);
}

/** Every row of a list, read in chunks. */
export async function* everyRow<T>(walk: Walk<T>, chunk = CHUNK): AsyncGenerator<Row<T>> {
  let after: Key | undefined;
  for (;;) {
    const rows = await walk({ after, limit: chunk });
    yield* rows;
    if (rows.length < chunk) return;
    after = rows.at(-1)!.position;
  }
}

async function listing<T, Item>(
  page: Page,
  rows: readonly Row<T>[],
  count: number,
  view: (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[],
): Promise<Listing<Item>> {
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1)!.position : undefined;
  return { items: await view(shown.map((row) => row.record)), last, count };
}
