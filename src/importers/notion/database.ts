// A database of Notion as a table: its first column leads to the pages of the rows.

import type { Phrasing } from "../../content/document";
import { isSafeUrl } from "../../content/document/safe-url";
import { textNode } from "../../content/markdown/reader/leaves";
import { writeMarkdown } from "../../content/markdown/write";
import { createTextTable, MAX_TABLE_CELLS } from "../create-text-table";
import { parseCsv } from "./csv";

/** How many rows are read. A table shows fewer; the pages of all rows are there. */
const MAX_ROWS = 20_000;
/** How many columns. */
const MAX_COLUMNS = 100;

/** A database as Markdown. */
export interface Database {
  readonly markdown: string;
  /** The titles of all rows, in their order. */
  readonly titles: readonly string[];
  /** How many of them the table shows. */
  readonly shown: number;
}

/** Reads the rows of a database; `addressOf` gives where the page of a row is, and `linkTo` what a file means. */
export function readDatabase(
  csv: string,
  addressOf: (title: string) => string | undefined,
  linkTo: (href: string) => string | undefined,
): Database {
  const [head = [], ...rows] = parseCsv(csv, MAX_ROWS);
  const width = Math.min(MAX_COLUMNS, head.length);
  const shown = rows.slice(0, Math.floor(MAX_TABLE_CELLS / Math.max(1, width)));
  const cells = shown.map((row) =>
    row.slice(0, width).map((value, column) => {
      const address = column === 0 ? addressOf(value) : undefined;
      return address === undefined ? valueIn(value, linkTo) : [link(value, address)];
    }),
  );
  const table =
    width === 0
      ? []
      : [
          createTextTable(
            head.slice(0, width),
            cells.map((row) => row.entries()),
            width,
          ),
        ];
  const markdown = writeMarkdown({ object: "document", data: {}, nodes: table });
  return { markdown, titles: rows.map(([title = ""]) => title), shown: shown.length };
}

/** Values that name pages have their files in parentheses behind them. */
const RELATION = / \(([^()\s]{1,1500})\)/g;
const FILE = /.\.(?:md|html|csv)$/;
/** How long a name before them may be. */
const MAX_NAME = 300;

function valueIn(value: string, linkTo: (href: string) => string | undefined): Phrasing[] {
  if (/^https?:\/\/\S+$/.test(value) && isSafeUrl(value)) return [link(value, value)];
  const nodes: Phrasing[] = [];
  let at = 0;
  for (const found of value.matchAll(RELATION)) {
    const name = nameBefore(value, found.index);
    const address = name === "" || !FILE.test(found[1]!) ? undefined : linkTo(found[1]!);
    if (address === undefined) continue;
    const title = name.trimStart();
    const start = found.index - title.length;
    if (start > at) nodes.push(textNode(value.slice(at, start)));
    nodes.push(link(title, address));
    at = found.index + found[0].length;
  }
  if (at < value.length || nodes.length === 0) nodes.push(textNode(value.slice(at)));
  return nodes;
}

/** What stands before a place, behind the comma or the parenthesis before it. */
function nameBefore(value: string, at: number): string {
  return value.slice(Math.max(0, at - MAX_NAME), at).replace(/^.*[,()]/s, "");
}

function link(text: string, url: string): Phrasing {
  return {
    object: "inline",
    type: "link",
    isVoid: false,
    data: { ref: { kind: "url", url } },
    nodes: [textNode(text)],
  };
}
