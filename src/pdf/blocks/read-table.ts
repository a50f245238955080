// Reads the content of a table, for any view, without trusting it.

import type { BlockOf, Fragment, Phrasing } from "../../content/document";
import { omitUndefined } from "../../utils/objects";
import { MAX_COLUMNS, MAX_TITLE } from "../limits";
import { toPrintableLine } from "../text/runs";
import { getBlocks, getData, getFragments, getPhrasing, readString, toFields, toList } from "./read-document";

export interface TableColumn {
  readonly id: string;
  readonly title: string;
  /** The formatted title, if there is one. */
  readonly words?: readonly Phrasing[];
  readonly definition: Readonly<Record<string, unknown>>;
  /** The labels of the options, by their values. The first label of a value counts. */
  readonly labels: ReadonlyMap<unknown, string>;
}

export interface PrintedTable {
  readonly columns: readonly TableColumn[];
  /** The values of each row, by the id of the column. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly view: Readonly<Record<string, unknown>>;
  readonly fragments: ReadonlyMap<string, Fragment>;
}

export function readTable(block: BlockOf<"table">): PrintedTable {
  const data = getData(block);
  const view = toFields(data.view);
  const definitions = toFields(data.definition);
  const ids = Array.isArray(view.columns) ? [...new Set(view.columns.map(readString))] : Object.keys(definitions);
  const [titles, cells] = [new Map<string, Fragment>(), new Map<string, Fragment>()];
  for (const fragment of getFragments(block))
    (readString(fragment.type) === "column-title" ? titles : cells).set(readString(fragment.fragment), fragment);
  const columns = ids
    .filter((id) => Object.hasOwn(definitions, id))
    .slice(0, MAX_COLUMNS)
    .map((id): TableColumn => {
      const definition = toFields(definitions[id]);
      const options = toList(definition.options).map(toFields);
      const [titleParagraph] = getBlocks(titles.get(id));
      return {
        id,
        definition,
        labels: new Map(options.toReversed().map(({ value, label }) => [value, readString(label)])),
        title: toPrintableLine(readString(definition.title), MAX_TITLE),
        ...omitUndefined({ words: titleParagraph && getPhrasing(titleParagraph) }),
      };
    });
  const rows = Object.values(toFields(data.records))
    .map((record) => ({ order: readString(toFields(record).orderIndex), values: toFields(toFields(record).values) }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ values }) => values);
  return { columns, rows, view, fragments: cells };
}

/** Returns a value of a row. Inherited properties do not count. */
export function getCellValue(row: Readonly<Record<string, unknown>>, id: string): unknown {
  return Object.hasOwn(row, id) ? row[id] : undefined;
}

/** Returns the first value of a cell. */
export function getFirstValue(row: Readonly<Record<string, unknown>>, id: unknown): unknown {
  return typeof id === "string" ? toList(getCellValue(row, id))[0] : undefined;
}
