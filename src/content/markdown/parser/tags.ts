// Tags: `{% name argument %}`. Finding them on a line, and reading what they say.

import { isAlphanumeric, isSpace } from "./characters";

/** A tag as it was found. */
export interface FoundTag {
  name: string;
  argument: string;
  start: number;
  end: number;
}

/** The tag at `{%`; it ends on its line. A `%}` inside a quoted value does not end it. */
export function scanTag(text: string, at: number, lineEnd: number): FoundTag | undefined {
  if (!text.startsWith("{%", at)) return undefined;
  let start = at + 2;
  while (start < lineEnd && isSpace(text.charCodeAt(start))) start++;
  const nameEnd = text[start] === "@" ? endOfForeignName(text, start, lineEnd) : endOfName(text, start, lineEnd);
  if (nameEnd === start || !/[A-Za-z@]/.test(text[start]!)) return undefined;
  const end = endOfArgument(text, nameEnd, lineEnd);
  if (end === -1) return undefined;
  return { name: text.slice(start, nameEnd), argument: text.slice(nameEnd, end).trim(), start: at, end: end + 2 };
}

/** The first tag from an offset of a line on. Behind one that nothing ends there is no other. */
export function nextTag(text: string, from: number, lineEnd: number): FoundTag | undefined {
  for (let at = text.indexOf("{%", from); at !== -1 && at < lineEnd; at = text.indexOf("{%", at + 2)) {
    if (isEscaped(text, at)) continue;
    const tag = scanTag(text, at, lineEnd);
    if (tag || /^[ \t]*[A-Za-z@]/.test(text.slice(at + 2, at + 34))) return tag;
  }
  return undefined;
}

/** Whether a backslash stands before a character and means it. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** The `key="value"` pairs of an argument, in an object without a prototype; the first of equal keys counts. */
export function attributesOf(argument: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  const quotes = new Quotes(argument, argument.length);
  let i = 0;
  while (i < argument.length) {
    const keyEnd = /[A-Za-z_]/.test(argument[i]!) ? endOfName(argument, i, argument.length) : i;
    if (keyEnd === i) {
      i = (quotes.closing(i) ?? i) + 1;
      continue;
    }
    const key = argument.slice(i, keyEnd);
    const [value, end] = argument[keyEnd] === "=" ? valueAt(argument, keyEnd + 1, quotes) : ["", keyEnd];
    if (!(key in attributes)) attributes[key] = value;
    i = end;
  }
  return attributes;
}

/** The text in quotes that is a tag's whole argument, as in `{% include "file.md" %}`. */
export function quotedArgument(argument: string): string | undefined {
  const closing = new Quotes(argument, argument.length).closing(0);
  return closing !== undefined && closing === argument.length - 1 ? unquote(argument.slice(1, -1)) : undefined;
}

function valueAt(argument: string, at: number, quotes: Quotes): [value: string, end: number] {
  const closing = quotes.closing(at);
  if (closing !== undefined) return [unquote(argument.slice(at + 1, closing)), closing + 1];
  let end = at;
  while (end < argument.length && !isSpace(argument.charCodeAt(end))) end++;
  return [argument.slice(at, end), end];
}

function endOfArgument(text: string, at: number, lineEnd: number): number {
  const quotes = new Quotes(text, lineEnd);
  for (let i = at; i + 1 < lineEnd; i++) {
    if (text[i] === "%" && text[i + 1] === "}") return i;
    i = quotes.closing(i) ?? i;
  }
  return -1;
}

/** A quote that nothing closes is an ordinary character, and so are those of its kind behind it. */
class Quotes {
  readonly #unclosed = new Set<string>();

  constructor(
    readonly text: string,
    readonly end: number,
  ) {}

  /** Where the quote that stands here is closed. */
  closing(at: number): number | undefined {
    const quote = this.text[at];
    if ((quote !== '"' && quote !== "'") || this.#unclosed.has(quote)) return undefined;
    for (let i = at + 1; i < this.end; i++) {
      if (this.text[i] === "\\") i++;
      else if (this.text[i] === quote) return i;
    }
    this.#unclosed.add(quote);
    return undefined;
  }
}

function unquote(text: string): string {
  return text.replace(/\\(["'\\])/g, "$1");
}

function endOfName(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && (isAlphanumeric(text.charCodeAt(i)) || text[i] === "-" || text[i] === "_")) i++;
  return i;
}

/** The name of an integration's block: `@integration/block`. */
function endOfForeignName(text: string, at: number, end: number): number {
  let i = at + 1;
  while (i < end && (isAlphanumeric(text.charCodeAt(i)) || /[-_./]/.test(text[i]!))) i++;
  return i;
}
