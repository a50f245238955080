// Where front matter lies in a text: YAML between two lines of three dashes, at the very beginning.

/** Front matter as it lies in a text: its YAML from `start` to `end`, what follows it at `after`. */
export interface FrontMatterPlace {
  readonly start: number;
  readonly end: number;
  readonly after: number;
}

const OPENING = /---[ \t]*\r?\n/y;
const CLOSING = /---[ \t]*(?:\r?\n|$)/y;
const EMPTY_OR_COMMENT = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const KEY = /[ \t]*(?:\?[ \t]|(?:[^\s#:"'{}[\]%>|`@][^:\n]*|"[^"\n]*"[ \t]*|'[^'\n]*'[ \t]*):(?:\s|$))/y;

/** Where a text has its front matter, behind a byte order mark; undefined when it has none. */
export function frontMatterPlace(text: string): FrontMatterPlace | undefined {
  const start = endOf(OPENING, text, textStart(text));
  const closing = start === undefined ? undefined : closingAfter(text, start);
  if (start === undefined || closing === undefined) return undefined;
  return looksLikeMap(text.slice(start, closing.at)) ? { start, end: closing.at, after: closing.after } : undefined;
}

/** Where a text begins, behind a byte order mark. */
export function textStart(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

function closingAfter(text: string, start: number): { at: number; after: number } | undefined {
  for (let at = start; at !== 0; at = text.indexOf("\n", at) + 1) {
    const after = endOf(CLOSING, text, at);
    if (after !== undefined) return { at, after };
  }
  return undefined;
}

/** A text may also begin with a rule, prose and another rule. Front matter is empty or begins with a key. */
function looksLikeMap(yaml: string): boolean {
  let at = 0;
  for (let next = endOf(EMPTY_OR_COMMENT, yaml, at); next !== undefined; next = endOf(EMPTY_OR_COMMENT, yaml, at)) {
    if (next === at) return true;
    at = next;
  }
  return endOf(KEY, yaml, at) !== undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
