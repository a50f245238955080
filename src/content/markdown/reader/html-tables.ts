// Tables of HTML into the table of the document. A cell of text holds any blocks; other cells hold the values of their
// column.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import {
  type Block,
  type BlockOf,
  type CellValue,
  type ColumnDefinition,
  type ColumnType,
  type ContentRef,
  MAX_COLUMNS,
  type TableView,
} from "../../document";
import { MAX_NODES } from "../limits";
import type { Element, Phrase } from "./elements";
import { captionOf, withoutParagraphs } from "./figures";
import { NEVER_SHOWN } from "./html-names";
import { isSpace, onlyElements } from "./html-tree";
import { isEmpty } from "./leaves";
import type { ReadsFlow } from "./make-blocks";
import { plainText } from "./phrasing";
import type { LinkPurpose, Reading } from "./reading";
import { type Column, type Option, TableBuilder } from "./tables";

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

/** A table of HTML, if it is nothing but rows of cells that we can hold. */
export function* htmlTable(
  reader: ReadsFlow,
  tree: readonly Phrase[],
  depth: number,
): Steps<BlockOf<"table"> | undefined> {
  const [table, ...others] = onlyElements(tree) ?? [];
  if (table?.name !== "table" || others.length > 0) return undefined;
  const rows = rowsOf(table);
  if (rows.all.length === 0) return undefined;
  const grid = gridOf(rows.all);
  if (!grid) return undefined;
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) return undefined;
  const [titles, body] = rows.hasHead ? [grid[0]!, grid.slice(1)] : [[], grid];

  const builder = new TableBuilder();
  const shown: string[] = [];
  const widths: Record<string, number> = {};
  const roles: { target?: string; cover?: string } = {};
  for (let i = 0; i < width; i++) {
    const title = titles[i];
    const select = title?.children.find((child) => child.type === "element" && child.name === "select");
    const words = yield* reader.phrasing(title?.children.filter((child) => child !== select) ?? []);
    const cells = body.map((row) => row[i]);
    const column = builder.addColumn(words, columnOf(title?.attributes ?? {}, select as Element | undefined, cells));
    const attributes = title?.attributes ?? {};
    if (!("data-hidden" in attributes)) shown.push(column.id);
    if ("data-card-target" in attributes) roles.target ??= column.id;
    if ("data-card-cover" in attributes) roles.cover ??= column.id;
    if (/^[0-9]{1,5}(?:\.[0-9]{1,8})?$/.test(attributes.width ?? ""))
      widths[column.id] = Number.parseFloat(attributes.width!);
  }
  let isWhole = true;
  for (const row of body)
    yield* builder.addRow(row, function* (cell, column) {
      const value = cell && (yield* cellOf(reader, column, cell, depth));
      if (value === null) isWhole = false;
      return value ?? undefined;
    });
  const view = viewOf(table, shown, widths, roles, rows.hasHead);
  const caption = rows.caption ? yield* reader.phrasing(withoutParagraphs(rows.caption.children)) : [];
  if (!isEmpty(caption)) builder.fragments.push(captionOf(caption));
  return isWhole ? builder.finish(view, table.attributes["data-full-width"] === "true") : undefined;
}

function viewOf(
  { attributes }: Element,
  columns: string[],
  columnWidths: Record<string, number>,
  { target, cover }: { target?: string; cover?: string },
  hasHead: boolean,
): TableView {
  if (attributes["data-view"] !== "cards") {
    const hasWidths = Object.keys(columnWidths).length > 0;
    return {
      type: "grid",
      columns,
      ...omitUndefined({ columnWidths: hasWidths ? columnWidths : undefined }),
      hideHeader: "data-header-hidden" in attributes || !hasHead,
    };
  }
  return {
    type: "cards",
    cardSize: attributes["data-card-size"] === "large" ? "large" : "medium",
    columns,
    ...omitUndefined({ targetDefinition: target, coverDefinition: cover }),
  };
}

interface Rows {
  readonly all: Element[];
  /** Whether the first one is the head. */
  readonly hasHead: boolean;
  readonly caption: Element | undefined;
}

/** The rows of a table in their order, and its caption. */
function rowsOf(table: Element): Rows {
  const all: Element[] = [];
  let isHead = false;
  let caption: Element | undefined;
  const groups: Phrase[] = [];
  for (const part of table.children) {
    if (part.type === "element" && part.name === "caption" && !caption) caption = part;
    else groups.push(part);
  }
  for (const group of withParts(groups, ROW_GROUP, "tbody")) {
    const rows = withParts(group.children, ROW, "tr");
    if (all.length === 0 && group.name === "thead") isHead = rows.length > 0;
    for (const row of rows) all.push({ ...row, children: withParts(row.children, CELL, "td") });
  }
  const [first] = all;
  return { all, hasHead: isHead || (first !== undefined && isOfTitles(first)), caption };
}

const ROW_GROUP = /^t(?:head|body|foot)$/;
const ROW = /^tr$/;
const CELL = /^t[dh]$/;

/** The parts among phrases. Whatever else is shown between them is put into a part of its own, so that nothing is lost. */
function withParts(nodes: readonly Phrase[], isPart: RegExp, name: string): Element[] {
  const parts: Element[] = [];
  let others: Phrase[] = [];
  const flush = () => {
    const [first, last] = [others[0], others.at(-1)];
    if (first && last && !others.every(isSpace)) {
      const place = { start: first.start, end: last.end };
      parts.push({ type: "element", name, attributes: {}, children: others, opening: "", closing: "", ...place });
    }
    others = [];
  };
  for (const node of nodes) {
    if (node.type !== "element" || !(isPart.test(node.name) || NEVER_SHOWN.has(node.name))) others.push(node);
    else if (isPart.test(node.name)) {
      flush();
      parts.push(node);
    }
  }
  flush();
  return parts;
}

