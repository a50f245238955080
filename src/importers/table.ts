// A table of texts as a block of a document.

import type { Block, BlockOf, ColumnDefinition, Fragment, Phrasing, TableRecord } from "../content/document";
import { isEmpty } from "../content/markdown/reader/leaves";

/** The most cells of a table, empty ones included: each costs time to write. */
export const MAX_CELLS = 20_000;

/** A table of so many columns, its rows by column; without titles its head is not shown. */
export function tableOf(
  titles: readonly string[] | undefined,
  rows: readonly Iterable<readonly [column: number, nodes: Phrasing[]]>[],
  width: number,
): BlockOf<"table"> {
  const ids = Array.from({ length: width }, (_, i) => `c${i + 1}`);
  const definition = Object.fromEntries(
    ids.map((id, i): [string, ColumnDefinition] => [
      id,
      { id, title: (titles?.[i] ?? "").replace(/\s+/g, " ").trim(), type: "text" },
    ]),
  );
  const fragments: Fragment[] = [];
  const records = rows.map((row, i): [string, TableRecord] => {
    const values: TableRecord["values"] = {};
    for (const [column, nodes] of row) {
      if (column >= width || isEmpty(nodes)) continue;
      const name = `r${i + 1}${ids[column]}`;
      values[ids[column]!] = name;
      const paragraph: Block = { object: "block", type: "paragraph", data: {}, nodes };
      fragments.push({ object: "fragment", fragment: name, type: "cell", nodes: [paragraph] });
    }
    return [`r${i + 1}`, { orderIndex: String(i + 1).padStart(6, "0"), values }];
  });
  const view = { type: "grid" as const, columns: ids, hideHeader: titles === undefined };
  const data = { view, records: Object.fromEntries(records), definition };
  return { object: "block", type: "table", isVoid: true, data, fragments };
}
