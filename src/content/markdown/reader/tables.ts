// The table of the document: columns, rows, and a fragment for each cell with text. Tables of Markdown are read here.

import type { Block, BlockOf, CellValue, ColumnDefinition, Fragment, TableRecord, TableView } from "../../document";
import type { Table } from "../nodes";
import type { Steps } from "../steps";
import { isEmpty } from "./leaves";
import { block, type ReadsBlocks } from "./make-blocks";
import { saidBy } from "./words";

/** What can be selected in a column. */
export type Option = NonNullable<ColumnDefinition["options"]>[number];

/** A column, with the options that its head states and those that its cells have selected so far. */
export interface Column {
  definition: ColumnDefinition;
  options: Map<string, Option>;
}

/** A table that grows row by row. */
export class TableBuilder {
  readonly records: Record<string, TableRecord> = {};
  readonly fragments: Fragment[] = [];
  readonly columns: Column[] = [];
  #rows = 0;

  addColumn({ options = [], ...column }: Omit<ColumnDefinition, "id">): ColumnDefinition {
    const definition = { id: `c${this.columns.length + 1}`, ...column };
    this.columns.push({ definition, options: new Map(options.map((option) => [option.value, option])) });
    return definition;
  }

  /** Adds a row of cells; `valueIn` gives a cell's value, or what it says, or nothing. A row may be shorter than the head. */
  *addRow<Cell>(
    cells: readonly Cell[],
    valueIn: (cell: Cell, column: Column) => Steps<CellValue | Block[] | undefined>,
  ): Steps<void> {
    const row = `r${++this.#rows}`;
    const values: Record<string, CellValue> = {};
    for (const [index, cell] of cells.entries()) {
      const column = this.columns[index];
      const value = column && (yield* valueIn(cell, column));
      if (!column || value === undefined) continue;
      const { id, type } = column.definition;
      if (type !== "text") {
        values[id] = value as CellValue;
        continue;
      }
      const name = `${row}${id}`;
      values[id] = name;
      this.fragments.push({ object: "fragment", fragment: name, type: "cell", nodes: value as Block[] });
    }
    this.records[row] = { orderIndex: String(this.#rows).padStart(6, "0"), values };
  }

  finish(view: TableView, isWide: boolean): BlockOf<"table"> {
    const { records, fragments } = this;
    const definition: Record<string, ColumnDefinition> = {};
    for (const { definition: column, options } of this.columns) {
      definition[column.id] = column.type === "select" ? { ...column, options: [...options.values()] } : column;
    }
    const data = { view, records, definition, ...(isWide ? { fullWidth: true } : {}) };
    return { object: "block", type: "table", isVoid: true, data, fragments };
  }
}

/** A table of GFM. Cells beyond those of the head are left out, as GFM has it. */
export function* markdownTable({ phrasing }: ReadsBlocks, table: Table): Steps<BlockOf<"table">> {
  const builder = new TableBuilder();
  const [head, ...rows] = table.children;
  for (const [i, cell] of head!.children.entries()) {
    const alignment = table.align[i];
    const title = saidBy(yield* phrasing(cell.children))
      .replaceAll("\n", " ")
      .trim();
    builder.addColumn({ title, type: "text", ...(alignment ? { textAlignment: alignment } : {}) });
  }
  for (const row of rows)
    yield* builder.addRow(row.children, function* (cell) {
      const nodes = yield* phrasing(cell.children);
      return isEmpty(nodes) ? undefined : [block("paragraph", {}, nodes)];
    });
  const columns = builder.columns.map(({ definition }) => definition.id);
  return builder.finish({ type: "grid", columns, hideHeader: false }, false);
}
