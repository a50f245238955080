// Tables: as GFM has them where that says everything, else as HTML on one line.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, BlockOf, CellValue, ColumnDefinition, ContentRef, Fragment, Phrasing } from "../../document";
import { formattedTitles } from "../reader/tables";
import { escapeAttribute, escapeHtml, escapeMarkdown } from "./escape";
import { writeFlow } from "./flow";
import { attributesOf, htmlOf } from "./html";
import { urlOf } from "./urls";

type Table = BlockOf<"table">;
type Row = Readonly<Record<string, CellValue>>;

/** A table, in normal form, row by row; `writeCell` writes the phrasing of a cell as Markdown, and `asHtml` says that it is
 * HTML in any case. */
export function* writeTable(
  table: Table,
  writeCell: (nodes: readonly Phrasing[]) => Steps<string>,
  asHtml: boolean,
): Steps<string> {
  const { definition, records } = table.data!;
  const columns = Object.values(definition);
  const cells = new Map(cellsOf(table).map(({ fragment, nodes }) => [fragment, nodes]));
  const rows = Object.values(records).map(({ values }) => values);
  const blocksOf = (value: CellValue | undefined) => (value === undefined ? [] : (cells.get(String(value)) ?? []));
  const isPlain = isSimple(table) && rows.every((row) => Object.values(row).every((value) => isLine(blocksOf(value))));
  if (isPlain && !asHtml) {
    const write = (value: CellValue | undefined) => writeCell((blocksOf(value)[0]?.nodes ?? []) as Phrasing[]);
    const heads: string[] = [];
    const titles = formattedTitles(definition, table.fragments);
    for (const column of columns) {
      const words = titles.get(column.id);
      heads.push(words ? yield* writeCell(words) : escapeTitle(column.title));
    }
    return yield* writeMarkdown(heads, columns, rows, write);
  }
  return yield* writeHtml(table, columns, rows, (value) => writeFlow(blocksOf(value)));
}

function cellsOf({ fragments = [] }: Table): readonly Fragment[] {
  return fragments.filter(({ type }) => type !== "column-title");
}

function escapeTitle(title: string): string {
  return escapeMarkdown(title, { before: "|", isFollowed: false, isInLink: false }).replaceAll("|", "\\|");
}

/** Whether GFM can say what a cell holds. */
function isLine(blocks: readonly Block[]): boolean {
  const [first, ...others] = blocks;
  return others.length === 0 && (!first || (first.type === "paragraph" && !first.data?.align));
}

/** Whether GFM can say all that a table says. */
function isSimple({ data, fragments = [] }: Table): boolean {
  if (fragments.some(({ type }) => type === "caption")) return false;
  const { view, definition, fullWidth } = data!;
  if (view.type !== "grid" || view.hideHeader || view.columnWidths || fullWidth) return false;
  const columns = Object.values(definition);
  return columns.length > 0 && columns.length === view.columns.length && columns.every(({ type }) => type === "text");
}

