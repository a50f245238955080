// Converts HTML tables to tables of the document. A text cell contains any blocks; other cells contain values of the type of
// their column.

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
import { createCaption, unwrapParagraphs } from "./figures";
import { NEVER_SHOWN } from "./html-names";
import { getOnlyElements, isSpace } from "./html-tree";
import { isEmpty } from "./leaves";
import type { HtmlBlocksReader } from "./make-blocks";
import { toPlainText } from "./phrasing";
import type { LinkPurpose, Reading } from "./reading";
import { type Column, type SelectOption, TableBuilder } from "./tables";

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

/** Reads HTML that is one table; undefined for any other, and for a table that the document cannot represent. */
export function* readHtmlTable(
  reader: HtmlBlocksReader,
  tree: readonly Phrase[],
  depth: number,
): Steps<BlockOf<"table"> | undefined> {
  const [table, ...others] = getOnlyElements(tree) ?? [];
  if (table?.name !== "table" || others.length > 0) return undefined;
  const rows = collectRows(table);
  if (rows.all.length === 0) return undefined;
  const grid = buildGrid(rows.all);
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
    const heading = yield* reader.phrasing(title?.children.filter((child) => child !== select) ?? []);
    const cells = body.map((row) => row[i]);
    const attributes = title?.attributes ?? {};
    const column = builder.addColumn(heading, readColumn(attributes, select as Element | undefined, cells));
    if (!("data-hidden" in attributes)) shown.push(column.id);
    if ("data-card-target" in attributes) roles.target ??= column.id;
    if ("data-card-cover" in attributes) roles.cover ??= column.id;
    if (/^[0-9]{1,5}(?:\.[0-9]{1,8})?$/.test(attributes.width ?? ""))
      widths[column.id] = Number.parseFloat(attributes.width!);
  }
  let isComplete = true;
  for (const row of body) {
    const cells: (CellValue | Block[] | undefined)[] = [];
    for (const [i, cell] of row.entries()) {
      const column = builder.columns[i]!;
      if (cell && column.definition.type === "text") {
        const blocks = yield* reader.flow(cell.children, depth + 3);
        if (!blocks) isComplete = false;
        cells.push(blocks?.length === 0 ? undefined : blocks);
      } else cells.push(cell && readCellValue(reader.reading, column, cell));
    }
    builder.addRow(cells);
  }
  const { attributes } = table;
  const hasWidths = Object.keys(widths).length > 0;
  const view: TableView =
    attributes["data-view"] === "cards"
      ? {
          type: "cards",
          cardSize: attributes["data-card-size"] === "large" ? "large" : "medium",
          columns: shown,
          ...omitUndefined({ targetDefinition: roles.target, coverDefinition: roles.cover }),
        }
      : {
          type: "grid",
          columns: shown,
          ...omitUndefined({ columnWidths: hasWidths ? widths : undefined }),
          hideHeader: "data-header-hidden" in attributes || !rows.hasHead,
        };
  const caption = rows.caption ? yield* reader.phrasing(unwrapParagraphs(rows.caption.children)) : [];
  if (!isEmpty(caption)) builder.fragments.push(createCaption(caption));
  return isComplete ? builder.finish(view, attributes["data-full-width"] === "true") : undefined;
}

function collectRows(table: Element) {
  const all: Element[] = [];
  let isHead = false;
  let caption: Element | undefined;
  const groups: Phrase[] = [];
  for (const part of table.children) {
    if (part.type === "element" && part.name === "caption" && !caption) caption = part;
    else groups.push(part);
  }
  for (const group of wrapParts(groups, ROW_GROUP, "tbody")) {
    const rows = wrapParts(group.children, ROW, "tr");
    if (all.length === 0 && group.name === "thead") isHead = rows.length > 0;
    for (const row of rows) all.push({ ...row, children: wrapParts(row.children, CELL, "td") });
  }
  const titles = all[0]?.children as Element[] | undefined;
  const isTitles = titles !== undefined && titles.length > 0 && titles.every(({ name }) => name === "th");
  return { all, hasHead: isHead || isTitles, caption };
}

const ROW_GROUP = /^t(?:head|body|foot)$/;
const ROW = /^tr$/;
const CELL = /^t[dh]$/;

