// The table of the document: columns, rows, and a fragment for each cell with text. Tables of Markdown are read here.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type {
  Block,
  BlockOf,
  CellValue,
  ColumnDefinition,
  Fragment,
  Phrasing,
  TableRecord,
  TableView,
} from "../../document";
import type { Table } from "../nodes";
import { isEmpty, textNode } from "./leaves";
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

  /** Adds a column. A title that is more than plain words has a fragment as well. */
  addColumn(
    words: readonly Phrasing[],
    { options = [], ...column }: Omit<ColumnDefinition, "id" | "title">,
  ): ColumnDefinition {
    const definition = { id: `c${this.columns.length + 1}`, title: columnTitle(words), ...column };
    if (!isPlain(words)) {
      const nodes = [block("paragraph", {}, words)];
      this.fragments.push({ object: "fragment", fragment: definition.id, type: "column-title", nodes });
    }
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
    const data = { view, records, definition, ...omitUndefined({ fullWidth: isWide ? true : undefined }) };
    return { object: "block", type: "table", isVoid: true, data, fragments };
  }
}

/** The title of a column in plain words. */
export function columnTitle(words: readonly Phrasing[]): string {
  return saidBy(words).replaceAll("\n", " ").trim();
}

/** The titles of columns that are formatted, by the ids of their columns. */
export function formattedTitles(
  definition: Readonly<Record<string, ColumnDefinition>>,
  fragments: readonly Fragment[] = [],
): Map<string, Phrasing[]> {
  const titles = new Map<string, Phrasing[]>();
  for (const { type, fragment: id = "", nodes } of fragments) {
    const [paragraph, ...others] = nodes;
    if (type !== "column-title" || paragraph?.type !== "paragraph" || others.length > 0) continue;
    if (titles.has(id) || !Object.hasOwn(definition, id)) continue;
    const words = (paragraph.nodes ?? []) as Phrasing[];
    // A title that was changed since is what its plain words say.
    const isCurrent = columnTitle(words) === columnTitle([textNode(definition[id]!.title)]);
    if (isCurrent && !isPlain(words)) titles.set(id, words);
  }
  return titles;
}

/** Whether words have neither marks nor anything else in them. */
function isPlain(words: readonly Phrasing[]): boolean {
  return words.every(
    (node) =>
      node.object === "text" && node.leaves.every(({ text, marks }) => marks.length === 0 && !text.includes("\n")),
  );
}

/** A table of GFM. Cells beyond those of the head are left out, as GFM has it. */
export function* markdownTable({ phrasing }: ReadsBlocks, table: Table): Steps<BlockOf<"table">> {
  const builder = new TableBuilder();
  const [head, ...rows] = table.children;
  for (const [i, cell] of head!.children.entries()) {
    const alignment = table.align[i];
    const words = yield* phrasing(cell.children);
    builder.addColumn(words, { type: "text", ...omitUndefined({ textAlignment: alignment ? alignment : undefined }) });
  }
  for (const row of rows)
    yield* builder.addRow(row.children, function* (cell) {
      const nodes = yield* phrasing(cell.children);
      return isEmpty(nodes) ? undefined : [block("paragraph", {}, nodes)];
    });
  const columns = builder.columns.map(({ definition }) => definition.id);
  return builder.finish({ type: "grid", columns, hideHeader: false }, false);
}
