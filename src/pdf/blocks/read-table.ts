// Reads the content of a table, for any view, without trusting it.

import type { BlockOf, Fragment, Phrasing } from "../../content/document";
import { MAX_COLUMNS, MAX_TITLE } from "../limits";
import { toSingleLine } from "../text/printable";
import { getBlocks, getData, getFragments, getPhrasing, toFields, toList, toText } from "./read-document";

/** A visible column. */
export interface TableColumn {
  readonly id: string;
  readonly title: string;
  /** The formatted title, if there is one. */
  readonly words?: readonly Phrasing[];
  readonly definition: Readonly<Record<string, unknown>>;
  /** The labels of the options, by their values. The first label of a value counts. */
  readonly labels: ReadonlyMap<unknown, string>;
}

/** A table to print. */
export interface PrintedTable {
  readonly columns: readonly TableColumn[];
  /** The values of each row, by the id of the column. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly view: Readonly<Record<string, unknown>>;
  readonly fragments: ReadonlyMap<string, Fragment>;
}

/** Reads a table. */
export function readTable(block: BlockOf<"table">): PrintedTable {
  const data = getData(block);
  const view = toFields(data.view);
  const definitions = toFields(data.definition);
  const ids = Array.isArray(view.columns) ? [...new Set(view.columns.map(toText))] : Object.keys(definitions);
  const [titles, cells] = [new Map<string, Fragment>(), new Map<string, Fragment>()];
  for (const fragment of getFragments(block))
    (toText(fragment.type) === "column-title" ? titles : cells).set(toText(fragment.fragment), fragment);
  const columns = ids
    .filter((id) => Object.hasOwn(definitions, id))
    .slice(0, MAX_COLUMNS)
    .map((id) => ({
      id,
      definition: toFields(definitions[id]),
      labels: listOptionLabels(toFields(definitions[id]).options),
      title: toSingleLine(toText(toFields(definitions[id]).title), MAX_TITLE),
      ...listValueTexts(titles.get(id)),
    }));
  return { columns, rows: readRows(data.records), view, fragments: cells };
}

function listOptionLabels(options: unknown): Map<unknown, string> {
  const fields = toList(options).map(toFields);
  return new Map(fields.toReversed().map(({ value, label }) => [value, toText(label)]));
}

/** Returns the rows in the order of their records. */
function readRows(records: unknown): Readonly<Record<string, unknown>>[] {
  return Object.values(toFields(records))
    .map((record) => ({ at: toText(toFields(record).orderIndex), values: toFields(toFields(record).values) }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ values }) => values);
}

function listValueTexts(title: Fragment | undefined): Pick<TableColumn, "words"> {
  const [paragraph] = title ? getBlocks(title) : [];
  return paragraph ? { words: getPhrasing(paragraph) } : {};
}

/** Returns a value of a row. Inherited properties do not count. */
export function getCellValue(row: Readonly<Record<string, unknown>>, id: string): unknown {
  return Object.hasOwn(row, id) ? row[id] : undefined;
}

/** Returns the first value of a cell. */
export function getFirstValue(row: Readonly<Record<string, unknown>>, id: unknown): unknown {
  return typeof id === "string" ? toList(getCellValue(row, id))[0] : undefined;
}
