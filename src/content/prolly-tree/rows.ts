// Finds the rows of a node in its text without parsing them. This takes a fraction of the time of `JSON.parse`, and a node
// is mostly opened for one of its rows. The content of a row is parsed later, and may turn out not to be JSON.
//
// The functions know only the form in which the map writes its nodes. For a text in any other form they return undefined,
// and the caller parses the whole node as JSON.

import { MAX_VALUE_DEPTH } from "./json";

/** The rows of a node: `["key",value]` in a leaf, `["key","hash",count]` in an inner node. */
export interface NodeRows {
  readonly keys: readonly string[];
  readonly texts: readonly string[];
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, END_BRACKET, BRACE, END_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Greater than every key: keys are printable ASCII. */
export const BEYOND_KEYS = "\x7f";

/** The length of a node's hash in hexadecimal digits. */
export const HASH_LENGTH = 64;

/** The beginning of every leaf. */
export const LEAF_START = "[0,";

/** The beginning of every inner node: its level, which is above that of a leaf. */
const innerStart = /^\[([1-9]\d?),/;

export function findNodeRows(text: string): { readonly level: number; readonly rows: NodeRows } | undefined {
  if (text.startsWith(LEAF_START)) {
    const rows = findRows(text, LEAF_START.length, (value) => findRowEnd(text, value));
    return rows && { level: 0, rows };
  }
  const start = innerStart.exec(text);
  if (!start) return undefined;
  const rows = findRows(text, start[0].length, (hash) => {
    const hashEnd = hash + 1 + HASH_LENGTH;
    const isHash = text.charCodeAt(hash) === QUOTE && text.indexOf('"', hash + 1) === hashEnd;
    return isHash && text.charCodeAt(hashEnd + 1) === COMMA ? text.indexOf("]", hashEnd + 2) : -1;
  });
  return rows && { level: Number(start[1]), rows };
}

/**
 * Finds the rows from `start` to the end of the text. `findEnd` returns the index of the bracket that closes a row, or -1,
 * for the index at which the second item of the row begins.
 */
function findRows(text: string, start: number, findEnd: (secondItem: number) => number): NodeRows | undefined {
  const keys: string[] = [];
  const texts: string[] = [];
  for (let i = start, lastKey = ""; ; ) {
    if (text.charCodeAt(i) !== BRACKET || text.charCodeAt(i + 1) !== QUOTE) return undefined;
    const keyEnd = text.indexOf('"', i + 2);
    const key = text.slice(i + 2, keyEnd);
    // A key that contains a quotation mark or a backslash is escaped in the text: only JSON.parse can read it.
    if (!(key > lastKey && key < BEYOND_KEYS) || key.includes("\\") || text.charCodeAt(keyEnd + 1) !== COMMA)
      return undefined;
    const rowEnd = findEnd(keyEnd + 2);
    if (rowEnd < 0) return undefined;
    keys.push(key);
    texts.push(text.slice(i, rowEnd + 1));
    lastKey = key;
    i = rowEnd + 2;
    if (text.charCodeAt(rowEnd + 1) === END_BRACKET) return i === text.length ? { keys, texts } : undefined;
    if (text.charCodeAt(rowEnd + 1) !== COMMA) return undefined;
  }
}

/** Returns the row of one key without recording the others, or null if there is none. Undefined as in `findNodeRows`. */
export function findLeafRow(text: string, key: string): string | null | undefined {
  if (!text.startsWith(LEAF_START)) return undefined;
  for (let i = LEAF_START.length; ; ) {
    if (text.charCodeAt(i) !== BRACKET || text.charCodeAt(i + 1) !== QUOTE) return undefined;
    const isMatch = text.startsWith(key, i + 2) && text.charCodeAt(i + 2 + key.length) === QUOTE;
    const keyEnd = isMatch ? i + 2 + key.length : text.indexOf('"', i + 2);
    if (text.charCodeAt(keyEnd - 1) === BACKSLASH || text.charCodeAt(keyEnd + 1) !== COMMA) return undefined;
    const rowEnd = findRowEnd(text, keyEnd + 2);
    if (rowEnd < 0) return undefined;
    if (isMatch) return text.slice(i, rowEnd + 1);
    if (text.charCodeAt(rowEnd + 1) !== COMMA) return rowEnd + 2 === text.length ? null : undefined;
    i = rowEnd + 2;
  }
}

/** Checks whether the last row certainly has this key. A value may contain such a row, but not at the very end. */
export function hasLastLeafKey(text: string, key: string): boolean {
  // Such a key is escaped in the text.
  if (key.includes("\\") || key.includes('"')) return false;
  const rowStart = `["${key}",`;
  const i = text.lastIndexOf(rowStart);
  return i >= 0 && text.startsWith(LEAF_START) && findRowEnd(text, i + rowStart.length) === text.length - 2;
}

/** Returns the index of the bracket that closes the row whose value begins at `start`, or -1 if there is none or a third item. */
function findRowEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        // The string ends with a quotation mark that is not escaped. An even number of backslashes escapes only backslashes.
        for (let isEscaped = true; isEscaped; ) {
          i = text.indexOf('"', i + 1);
          if (i < 0) return -1;
          let first = i;
          while (text.charCodeAt(first - 1) === BACKSLASH) first--;
          isEscaped = (i - first) % 2 === 1;
        }
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
