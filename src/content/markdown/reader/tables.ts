// Tables of Markdown and of HTML into the table of the document: columns, rows, and a fragment for each cell with text.

import type {
  BlockOf,
  CellValue,
  ColumnDefinition,
  ColumnType,
  Fragment,
  Phrasing,
  Ref,
  TableRecord,
  TableView,
} from "../../document";
import type { Table } from "../nodes";
import { statedAnchor } from "./anchors";
import type { Element, Phrase } from "./elements";
import { type ReadPhrases, withoutParagraphs } from "./figures";
import { onlyElements } from "./html-tree";
import { isEmpty } from "./leaves";
import { plainText } from "./phrasing";
import type { LinkPurpose, Reading } from "./reading";
import { saidBy } from "./words";

const COLUMN_TYPES: ReadonlySet<string> = new Set<ColumnType>([
  "text",
  "number",
  "checkbox",
  "files",
  "users",
  "rating",
  "select",
  "content-ref",
  "image",
]);

/** A column, with the options that its cells have selected so far. */
interface Column {
  definition: ColumnDefinition;
  options: Map<string, { value: string; label: string }>;
}

/** A table that grows row by row. */
class TableBuilder {
  readonly records: Record<string, TableRecord> = {};
  readonly fragments: Fragment[] = [];
  readonly columns: Column[] = [];
  #rows = 0;

  addColumn(column: Omit<ColumnDefinition, "id">): ColumnDefinition {
    const definition = { id: `c${this.columns.length + 1}`, ...column };
    this.columns.push({ definition, options: new Map() });
    return definition;
  }