function* writeMarkdown(
  heads: readonly string[],
  columns: readonly ColumnDefinition[],
  rows: readonly Row[],
  write: (value: CellValue | undefined) => Steps<string>,
): Steps<string> {
  const upTo = filled(columns);
  const lines = [[...heads], columns.map(({ textAlignment }) => dashes(textAlignment))];
  for (const row of rows) {
    const cells: string[] = [];
    for (const { id } of upTo(row)) cells.push(yield* write(row[id]));
    lines.push(cells);
    yield;
  }
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Gives the columns up to the last one that a row has a value for. */
function filled(columns: readonly ColumnDefinition[]): (row: Row) => readonly ColumnDefinition[] {
  const places = new Map(columns.map(({ id }, i) => [id, i]));
  return (row) => columns.slice(0, 1 + (places.get(Object.keys(row).at(-1) ?? "") ?? 0));
}

function dashes(alignment: ColumnDefinition["textAlignment"]): string {
  if (alignment === "center") return ":---:";
  return alignment === "left" ? ":---" : alignment === "right" ? "---:" : "---";
}

function captionIn({ fragments = [] }: Table): string {
  const caption = fragments.find(({ type }) => type === "caption");
  return caption ? `<caption>${writeFlow(caption.nodes)}</caption>` : "";
}

function* writeHtml(
  table: Table,
  columns: readonly ColumnDefinition[],
  rows: readonly Row[],
  writeText: (value: CellValue | undefined) => string,
): Steps<string> {
  const { view, fullWidth } = table.data!;
  const attributes = {
    "data-view": view.type,
    ...omitUndefined({
      "data-card-size": view.type === "cards" && view.cardSize === "large" ? "large" : undefined,
      "data-full-width": fullWidth ? "true" : undefined,
    }),
  };
  const hidden = view.type === "grid" && view.hideHeader ? " data-header-hidden" : "";
  const shown = new Set(view.columns);
  const titles = formattedTitles(table.data!.definition, table.fragments);
  const head = columns
    .map((column) => {
      const words = titles.get(column.id);
      const title = words ? htmlOf(words) : escapeHtml(column.title);
      return `<th${headAttributes(column, view, shown)}>${title}${optionsOf(column)}</th>`;
    })
    .join("");
  const upTo = filled(columns);
  const labels = new Map(columns.map(({ id, options = [] }) => [id, labelsOf(options)]));
  const body: string[] = [];
  for (const row of rows) {
    const cells = upTo(row).map(
      (column) =>
        `<td>${column.type === "text" ? writeText(row[column.id]) : cell(column, row[column.id], labels.get(column.id)!)}</td>`,
    );
    body.push(`<tr>${cells.join("")}</tr>`);
    yield;
  }
  return `<table ${attributesOf(attributes)}${hidden}>${captionIn(table)}<thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function headAttributes(
  { id, type, textAlignment, max, options, multiple }: ColumnDefinition,
  view: NonNullable<Table["data"]>["view"],
  shown: ReadonlySet<string>,
): string {
  const width = view.type === "grid" ? view.columnWidths?.[id] : undefined;
  const said = attributesOf({
    ...omitUndefined({
      width,
      align: textAlignment ? textAlignment : undefined,
      "data-type": type === "text" || (type === "select" && (options?.length || multiple)) ? undefined : type,
      "data-max": max,
    }),
  });
  const flags = [
    ...(shown.has(id) ? [] : ["data-hidden"]),
    ...(view.type === "cards" && view.targetDefinition === id ? ["data-card-target"] : []),
    ...(view.type === "cards" && view.coverDefinition === id ? ["data-card-cover"] : []),
  ];
  return [said, ...flags]
    .filter((part) => part !== "")
    .map((part) => ` ${part}`)
    .join("");
}

/** What can be selected in a column; the head has it. */
function optionsOf({ type, options = [], multiple }: ColumnDefinition): string {
  if (type !== "select" || (options.length === 0 && !multiple)) return "";
  const all = options.map(({ value, label, color }) => {
    return `<option ${attributesOf({ value, label, ...omitUndefined({ color }) })}></option>`;
  });
  return `<select${multiple ? " multiple" : ""}>${all.join("")}</select>`;
}

/** A cell that holds a value rather than text. */
function cell({ type }: ColumnDefinition, value: CellValue | undefined, labels: ReadonlyMap<string, string>): string {
  if (value === undefined) return "";
  if (type === "select" && Array.isArray(value)) {
    return value
      .map((item, i) => {
        const label = labels.get(String(item)) ?? String(item);
        return option(String(item), i < value.length - 1 ? `${label}, ` : label);
      })
      .join("");
  }
  if (type === "users" && Array.isArray(value)) return escapeHtml(value.join(","));
  if (Array.isArray(value)) return value.map((item) => (typeof item === "object" ? anchor(item, type) : "")).join("");
  return typeof value === "object" ? anchor(value, type) : escapeHtml(String(value));
}

function labelsOf(options: NonNullable<ColumnDefinition["options"]>): ReadonlyMap<string, string> {
  return new Map(options.map(({ value, label }) => [value, label]));
}

function option(value: string, label: string): string {
  return `<span data-option="${escapeAttribute(value)}">${escapeHtml(label)}</span>`;
}

function anchor(ref: ContentRef, type: ColumnDefinition["type"]): string {
  const url = urlOf(ref);
  if (type === "image") return `<img ${attributesOf({ src: url, alt: "" })}>`;
  return `<a href="${escapeAttribute(url)}">${escapeHtml(url)}</a>`;
}
