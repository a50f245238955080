// Tags, `{% name argument %}`: finds them on a line, and parses their attributes.

import { isAlphanumeric, isSpace, skipSpaces } from "./characters";

export interface ScannedTag {
  name: string;
  argument: string;
  /** The source of a tag of several lines, without the markers of the block quotes and list items that contain it. */
  source?: string;
  start: number;
  end: number;
}

/** Scans the tag at `{%`, which ends on its line. A `%}` inside a quoted value does not end it. */
export function scanTag(text: string, at: number, lineEnd: number): ScannedTag | undefined {
  if (!text.startsWith("{%", at)) return undefined;
  const start = skipSpaces(text, at + 2, lineEnd);
  let nameEnd = start;
  if (text[start] === "@") {
    // The block of an integration: `@integration/block`.
    nameEnd++;
    while (nameEnd < lineEnd && (isAlphanumeric(text.charCodeAt(nameEnd)) || /[-_./]/.test(text[nameEnd]!))) nameEnd++;
  } else nameEnd = skipTagName(text, start, lineEnd);
  if (nameEnd === start || !/[A-Za-z@]/.test(text[start]!)) return undefined;

  const quotes = new Quotes(text, lineEnd);
  for (let end = nameEnd; end + 1 < lineEnd; end++) {
    if (text[end] === "%" && text[end + 1] === "}") {
      return { name: text.slice(start, nameEnd), argument: text.slice(nameEnd, end).trim(), start: at, end: end + 2 };
    }
    end = quotes.findClosing(end) ?? end;
  }
  return undefined;
}

/** Tags that never continue on another line: conditions and closing tags. */
const ON_ONE_LINE = /^(?:if|ifnot|unless|fi|el(?:se|if|sif).*|end.*)$/i;

/**
 * Scans a tag of several lines. All of its attributes must have values, so that a text which only begins like a tag is
 * not taken for one. A quoted value can contain line endings.
 */
export class MultilineTag {
  readonly #lines: string[] = [];
  readonly #name: string;
  readonly #nameEnd: number;
  /** The quote that is open at the end of the last line. */
  #quote: string | undefined;
  /** The tag, once its end is found. */
  found: Pick<ScannedTag, "name" | "argument" | "source"> | undefined;

  private constructor(name: string, nameEnd: number) {
    this.#name = name;
    this.#nameEnd = nameEnd;
  }

  /** Begins with the line of the `{%`; undefined if no further line can complete a tag. */
  static begin(line: string): MultilineTag | undefined {
    const [opening, name] = /^\{%[ \t]*([A-Za-z][\w-]*|@[\w./-]+)/.exec(line) ?? [];
    if (opening === undefined || name === undefined || ON_ONE_LINE.test(name)) return undefined;
    const tag = new MultilineTag(name, opening.length);
    return tag.take(line, opening.length) === "more" ? tag : undefined;
  }

  /** Takes a line: returns the offset after the tag, "more" if the tag continues, or "none" if this is not a tag. */
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
        at = findClosingQuote(line, at, line.length, this.#quote) + 1;
        if (at === 0) return "more";
        this.#quote = undefined;
        if (at < line.length && !isSpace(line.charCodeAt(at)) && !line.startsWith("%}", at)) return "none";
      }
      at = skipSpaces(line, at, line.length);
      if (at === line.length) return "more";
      if (line.startsWith("%}", at)) return at + 2;
      const value = /[A-Za-z_]/.test(line[at]!) ? skipTagName(line, at, line.length) + 1 : 0;
      if (value === 0 || line[value - 1] !== "=") return "none";
      at = value;
      if (line[at] === '"' || line[at] === "'") this.#quote = line[at++];
      else while (at < line.length && !isSpace(line.charCodeAt(at)) && !line.startsWith("%}", at)) at++;
      if (at === value) return "none";
    }
  }
}

/** Parses a text that is one tag, on one line or several; undefined for any other text. */
export function parseWholeTag(text: string): Pick<ScannedTag, "name"> | undefined {
  const [first = "", ...others] = text.split("\n");
  if (others.length === 0) return scanTag(text, 0, text.length);
  const tag = MultilineTag.begin(first);
  for (const [at, line] of others.entries()) {
    const end = tag?.take(line);
    if (end !== "more") return at === others.length - 1 && end === line.length ? tag?.found : undefined;
  }
  return undefined;
}

/** Finds the first tag from an offset of a line on. Behind a tag without an end there is no other. */
export function findNextTag(text: string, from: number, lineEnd: number): ScannedTag | undefined {
  for (let at = text.indexOf("{%", from); at !== -1 && at < lineEnd; at = text.indexOf("{%", at + 2)) {
    if (isEscaped(text, at)) continue;
    const tag = scanTag(text, at, lineEnd);
    if (tag || /^[ \t]*[A-Za-z@]/.test(text.slice(at + 2, at + 34))) return tag;
  }
  return undefined;
}

/** Returns true if a backslash escapes the character at an offset. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

const ESCAPED_QUOTE = /\\(["'\\])/g;

/** Parses the `key="value"` pairs of an argument into an object without a prototype; the first of equal keys wins. */
export function parseTagAttributes(argument: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  const quotes = new Quotes(argument, argument.length);
  let i = 0;
  while (i < argument.length) {
    const keyEnd = /[A-Za-z_]/.test(argument[i]!) ? skipTagName(argument, i, argument.length) : i;
    if (keyEnd === i) {
      i = (quotes.findClosing(i) ?? i) + 1;
      continue;
    }
    const key = argument.slice(i, keyEnd);
    let value = "";
    i = keyEnd;
    if (argument[keyEnd] === "=") {
      const start = keyEnd + 1;
      const closing = quotes.findClosing(start);
      if (closing !== undefined) {
        value = argument.slice(start + 1, closing).replace(ESCAPED_QUOTE, "$1");
        i = closing + 1;
      } else {
        i = start;
        while (i < argument.length && !/[ \t\n]/.test(argument[i]!)) i++;
        value = argument.slice(start, i);
      }
    }
    if (!(key in attributes)) attributes[key] = value;
  }
  return attributes;
}

/** Parses an argument that is one quoted text, as in `{% include "file.md" %}`. */
export function parseQuotedArgument(argument: string): string | undefined {
  const closing = new Quotes(argument, argument.length).findClosing(0);
  return closing !== undefined && closing === argument.length - 1
    ? argument.slice(1, -1).replace(ESCAPED_QUOTE, "$1")
    : undefined;
}

/** Finds closing quotes. An unclosed quote is an ordinary character, and so are those of its kind behind it. */
class Quotes {
  readonly #unclosed = new Set<string>();

  constructor(
    readonly text: string,
    readonly end: number,
  ) {}

  /** Returns the offset of the quote that closes the one at an offset. */
  findClosing(at: number): number | undefined {
    const quote = this.text[at];
    if ((quote !== '"' && quote !== "'") || this.#unclosed.has(quote)) return undefined;
    const closing = findClosingQuote(this.text, at + 1, this.end, quote);
    if (closing !== -1) return closing;
    this.#unclosed.add(quote);
    return undefined;
  }
}

/** Returns the offset of the closing quote; -1 if there is none. */
function findClosingQuote(text: string, at: number, end: number, quote: string): number {
  for (let i = at; i < end; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === quote) return i;
  }
  return -1;
}

function skipTagName(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && (isAlphanumeric(text.charCodeAt(i)) || text[i] === "-" || text[i] === "_")) i++;
  return i;
}
