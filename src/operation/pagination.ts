// Pages of lists. Without a filter, a page reads only its own rows, and the count is a stored total. With a filter, the whole
// list is read, because only that shows how many rows pass.

import type { KeyPart } from "../storage/key";
import type { IndexSlice } from "../storage/records";
import type { Key } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import type { PositionedRecord } from "../storage/transaction-budget";

/** The position after which a page of a list begins, and the most items that it has. */
export interface PageRequest {
  readonly after: Key | undefined;
  readonly limit: number;
}

/** A page of a list, as a handler returns it. */
export interface PageOfItems<Item> {
  readonly items: readonly Item[];
  /** The position of the last item if more follow; otherwise undefined. */
  readonly lastPosition: Key | undefined;
  /** The number of items in the whole list. */
  readonly count: number;
  /** Facts about the whole list, from an operation with `extraFields`. */
  readonly extraFields?: object;
}

/** A page of a list, as callers of the API get it. */
export interface Envelope<Item> {
  readonly items: readonly Item[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

/** The query parameters that choose a page of a list. */
export interface Paging {
  /** `next.page` of the previous page. Default: the first page. */
  readonly page?: string;
  /** The most items. */
  readonly limit?: string | number;
}

/** Reads the rows that follow a position, in the order of the list. */
export type ReadRows<T> = (slice: Pick<IndexSlice, "after" | "limit">) => Promise<PositionedRecord<T>[]>;

type CreateItems<T, Item> = (records: readonly T[]) => Promise<readonly Item[]> | readonly Item[];

/** Returns one page of a list without a filter. */
export async function paginateList<T, Item>(
  pageRequest: PageRequest,
  readRows: ReadRows<T>,
  count: number,
  createItems: CreateItems<T, Item>,
): Promise<PageOfItems<Item>> {
  const rows = await readRows({ after: pageRequest.after, limit: pageRequest.limit + 1 });
  return createPage(pageRequest, rows, count, createItems);
}

/** Returns one page of the rows of an index under `group`. The count is the stored total of the same name. */
export async function paginateGroup<T, Name extends string, Item>(
  { tx, pageRequest }: { readonly tx: Reader; readonly pageRequest: PageRequest },
  recordSet: {
    list(tx: Reader, name: Name, slice: IndexSlice): Promise<PositionedRecord<T>[]>;
    total(tx: Reader, name: Name, ...group: readonly KeyPart[]): Promise<number>;
  },
  name: Name,
  group: readonly KeyPart[],
  createItems: CreateItems<T, Item>,
  options: Pick<IndexSlice, "reverse"> = {},
): Promise<PageOfItems<Item>> {
  const readRows: ReadRows<T> = (slice) => recordSet.list(tx, name, { under: group, ...options, ...slice });
  return paginateList(pageRequest, readRows, await recordSet.total(tx, name, ...group), createItems);
}

/** Returns one page of rows that are all in memory, in their order or in reverse. */
export function paginateRows<T, Item>(
  pageRequest: PageRequest,
  rows: readonly PositionedRecord<T>[],
  createItems: CreateItems<T, Item>,
  options: { readonly reverse?: boolean } = {},
): Promise<PageOfItems<Item>> {
  const readRows: ReadRows<T> = async ({ after, limit }) => {
    const pageRows: PositionedRecord<T>[] = [];
    const step = options.reverse ? -1 : 1;
    for (let index = options.reverse ? rows.length - 1 : 0; rows[index] && pageRows.length < limit; index += step) {
      const { position } = rows[index]!;
      if (after === undefined || (options.reverse ? position < after : position > after)) pageRows.push(rows[index]!);
    }
    return pageRows;
  };
  return paginateList(pageRequest, readRows, rows.length, createItems);
}

/** Returns one page of the rows that pass a filter. Reads the whole list. */
export async function paginateFiltered<T, Item>(
  pageRequest: PageRequest,
  readRows: ReadRows<T>,
  passesFilter: (record: T) => boolean,
  createItems: CreateItems<T, Item>,
  options: { readonly reverse?: boolean } = {},
): Promise<PageOfItems<Item>> {
  const { after, limit } = pageRequest;
  const pageRows: PositionedRecord<T>[] = [];
  let count = 0;
  for await (const row of iterateRows(readRows)) {
    if (!passesFilter(row.record)) continue;
    count++;
    const isAfterCursor = after === undefined || (options.reverse ? row.position < after : row.position > after);
    if (isAfterCursor && pageRows.length <= limit) pageRows.push(row);
  }
  return createPage(pageRequest, pageRows, count, createItems);
}

/** Creates a page from its rows. One row more than the limit shows that the list goes on. */
async function createPage<T, Item>(
  { limit }: PageRequest,
  rows: readonly PositionedRecord<T>[],
  count: number,
  createItems: CreateItems<T, Item>,
): Promise<PageOfItems<Item>> {
  const pageRows = rows.slice(0, limit);
  const lastPosition = rows.length > limit ? pageRows.at(-1)!.position : undefined;
  return { items: await createItems(pageRows.map((row) => row.record)), lastPosition, count };
}

const DEFAULT_BATCH_ROWS = 500;

/** Iterates over all rows of a list, which are read in batches. */
export async function* iterateRows<T>(
  readRows: ReadRows<T>,
  batchRows = DEFAULT_BATCH_ROWS,
): AsyncGenerator<PositionedRecord<T>> {
  let after: Key | undefined;
  for (;;) {
    const rows = await readRows({ after, limit: batchRows });
    yield* rows;
    if (rows.length < batchRows) return;
    after = rows.at(-1)!.position;
  }
}

/** Reads all rows of a list into memory. */
export async function readAllRows<T>(readRows: ReadRows<T>): Promise<PositionedRecord<T>[]> {
  const rows: PositionedRecord<T>[] = [];
  for await (const row of iterateRows(readRows)) rows.push(row);
  return rows;
}