  /** Adds a row of cells; `valueIn` gives a cell's value, or what it says, or nothing. A row may be shorter than the head. */
  addRow<Cell>(
    cells: readonly Cell[],
    valueIn: (cell: Cell, column: Column) => CellValue | Phrasing[] | undefined,
  ): void {
    const row = `r${++this.#rows}`;
    const values: Record<string, CellValue> = {};
    for (const [index, cell] of cells.entries()) {
      const column = this.columns[index];
      const value = column && valueIn(cell, column);
      if (!column || value === undefined) continue;
      const { id, type } = column.definition;
      if (type !== "text") {
        values[id] = value as CellValue;
        continue;
      }
      const name = `${row}${id}`;
      const nodes = value as Phrasing[];
      values[id] = name;
      this.fragments.push({
        object: "fragment",
        fragment: name,
        type: "cell",
        nodes: [{ object: "block", type: "paragraph", isVoid: false, data: {}, nodes }],
      });
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
export function markdownTable(table: Table, readPhrases: ReadPhrases): BlockOf<"table"> {
  const builder = new TableBuilder();
  const [head, ...rows] = table.children;
  for (const [i, cell] of head!.children.entries()) {
    const alignment = table.align[i];
    const title = saidBy(readPhrases(cell.children)).replaceAll("\n", " ").trim();
    builder.addColumn({ title, type: "text", ...(alignment ? { textAlignment: alignment } : {}) });
  }
  for (const row of rows) builder.addRow(row.children, (cell) => unlessEmpty(readPhrases(cell.children)));
  const columns = builder.columns.map(({ definition }) => definition.id);
  return builder.finish({ type: "grid", columns, hideHeader: false }, false);
}

function unlessEmpty(nodes: Phrasing[]): Phrasing[] | undefined {
  return isEmpty(nodes) ? undefined : nodes;
}

/** A table of HTML, if it is nothing but rows of cells that we can hold. */
export function htmlTable(
  reading: Reading,
  tree: readonly Phrase[],
  readPhrases: ReadPhrases,
): BlockOf<"table"> | undefined {
  const [table, ...others] = onlyElements(tree) ?? [];
  if (table?.name !== "table" || others.length > 0) return undefined;
  const rows = rowsOf(table);
  const [head, ...body] = rows ?? [];
  const titles = head && onlyElements(head.children);
  if (!titles || titles.length === 0) return undefined;

  const builder = new TableBuilder();
  const shown: string[] = [];
  const widths: Record<string, number> = {};
  const roles: { target?: string; cover?: string } = {};
  for (const title of titles) {
    const column = builder.addColumn(columnOf(title));
    const { attributes } = title;
    if (!("data-hidden" in attributes)) shown.push(column.id);
    if ("data-card-target" in attributes) roles.target ??= column.id;
    if ("data-card-cover" in attributes) roles.cover ??= column.id;
    if (/^[0-9]{1,5}(?:\.[0-9]{1,8})?$/.test(attributes.width ?? ""))
      widths[column.id] = Number.parseFloat(attributes.width!);
  }
  for (const row of body) {
    const cells = onlyElements(row.children);
    if (!cells || cells.some(({ children }) => !isPhrasing(children))) return undefined;
    builder.addRow(cells, (cell, column) => cellOf(reading, column, cell, readPhrases));
  }
  return builder.finish(viewOf(table, shown, widths, roles), table.attributes["data-full-width"] === "true");
}

function viewOf(
  { attributes }: Element,
  columns: string[],
  columnWidths: Record<string, number>,
  { target, cover }: { target?: string; cover?: string },
): TableView {
  if (attributes["data-view"] !== "cards") {
    const hasWidths = Object.keys(columnWidths).length > 0;
    return {
      type: "grid",
      columns,
      ...(hasWidths ? { columnWidths } : {}),
      hideHeader: "data-header-hidden" in attributes,
    };
  }
  return {
    type: "cards",
    cardSize: attributes["data-card-size"] === "large" ? "large" : "medium",
    columns,
    ...(target === undefined ? {} : { targetDefinition: target }),
    ...(cover === undefined ? {} : { coverDefinition: cover }),
  };
}

/** The rows of a table, the head first; undefined if something else is in it. */
function rowsOf(table: Element): Element[] | undefined {
  const parts = onlyElements(table.children);
  if (!parts?.every(({ name }) => name === "thead" || name === "tbody")) return undefined;
  const rows: Element[] = [];
  for (const part of parts) {
    const inside = onlyElements(part.children);
    if (!inside?.every(({ name }) => name === "tr")) return undefined;
    if (part.name === "thead" && (inside.length !== 1 || rows.length > 0)) return undefined;
    for (const row of inside) rows.push(row);
  }
  if (parts[0]?.name !== "thead") return undefined;
  return rows.every((row) => onlyElements(row.children)?.every(({ name }) => name === "td" || name === "th"))
    ? rows
    : undefined;
}

function columnOf({ attributes, children }: Element): Omit<ColumnDefinition, "id"> {
  const stated = attributes["data-type"] ?? "text";
  const type = (COLUMN_TYPES.has(stated) ? stated : "text") as ColumnType;
  const max = Number.parseInt(attributes["data-max"] ?? "", 10);
  const alignment = attributes.align;
  return {
    title: plainText(children).trim(),
    type,
    ...(alignment === "left" || alignment === "center" || alignment === "right" ? { textAlignment: alignment } : {}),
    ...(type === "rating" && max > 0 && max < 1000 ? { max } : {}),
  };
}

const PHRASING = new Set("a b strong i em del s code kbd sub sup mark picture span img br source p".split(" "));

/** Whether an element and everything in it means something inside a paragraph. */
export function isUnderstood({ name, attributes, children }: Element): boolean {
  if (!PHRASING.has(name) || name === "span" || name === "p" || name === "source") return false;
  if (name === "a" && attributes.href === undefined && statedAnchor(attributes) === undefined) return false;
  return name === "picture" || children.every((child) => child.type !== "element" || isUnderstood(child));
}

/** Whether a cell holds nothing that a paragraph could not. */
export function isPhrasing(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => node.type !== "element" || (PHRASING.has(node.name) && isPhrasing(node.children)));
}

function cellOf(
  reading: Reading,
  column: Column,
  cell: Element,
  readPhrases: ReadPhrases,
): CellValue | Phrasing[] | undefined {
  const said = plainText(cell.children).trim();
  switch (column.definition.type) {
    case "text":
      return unlessEmpty(readPhrases(withoutParagraphs(cell.children)));
    case "number":
    case "rating":
      return said !== "" && Number.isFinite(Number(said)) ? Number(said) : undefined;
    case "checkbox":
      return said === "" ? undefined : said === "true";
    case "select":
      return selected(column, cell);
    case "users":
      return said === "" ? undefined : said.split(",").map((user) => user.trim());
    case "files":
      return refsIn(reading, cell, "file");
    case "content-ref":
      return refsIn(reading, cell, "content-ref")?.[0];
    case "image":
      return refsIn(reading, cell, "image")?.[0];
  }
}

/** Options are told by `<span data-option="value">label</span>`, else by what the cell says. */
function selected({ options }: Column, cell: Element): string[] | undefined {
  const spans = cell.children.filter(
    (node): node is Element => node.type === "element" && "data-option" in node.attributes,
  );
  const found = spans.map((span) => ({
    value: span.attributes["data-option"]!,
    label: plainText(span.children).trim(),
  }));
  if (found.length === 0) {
    for (const label of plainText(cell.children).split(",")) {
      if (label.trim() !== "") found.push({ value: label.trim(), label: label.trim() });
    }
  }
  for (const option of found) if (!options.has(option.value)) options.set(option.value, option);
  return found.length === 0 ? undefined : found.map(({ value }) => value);
}

function refsIn(reading: Reading, cell: Element, as: LinkPurpose): Ref[] | undefined {
  const refs: Ref[] = [];
  for (const node of cell.children) {
    if (node.type !== "element") continue;
    const href = node.name === "img" ? node.attributes.src : node.attributes.href;
    const ref = href === undefined ? undefined : reading.refTo(href, as, plainText(node.children).trim(), node);
    if (ref) refs.push(ref);
  }
  return refs.length > 0 ? refs : undefined;
}
