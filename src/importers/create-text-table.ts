// Creates a table of texts as a block of a document.

import type { Block, BlockOf, ColumnDefinition, Fragment, Phrasing, TableRecord } from "../content/document";
import { isEmpty } from "../content/markdown/document-parts";

/** The most cells of a table, including empty ones: each costs time to write. */
export const MAX_TABLE_CELLS = 20_000;

/** Creates a table with a number of columns, from its rows by column. Without titles, its head is not shown. */
export function createTextTable(
  titles: readonly string[] | undefined,
  rows: readonly Iterable<readonly [column: number, nodes: Phrasing[]]>[],
  columnCount: number,
): BlockOf<"table"> {
  const ids = Array.from({ length: columnCount }, (_, i) => `c${i + 1}`);
  const columns = ids.map((id, i): [string, ColumnDefinition] => {
    const title = (titles?.[i] ?? "").replace(/\s+/g, " ").trim();
    return [id, { id, title, type: "text" }];
  });
  const fragments: Fragment[] = [];
  const records = rows.map((row, i): [string, TableRecord] => {
    const values: TableRecord["values"] = {};
    for (const [column, nodes] of row) {
      if (column >= columnCount || isEmpty(nodes)) continue;
      const fragment = `r${i + 1}${ids[column]}`;
      values[ids[column]!] = fragment;
      const paragraph: Block = { object: "block", type: "paragraph", data: {}, nodes };
      fragments.push({ object: "fragment", fragment, type: "cell", nodes: [paragraph] });
    }
    return [`r${i + 1}`, { orderIndex: String(i + 1).padStart(6, "0"), values }];
  });
  const view = { type: "grid" as const, columns: ids, hideHeader: titles === undefined };
  const data = { view, records: Object.fromEntries(records), definition: Object.fromEntries(columns) };
  return { object: "block", type: "table", isVoid: true, data, fragments };
}
