// Finds the rows of a node in its text without reading them. That takes a fraction of the time of `JSON.parse`, and a node is
// mostly opened for one of its rows. What a row says is read later, and may turn out to be no JSON.

import { MAX_VALUE_DEPTH } from "./json";

/** The rows of a node: of a leaf `["key",value]`, of an inner node `["key","hash",count]`. */
export interface NodeRows {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, END_BRACKET, BRACE, END_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Keys are printable ASCII, so all of them are less. */
export const BEYOND_KEYS = "\x7f";

/** How every leaf begins. */
const START = "[0,";

/** The rows of a leaf; undefined for any other text, and for one that is not written as leaves are. */
export function findLeafRows(text: string): NodeRows | undefined {
  return text.startsWith(START) ? rowsFrom(text, START.length, endOfRow) : undefined;
}

/** How every inner node begins: with its level, which is above that of a leaf. */
const innerStart = /^\[([1-9]\d?),/;

/** The level of an inner node and its rows; undefined for any other text, and for one that is not written as those are. */
export function findInnerRows(text: string): { readonly level: number; readonly rows: NodeRows } | undefined {
  const start = innerStart.exec(text);
  if (!start) return undefined;
  const rows = rowsFrom(text, start[0].length, endOfChild);
  return rows && { level: Number(start[1]), rows };
}

/** The rows from a place to the end of the text, where `close` finds the bracket that ends the row of a value. */
function rowsFrom(text: string, from: number, close: (text: string, value: number) => number): NodeRows | undefined {
  const keys: string[] = [];
  const texts: string[] = [];
  for (let at = from, last = ""; ; ) {
    if (text.charCodeAt(at) !== BRACKET || text.charCodeAt(at + 1) !== QUOTE) return undefined;
    const end = text.indexOf('"', at + 2);
    const key = text.slice(at + 2, end);
    // A key with a quotation mark or a backslash in it has another text: the whole node is read to find out.
    if (!(key > last && key < BEYOND_KEYS) || key.includes("\\") || text.charCodeAt(end + 1) !== COMMA)
      return undefined;
    const bracket = close(text, end + 2);
    if (bracket < 0) return undefined;
    keys.push(key);
    texts.push(text.slice(at, bracket + 1));
    last = key;
    at = bracket + 2;
    if (text.charCodeAt(bracket + 1) === END_BRACKET) return at === text.length ? { keys, texts } : undefined;
    if (text.charCodeAt(bracket + 1) !== COMMA) return undefined;
  }
}

/** The row of one key, without noting the others; null: there is none. Undefined as in `findLeafRows`. */
export function findLeafRow(text: string, key: string): string | null | undefined {
  if (!text.startsWith(START)) return undefined;
  for (let at = START.length; ; ) {
    if (text.charCodeAt(at) !== BRACKET || text.charCodeAt(at + 1) !== QUOTE) return undefined;
    const isMeant = text.startsWith(key, at + 2) && text.charCodeAt(at + 2 + key.length) === QUOTE;
    const end = isMeant ? at + 2 + key.length : text.indexOf('"', at + 2);
    if (text.charCodeAt(end - 1) === BACKSLASH || text.charCodeAt(end + 1) !== COMMA) return undefined;
    const close = endOfRow(text, end + 2);
    if (close < 0) return undefined;
    if (isMeant) return text.slice(at, close + 1);
    if (text.charCodeAt(close + 1) !== COMMA) return close + 2 === text.length ? null : undefined;
    at = close + 2;
  }
}

/** Whether the last row of a leaf surely has this key. No value ends where the last row does. */
export function hasLastLeafKey(text: string, key: string): boolean {
  // Such a key has another text.
  if (key.includes("\\") || key.includes('"')) return false;
  const start = `["${key}",`;
  const at = text.lastIndexOf(start);
  return at >= 0 && text.startsWith(START) && endOfRow(text, at + start.length) === text.length - 2;
}

/** Where the bracket stands that ends a row whose value begins at `start`; -1 where there is none, or a third part. */
function endOfRow(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        if (i < 0) return -1;
        break;
      case BRACKET:
      case BRACE:
        if (++depth > MAX_VALUE_DEPTH) return -1;
        break;
      case END_BRACE:
      case END_BRACKET:
        if (depth === 0) return i > start && text.charCodeAt(i) === END_BRACKET ? i : -1;
        depth--;
        break;
      case COMMA:
        if (depth === 0) return -1;
    }
  }
  return -1;
}

/** The characters of a hash. */
export const HASH_LENGTH = 64;

/** Where the bracket stands that ends the row of a child whose hash begins at `start`; -1 where there is none. */
function endOfChild(text: string, start: number): number {
  const end = start + 1 + HASH_LENGTH;
  const isHash = text.charCodeAt(start) === QUOTE && text.indexOf('"', start + 1) === end;
  return isHash && text.charCodeAt(end + 1) === COMMA ? text.indexOf("]", end + 2) : -1;
}

/** Where the quotation mark stands that ends the string which begins at one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
