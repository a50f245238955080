// Reads a database of Notion as a table, whose first column links to the pages of the rows.

import type { Phrasing } from "../../content/document";
import { isSafeUrl } from "../../content/document/safe-url";
import { createTextNode } from "../../content/markdown/document-parts";
import { writeMarkdown } from "../../content/markdown/write";
import { createTextTable, MAX_TABLE_CELLS } from "../create-text-table";

/** A database as Markdown. */
export interface NotionDatabase {
  readonly markdown: string;
  /** The titles of all rows, in their order. */
  readonly titles: readonly string[];
  /** The number of rows in the table. */
  readonly shownCount: number;
}

/** The most rows that are read. A table shows fewer, but the pages of all rows are imported. */
const MAX_ROWS = 20_000;
const MAX_DATABASE_COLUMNS = 100;
/** Values that name pages have the files of these in parentheses after the names. */
const RELATION = / \(([^()\s]{1,1500})\)/g;
const PAGE_FILE = /.\.(?:md|html|csv)$/;
/** The longest name of a page in a value. */
const MAX_NAME_LENGTH = 300;

/** Reads the rows of a database. `getRowHref` returns the href of the page of a row, and `mapHref` that of a file. */
export function readDatabase(
  csv: string,
  getRowHref: (title: string) => string | undefined,
  mapHref: (href: string) => string | undefined,
): NotionDatabase {
  const [head = [], ...rows] = parseCsv(csv, MAX_ROWS);
  const columnCount = Math.min(MAX_DATABASE_COLUMNS, head.length);
  const shown = rows.slice(0, Math.floor(MAX_TABLE_CELLS / Math.max(1, columnCount)));
  const cells = shown.map((row) =>
    row.slice(0, columnCount).map((value, column) => {
      const href = column === 0 ? getRowHref(value) : undefined;
      return href === undefined ? readValue(value, mapHref) : [createLink(value, href)];
    }),
  );
  const cellEntries = cells.map((row) => row.entries());
  const nodes = columnCount === 0 ? [] : [createTextTable(head.slice(0, columnCount), cellEntries, columnCount)];
  const markdown = writeMarkdown({ object: "document", data: {}, nodes });
  return { markdown, titles: rows.map(([title = ""]) => title), shownCount: shown.length };
}

/** Returns a value with links to the pages that it names. */
function readValue(value: string, mapHref: (href: string) => string | undefined): Phrasing[] {
  if (/^https?:\/\/\S+$/.test(value) && isSafeUrl(value)) return [createLink(value, value)];
  const nodes: Phrasing[] = [];
  let position = 0;
  for (const relation of value.matchAll(RELATION)) {
    // The name begins after the comma or the parenthesis before it.
    const { index } = relation;
    const name = value.slice(Math.max(0, index - MAX_NAME_LENGTH), index).replace(/^.*[,()]/s, "");
    const href = name === "" || !PAGE_FILE.test(relation[1]!) ? undefined : mapHref(relation[1]!);
    if (href === undefined) continue;
    const title = name.trimStart();
    const start = index - title.length;
    if (start > position) nodes.push(createTextNode(value.slice(position, start)));
    nodes.push(createLink(title, href));
    position = index + relation[0].length;
  }
  if (position < value.length || nodes.length === 0) nodes.push(createTextNode(value.slice(position)));
  return nodes;
}

function createLink(text: string, url: string): Phrasing {
  return {
    object: "inline",
    type: "link",
    isVoid: false,
    data: { ref: { kind: "url", url } },
    nodes: [createTextNode(text)],
  };
}

// Parses comma-separated values, as spreadsheets and Notion write them: quoted if they hold a comma, a quote or a line break.

const UNQUOTED = /[^,\r\n]*/y;

interface CsvField {
  readonly value: string;
  /** The index after the field. */
  readonly end: number;
}

/** Returns the rows of a text, up to a limit. Every row ends with its line. A quote that is never closed ends with the text. */
export function parseCsv(text: string, maxRows: number): string[][] {
  const rows: string[][] = [];
  let position = text.startsWith("\ufeff") ? 1 : 0;
  while (position < text.length && rows.length < maxRows) {
    const row: string[] = [];
    for (let isLast = false; !isLast; ) {
      const { value, end } = parseField(text, position);
      row.push(value);
      isLast = text[end] !== ",";
      if (!isLast) position = end + 1;
      else if (text.startsWith("\r\n", end)) position = end + 2;
      else position = end < text.length ? end + 1 : end;
    }
    if (row.length > 1 || row[0] !== "") rows.push(row);
  }
  return rows;
}

/** Parses the field at an index, in quotes or not. */
function parseField(text: string, start: number): CsvField {
  const parts: string[] = [];
  let position = start;
  if (text[position] === '"') {
    do {
      // Two quotes stand for one in the value.
      if (parts.length > 0) parts.push('"');
      const quote = text.indexOf('"', position + 1);
      if (quote < 0) return { value: parts.join("") + text.slice(position + 1), end: text.length };
      parts.push(text.slice(position + 1, quote));
      position = quote + 1;
    } while (text[position] === '"');
  }
  UNQUOTED.lastIndex = position;
  const [rest] = UNQUOTED.exec(text)!;
  return { value: parts.join("") + rest, end: position + rest.length };
}