/** Returns the parts among phrases. Other phrases are wrapped in a part of their own, so that nothing is lost. */
function wrapParts(nodes: readonly Phrase[], isPart: RegExp, name: string): Element[] {
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

/** The maximum number of columns or rows that a cell spans. */
const MAX_SPAN = 100;

/**
 * Returns the cells of rows by their columns. A cell that spans several has its content in the first. Undefined if a row is
 * too wide, or if there are more cells than a document can have: a few cells can span thousands of places.
 */
function buildGrid(rows: readonly Element[]): (Element | undefined)[][] | undefined {
  /** The number of further rows that a cell from above spans, by column. */
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
    for (const cell of row.children as Element[]) {
      skipTaken();
      const { colspan, rowspan } = cell.attributes;
      const [columns, rows] = [colspan, rowspan].map((span = "") =>
        /^[0-9]{1,3}$/.test(span) ? Math.min(MAX_SPAN, Math.max(1, Number(span))) : 1,
      ) as [number, number];
      if (cells.length + columns > MAX_COLUMNS) return undefined;
      for (let i = 0; i < columns; i++) {
        taken[cells.length] = rows - 1;
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

/** Reads the type of a column from its header cell: `<select><option value="a" label="A" color="blue"></option></select>`. */
function readColumn(
  attributes: Readonly<Record<string, string>>,
  select: Element | undefined,
  cells: readonly (Element | undefined)[],
): Omit<ColumnDefinition, "id" | "title"> {
  // Cells that contain nothing but options are values, not text.
  const contents = cells.map((cell) => (cell?.children ?? []).filter((child) => !isSpace(child)));
  const areOptions = contents.some((nodes) => nodes.length > 0) && contents.every((nodes) => nodes.every(isOption));
  const name = attributes["data-type"] ?? (select || areOptions ? "select" : "text");
  const type = (COLUMN_TYPES.has(name) ? name : "text") as ColumnType;
  const max = Number.parseInt(attributes["data-max"] ?? "", 10);
  const alignment = attributes.align;
  const options = (select?.children ?? []).flatMap((child): SelectOption[] => {
    if (child.type !== "element" || child.name !== "option" || child.attributes.value === undefined) return [];
    const { value, label = toPlainText(child.children).trim(), color = "" } = child.attributes;
    const isColor = /^(?:[a-zA-Z]{1,32}|#[0-9a-fA-F]{3,8})$/.test(color);
    return [{ value, label, ...omitUndefined({ color: isColor ? color : undefined }) }];
  });
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

function isOption(node: Phrase): node is Element {
  return node.type === "element" && "data-option" in node.attributes;
}

/** Reads the value of a cell whose column is no text; undefined if it is empty. */
function readCellValue(reading: Reading, { definition, options }: Column, cell: Element): CellValue | undefined {
  const text = toPlainText(cell.children).trim();
  switch (definition.type) {
    case "text":
      return undefined;
    case "number":
    case "rating":
      return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "checkbox":
      return text === "" ? undefined : text === "true";
    case "select": {
      // Options are written as `<span data-option="value">label</span>`, or as a text.
      const selected = cell.children.filter(isOption).map((span): SelectOption => {
        // Labels are separated by commas.
        const label = toPlainText(span.children).trim().replace(/,$/, "");
        return { value: span.attributes["data-option"]!, label };
      });
      if (selected.length === 0) {
        const labels = text.split(",").map((label) => label.trim());
        for (const label of labels) if (label !== "") selected.push({ value: label, label });
      }
      for (const option of selected) if (!options.has(option.value)) options.set(option.value, option);
      return selected.length === 0 ? undefined : selected.map(({ value }) => value);
    }
    case "users":
      return text === "" ? undefined : text.split(",").map((user) => user.trim());
    case "files":
      return collectRefs(reading, cell, "file");
    case "content-ref":
      return collectRefs(reading, cell, "content-ref")?.[0];
    case "image":
      return collectRefs(reading, cell, "image")?.[0];
  }
}

function collectRefs(reading: Reading, cell: Element, as: LinkPurpose): ContentRef[] | undefined {
  const refs: ContentRef[] = [];
  const visit = (node: Phrase): void => {
    if (node.type !== "element") return;
    const href = node.name === "img" ? node.attributes.src : node.attributes.href;
    const ref = href === undefined ? undefined : reading.addLink(href, as, toPlainText(node.children).trim(), node);
    if (ref) refs.push(ref);
    else node.children.forEach(visit);
  };
  cell.children.forEach(visit);
  return refs.length > 0 ? refs : undefined;
}
