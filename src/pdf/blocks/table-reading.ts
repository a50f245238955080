// What a table holds, whatever view it has, read without trusting it.

import type { BlockOf, Fragment, Phrasing } from "../../content/document";
import { MAX_COLUMNS, MAX_TITLE } from "../limits";
import { oneLine } from "../text/clean";
import { blocksIn, dataOf, fieldsOf, fragmentsIn, listOf, phrasingIn, textIn } from "./reading";

/** A column that is shown. */
export interface Column {
  readonly id: string;
  readonly title: string;
  /** The title as it is formatted, if it is. */
  readonly words?: readonly Phrasing[];
  readonly definition: Readonly<Record<string, unknown>>;
  /** What the options are called, by their values; the first of two with one value counts. */
  readonly labels: ReadonlyMap<unknown, string>;
}

/** A table as it is printed. */
export interface Table {
  readonly columns: readonly Column[];
  /** The values of each row, by the id of the column. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly view: Readonly<Record<string, unknown>>;
  readonly fragments: ReadonlyMap<string, Fragment>;
}

/** Reads a table. */
export function readTable(block: BlockOf<"table">): Table {
  const data = dataOf(block);
  const view = fieldsOf(data.view);
  const definitions = fieldsOf(data.definition);
  const ids = Array.isArray(view.columns) ? [...new Set(view.columns.map(textIn))] : Object.keys(definitions);
  const [titles, cells] = [new Map<string, Fragment>(), new Map<string, Fragment>()];
  for (const fragment of fragmentsIn(block))
    (textIn(fragment.type) === "column-title" ? titles : cells).set(textIn(fragment.fragment), fragment);
  const columns = ids
    .filter((id) => Object.hasOwn(definitions, id))
    .slice(0, MAX_COLUMNS)
    .map((id) => ({
      id,
      definition: fieldsOf(definitions[id]),
      labels: labelsOf(fieldsOf(definitions[id]).options),
      title: oneLine(textIn(fieldsOf(definitions[id]).title), MAX_TITLE),
      ...wordsOf(titles.get(id)),
    }));
  return { columns, rows: rowsOf(data.records), view, fragments: cells };
}

function labelsOf(options: unknown): Map<unknown, string> {
  const fields = listOf(options).map(fieldsOf);
  return new Map(fields.toReversed().map(({ value, label }) => [value, textIn(label)]));
}

/** Rows in the order that their records say. */
function rowsOf(records: unknown): Readonly<Record<string, unknown>>[] {
  return Object.values(fieldsOf(records))
    .map((record) => ({ at: textIn(fieldsOf(record).orderIndex), values: fieldsOf(fieldsOf(record).values) }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ values }) => values);
}

function wordsOf(title: Fragment | undefined): Pick<Column, "words"> {
  const [paragraph] = title ? blocksIn(title) : [];
  return paragraph ? { words: phrasingIn(paragraph) } : {};
}

/** A value of a row. Properties that every object inherits do not count. */
export function cellValue(row: Readonly<Record<string, unknown>>, id: string): unknown {
  return Object.hasOwn(row, id) ? row[id] : undefined;
}

/** The first reference among the values of a cell. */
export function firstOf(row: Readonly<Record<string, unknown>>, id: unknown): unknown {
  return typeof id === "string" ? listOf(cellValue(row, id))[0] : undefined;
}