function cellsIn({ children }: Element): Element[] {
  return children as Element[];
}

function isOfTitles(row: Element): boolean {
  const cells = cellsIn(row);
  return cells.length > 0 && cells.every(({ name }) => name === "th");
}

/** How many columns or rows a cell may take. */
const MAX_SPAN = 100;

/**
 * The cells of rows by their columns. A cell that takes several has its words in the first. Undefined if a row is too wide, or if
 * there are more cells than a document holds: a few cells may take thousands of places.
 */
function gridOf(rows: readonly Element[]): (Element | undefined)[][] | undefined {
  /** For each column how many further rows a cell from above takes. */
  const taken: number[] = [];
  const grid: (Element | undefined)[][] = [];
  let size = 0;
  for (const row of rows) {
    const cells: (Element | undefined)[] = [];
    const skipTaken = () => {
      while ((taken[cells.length] ?? 0) > 0) {
        taken[cells.length]!--;
        cells.push(undefined);
      }
    };
    for (const cell of cellsIn(row)) {
      skipTaken();
      const [columns, down] = [spanOf(cell.attributes.colspan), spanOf(cell.attributes.rowspan)];
      if (cells.length + columns > MAX_COLUMNS) return undefined;
      for (let i = 0; i < columns; i++) {
        taken[cells.length] = down - 1;
        cells.push(i === 0 ? cell : undefined);
      }
    }
    skipTaken();
    size += cells.length;
    if (size > MAX_NODES) return undefined;
    grid.push(cells);
  }
  return grid;
}

function spanOf(value = ""): number {
  return /^[0-9]{1,3}$/.test(value) ? Math.min(MAX_SPAN, Math.max(1, Number(value))) : 1;
}

function columnOf(
  attributes: Readonly<Record<string, string>>,
  select: Element | undefined,
  cells: readonly (Element | undefined)[],
): Omit<ColumnDefinition, "id" | "title"> {
  const stated = attributes["data-type"] ?? (select || areSelected(cells) ? "select" : "text");
  const type = (COLUMN_TYPES.has(stated) ? stated : "text") as ColumnType;
  const max = Number.parseInt(attributes["data-max"] ?? "", 10);
  const alignment = attributes.align;
  const options = select ? optionsIn(select) : [];
  return {
    type,
    ...omitUndefined({
      textAlignment: alignment === "left" || alignment === "center" || alignment === "right" ? alignment : undefined,
      max: type === "rating" && max > 0 && max < 1000 ? max : undefined,
      multiple: type === "select" && select && "multiple" in select.attributes ? true : undefined,
      options: type === "select" ? options : undefined,
    }),
  };
}

/** The options that the head of a column has: `<select><option value="a" label="A" color="blue"></option></select>`. */
function optionsIn(select: Element): Option[] {
  return select.children.flatMap((child) => {
    if (child.type !== "element" || child.name !== "option" || child.attributes.value === undefined) return [];
    const { value, label = plainText(child.children).trim(), color = "" } = child.attributes;
    return [
      {
        value,
        label,
        ...omitUndefined({ color: /^(?:[a-zA-Z]{1,32}|#[0-9a-fA-F]{3,8})$/.test(color) ? color : undefined }),
      },
    ];
  });
}

/** Whether cells hold nothing but options, so that they are values and no text. */
function areSelected(cells: readonly (Element | undefined)[]): boolean {
  const said = cells.map((cell) => (cell?.children ?? []).filter((child) => !isSpace(child)));
  return said.some((nodes) => nodes.length > 0) && said.every((nodes) => nodes.every(isOption));
}

function isOption(node: Phrase): node is Element {
  return node.type === "element" && "data-option" in node.attributes;
}

/** What a cell holds: a value of its column, or blocks; nothing if it is empty, null if it cannot be held. */
function* cellOf(
  reader: ReadsFlow,
  column: Column,
  cell: Element,
  depth: number,
): Steps<CellValue | Block[] | undefined | null> {
  const said = plainText(cell.children).trim();
  switch (column.definition.type) {
    case "text": {
      const blocks = yield* reader.flow(cell.children, depth + 3);
      return blocks?.length === 0 ? undefined : (blocks ?? null);
    }
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
      return refsIn(reader.reading, cell, "file");
    case "content-ref":
      return refsIn(reader.reading, cell, "content-ref")?.[0];
    case "image":
      return refsIn(reader.reading, cell, "image")?.[0];
  }
}

/** Options are told by `<span data-option="value">label</span>`, else by what the cell says. */
function selected({ options }: Column, cell: Element): string[] | undefined {
  const found = cell.children.filter(isOption).map((span): Option => {
    // Labels that follow each other have commas between them.
    const label = plainText(span.children).trim().replace(/,$/, "");
    return { value: span.attributes["data-option"]!, label };
  });
  if (found.length === 0) {
    for (const label of plainText(cell.children).split(",")) {
      if (label.trim() !== "") found.push({ value: label.trim(), label: label.trim() });
    }
  }
  for (const option of found) if (!options.has(option.value)) options.set(option.value, option);
  return found.length === 0 ? undefined : found.map(({ value }) => value);
}

function refsIn(reading: Reading, cell: Element, as: LinkPurpose): ContentRef[] | undefined {
  const refs: ContentRef[] = [];
  const visit = (node: Phrase): void => {
    if (node.type !== "element") return;
    const href = node.name === "img" ? node.attributes.src : node.attributes.href;
    const ref = href === undefined ? undefined : reading.refTo(href, as, plainText(node.children).trim(), node);
    if (ref) refs.push(ref);
    else node.children.forEach(visit);
  };
  cell.children.forEach(visit);
  return refs.length > 0 ? refs : undefined;
}
