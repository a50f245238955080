// Builds tables of the document: columns, rows, and a fragment for each text cell. Also reads GFM tables.

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
import type { TableNode } from "../nodes";
import { createTextNode, isEmpty } from "./leaves";
import { type BlocksReader, createBlock } from "./make-blocks";
import { getPhrasingText } from "./words";

export type SelectOption = NonNullable<ColumnDefinition["options"]>[number];

/** A column, with the options of its header cell and those of the cells so far. */
export interface Column {
  definition: ColumnDefinition;
  options: Map<string, SelectOption>;
}

export class TableBuilder {
  readonly records: Record<string, TableRecord> = {};
  readonly fragments: Fragment[] = [];
  readonly columns: Column[] = [];
  #rows = 0;

  /** Adds a column. A formatted title has a fragment as well. */
  addColumn(
    words: readonly Phrasing[],
    { options = [], ...column }: Omit<ColumnDefinition, "id" | "title">,
  ): ColumnDefinition {
    const definition = { id: `c${this.columns.length + 1}`, title: getColumnTitle(words), ...column };
    if (!isPlainPhrasing(words)) {
      const nodes = [createBlock("paragraph", {}, words)];
      this.fragments.push({ object: "fragment", fragment: definition.id, type: "column-title", nodes });
    }
    this.columns.push({ definition, options: new Map(options.map((option) => [option.value, option])) });
    return definition;
  }

  /** Adds a row with the value or the blocks of each cell. It may be shorter than the header row. */
  addRow(cells: readonly (CellValue | Block[] | undefined)[]): void {
    const row = `r${++this.#rows}`;
    const values: Record<string, CellValue> = {};
    for (const [index, value] of cells.entries()) {
      const column = this.columns[index];
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

export function getColumnTitle(words: readonly Phrasing[]): string {
  return getPhrasingText(words).replaceAll("\n", " ").trim();
}

export function collectFormattedTitles(
  definition: Readonly<Record<string, ColumnDefinition>>,
  fragments: readonly Fragment[] = [],
): Map<string, Phrasing[]> {
  const titles = new Map<string, Phrasing[]>();
  for (const { type, fragment: id = "", nodes } of fragments) {
    const [paragraph, ...others] = nodes;
    if (type !== "column-title" || paragraph?.type !== "paragraph" || others.length > 0) continue;
    if (titles.has(id) || !Object.hasOwn(definition, id)) continue;
    const words = (paragraph.nodes ?? []) as Phrasing[];
    // If the plain title was changed since, the formatted one is outdated.
    const isCurrent = getColumnTitle(words) === getColumnTitle([createTextNode(definition[id]!.title)]);
    if (isCurrent && !isPlainPhrasing(words)) titles.set(id, words);
  }
  return titles;
}

/** Returns true for text without marks. */
export function isPlainPhrasing(words: readonly Phrasing[]): boolean {
  return words.every(
    (node) =>
      node.object === "text" && node.leaves.every(({ text, marks }) => marks.length === 0 && !text.includes("\n")),
  );
}

/** Reads a GFM table. Cells beyond those of the header row are ignored, as GFM defines it. */
export function* readMarkdownTable({ phrasing }: BlocksReader, table: TableNode): Steps<BlockOf<"table">> {
  const builder = new TableBuilder();
  const [head, ...rows] = table.children;
  for (const [i, cell] of head!.children.entries()) {
    const alignment = table.align[i];
    const words = yield* phrasing(cell.children);
    builder.addColumn(words, { type: "text", ...omitUndefined({ textAlignment: alignment ? alignment : undefined }) });
  }
  for (const row of rows) {
    const cells: (Block[] | undefined)[] = [];
    for (const cell of row.children.slice(0, builder.columns.length)) {
      const nodes = yield* phrasing(cell.children);
      cells.push(isEmpty(nodes) ? undefined : [createBlock("paragraph", {}, nodes)]);
    }
    builder.addRow(cells);
  }
  const columns = builder.columns.map(({ definition }) => definition.id);
  return builder.finish({ type: "grid", columns, hideHeader: false }, false);
}
