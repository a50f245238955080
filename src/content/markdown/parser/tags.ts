// Tags: `{% name argument %}`. Finding them on a line, and reading what they say.

import { isAlphanumeric, isSpace } from "./characters";

/** A tag as it was found. */
export interface FoundTag {
  name: string;
  argument: string;
  /** The whole tag, if it goes over several lines: without the marks of quotes and items that its lines stand in. */
  source?: string;
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

/** Conditions end on their line. */
const ON_ONE_LINE = /^(?:if|ifnot|unless|fi|el(?:se|if|sif).*|end.*)$/i;

/**
 * A tag that goes on over further lines. Every attribute of it has a value, so that a text which only begins like a tag
 * is none. A value in quotes may hold line endings.
 */
export class LongTag {
  readonly #lines: string[] = [];
  readonly #name: string;
  readonly #nameEnd: number;
  /** The quote that is open at the end of the last line. */
  #quote: string | undefined;
  /** The tag, when its end was found. */
  found: Pick<FoundTag, "name" | "argument" | "source"> | undefined;

  private constructor(name: string, nameEnd: number) {
    this.#name = name;
    this.#nameEnd = nameEnd;
  }

  /** Begins with the line of the `{%`; undefined when no further line can make it a tag. */
  static begin(line: string): LongTag | undefined {
    const [opening, name] = /^\{%[ \t]*([A-Za-z][\w-]*|@[\w./-]+)/.exec(line) ?? [];
    if (opening === undefined || name === undefined || ON_ONE_LINE.test(name)) return undefined;
    const tag = new LongTag(name, opening.length);
    return tag.take(line, opening.length) === "more" ? tag : undefined;
  }

  /** Takes a line: gives the offset behind the end of the tag, whether more must follow, or that this is no tag. */
  take(line: string, from = 0): number | "more" | "none" {
    const end = this.#read(line, from);
    this.#lines.push(typeof end === "number" ? line.slice(0, end) : line);
    if (typeof end !== "number") return end;
    const source = this.#lines.join("\n");
    this.found = { name: this.#name, argument: source.slice(this.#nameEnd, -2).trim(), source };
    return end;
  }

  #read(line: string, from: number): number | "more" | "none" {
    for (let at = from; ; ) {
      if (this.#quote !== undefined) {
        at = closingQuote(line, at, line.length, this.#quote) + 1;
        if (at === 0) return "more";
        this.#quote = undefined;
        if (at < line.length && !isSpace(line.charCodeAt(at)) && !line.startsWith("%}", at)) return "none";
      }
      while (at < line.length && isSpace(line.charCodeAt(at))) at++;
      if (at === line.length) return "more";
      if (line.startsWith("%}", at)) return at + 2;
      const value = /[A-Za-z_]/.test(line[at]!) ? endOfName(line, at, line.length) + 1 : 0;
      if (value === 0 || line[value - 1] !== "=") return "none";
      at = value;
      if (line[at] === '"' || line[at] === "'") this.#quote = line[at++];
      else at = endOfBare(line, at);
      if (at === value) return "none";
    }
  }
}

/** The tag that a text is, on one line or on several; undefined when it is none. */
export function wholeTag(text: string): Pick<FoundTag, "name"> | undefined {
  const [first = "", ...others] = text.split("\n");
  if (others.length === 0) return scanTag(text, 0, text.length);
  const tag = LongTag.begin(first);
  for (const [at, line] of others.entries()) {
    const end = tag?.take(line);
    if (end !== "more") return at === others.length - 1 && end === line.length ? tag?.found : undefined;
  }
  return undefined;
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
  while (end < argument.length && !/[ \t\n]/.test(argument[end]!)) end++;
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
    const closing = closingQuote(this.text, at + 1, this.end, quote);
    if (closing !== -1) return closing;
    this.#unclosed.add(quote);
    return undefined;
  }
}

/** Where a quote is closed; -1 when it is not. */
function closingQuote(text: string, at: number, end: number, quote: string): number {
  for (let i = at; i < end; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === quote) return i;
  }
  return -1;
}

/** Where a value without quotes ends. */
function endOfBare(line: string, at: number): number {
  let end = at;
  while (end < line.length && !isSpace(line.charCodeAt(end)) && !line.startsWith("%}", end)) end++;
  return end;
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
