// Writes tables: as GFM tables where that is sufficient, otherwise as HTML on one line.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { BlockOf, CellValue, ColumnDefinition, ContentRef, Phrasing } from "../../document";
import { escapeAttribute, escapeHtml, escapeMarkdown, formatHtmlAttributes } from "../escape";
import { buildHref } from "../hrefs";
import { collectFormattedTitles } from "../reader/tables";
import { writeFlow } from "./flow";
import { writeInlineHtml } from "./html";

type TableBlock = BlockOf<"table">;
interface TableRow {
  readonly values: Readonly<Record<string, CellValue>>;
  readonly columns: readonly ColumnDefinition[];
}

/** Writes a table in normal form row by row; `writeCell` writes a cell, `asHtml` forces HTML. */
export function* writeTable(
  table: TableBlock,
  writeCell: (nodes: readonly Phrasing[]) => Steps<string>,
  asHtml: boolean,
): Steps<string> {
  const { definition, records, view, fullWidth } = table.data!;
  const columns = Object.values(definition);
  const fragments = (table.fragments ?? []).filter(({ type }) => type !== "column-title");
  const cells = new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]));
  // A row has only the columns up to the last one with a value.
  const places = new Map(columns.map(({ id }, i) => [id, i]));
  const rows = Object.values(records).map(({ values }): TableRow => {
    return { values, columns: columns.slice(0, 1 + (places.get(Object.keys(values).at(-1) ?? "") ?? 0)) };
  });
  const getBlocks = (value: CellValue | undefined) => (value === undefined ? [] : (cells.get(String(value)) ?? []));
  const isLine = (value: CellValue) => {
    const [first, ...others] = getBlocks(value);
    return others.length === 0 && (!first || (first.type === "paragraph" && !first.data?.align));
  };
  // GFM has neither captions nor views nor types of columns.
  const isPlain =
    !table.fragments?.some(({ type }) => type === "caption") &&
    view.type === "grid" &&
    !(view.hideHeader || view.columnWidths || fullWidth) &&
    columns.length > 0 &&
    columns.length === view.columns.length &&
    columns.every(({ type }) => type === "text") &&
    rows.every(({ values }) => Object.values(values).every(isLine));
  if (isPlain && !asHtml) {
    const heads: string[] = [];
    const titles = collectFormattedTitles(definition, table.fragments);
    for (const column of columns) {
      const title = titles.get(column.id);
      const context = { before: "|", isFollowed: false, isInLink: false };
      heads.push(title ? yield* writeCell(title) : escapeMarkdown(column.title, context).replaceAll("|", "\\|"));
    }
    const lines = [heads, columns.map(({ textAlignment: align }) => (align ? DELIMITERS[align] : "---"))];
    for (const row of rows) {
      const line: string[] = [];
      for (const { id } of row.columns)
        line.push(yield* writeCell((getBlocks(row.values[id])[0]?.nodes ?? []) as Phrasing[]));
      lines.push(line);
      yield;
    }
    return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
  }
  return yield* writeHtmlTable(table, columns, rows, (value) => writeFlow(getBlocks(value)));
}

const DELIMITERS = { left: ":---", center: ":---:", right: "---:" } as const;

function* writeHtmlTable(
  table: TableBlock,
  columns: readonly ColumnDefinition[],
  rows: readonly TableRow[],
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
  const titles = collectFormattedTitles(table.data!.definition, table.fragments);
  const head = columns
    .map((column) => {
      const formatted = titles.get(column.id);
      const title = formatted ? writeInlineHtml(formatted) : escapeHtml(column.title);
      const { id, type, textAlignment, max, options = [], multiple } = column;
      const isSelect = type === "select" && (options.length > 0 || multiple);
      const written = formatHtmlAttributes({
        ...omitUndefined({
          width: view.type === "grid" ? view.columnWidths?.[id] : undefined,
          align: textAlignment ? textAlignment : undefined,
          "data-type": type === "text" || isSelect ? undefined : type,
          "data-max": max,
        }),
      });
      const flags = [
        ...(shown.has(id) ? [] : ["data-hidden"]),
        ...(view.type === "cards" && view.targetDefinition === id ? ["data-card-target"] : []),
        ...(view.type === "cards" && view.coverDefinition === id ? ["data-card-cover"] : []),
      ];
      const opening = ["<th", written, ...flags].filter((part) => part !== "").join(" ");
      const optionTags = options.map(({ value, label, color }) => {
        return `<option ${formatHtmlAttributes({ value, label, ...omitUndefined({ color }) })}></option>`;
      });
      const select = isSelect ? `<select${multiple ? " multiple" : ""}>${optionTags.join("")}</select>` : "";
      return `${opening}>${title}${select}</th>`;
    })
    .join("");

  const labels = new Map(
    columns.map(({ id, options = [] }) => [id, new Map(options.map(({ value, label }) => [value, label]))]),
  );
  const body: string[] = [];
  for (const row of rows) {
    const cells = row.columns.map((column) => {
      const value = row.values[column.id];
      return `<td>${column.type === "text" ? writeText(value) : writeValue(column, value, labels.get(column.id)!)}</td>`;
    });
    body.push(`<tr>${cells.join("")}</tr>`);
    yield;
  }
  const caption = table.fragments?.find(({ type }) => type === "caption");
  const captionHtml = caption ? `<caption>${writeFlow(caption.nodes)}</caption>` : "";
  return `<table ${formatHtmlAttributes(attributes)}${hidden}>${captionHtml}<thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function writeValue(
  { type }: ColumnDefinition,
  value: CellValue | undefined,
  labels: ReadonlyMap<string, string>,
): string {
  if (value === undefined) return "";
  if (type === "select" && Array.isArray(value)) {
    return value
      .map((item, i) => {
        const label = labels.get(String(item)) ?? String(item);
        const text = escapeHtml(i < value.length - 1 ? `${label}, ` : label);
        return `<span data-option="${escapeAttribute(String(item))}">${text}</span>`;
      })
      .join("");
  }
  if (type === "users" && Array.isArray(value)) return escapeHtml(value.join(","));
  if (typeof value !== "object") return escapeHtml(String(value));
  const refs = (Array.isArray(value) ? value : [value]).filter((item): item is ContentRef => typeof item === "object");
  return refs
    .map((ref) => {
      const url = buildHref(ref);
      if (type === "image") return `<img ${formatHtmlAttributes({ src: url, alt: "" })}>`;
      return `<a href="${escapeAttribute(url)}">${escapeHtml(url)}</a>`;
    })
    .join("");
}
