// Finds the front matter of a text: YAML between two lines of three dashes, or TOML between two lines of three plus signs, as in
// Hugo. It is at the very beginning.

/** The position of front matter in a text. */
export interface FrontMatterRange {
  /** The start of the YAML or TOML, after the opening line. */
  readonly start: number;
  /** The end of the YAML or TOML, before the closing line. */
  readonly end: number;
  /** The start of the text after the closing line. */
  readonly after: number;
  readonly isToml: boolean;
}

interface FrontMatterSyntax {
  readonly opening: RegExp;
  readonly closing: RegExp;
  /** Matches the beginning of a line with a key. */
  readonly key: RegExp;
}

const EMPTY_OR_COMMENT = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const YAML: FrontMatterSyntax = {
  opening: /---[ \t]*\r?\n/y,
  closing: /---[ \t]*(?:\r?\n|$)/y,
  key: /[ \t]*(?:\?[ \t]|(?:[^\s#:"'{}[\]%>|`@][^:\n]*|"[^"\n]*"[ \t]*|'[^'\n]*'[ \t]*):(?:\s|$))/y,
};
const TOML: FrontMatterSyntax = {
  opening: /\+\+\+[ \t]*\r?\n/y,
  closing: /\+\+\+[ \t]*(?:\r?\n|$)/y,
  key: /[ \t]*(?:\[|(?:[\w.-]+|"[^"\n]*"|'[^'\n]*')[ \t]*=)/y,
};

/** Returns the position of the front matter, or undefined if the text has none. A byte order mark may precede it. */
export function findFrontMatter(text: string): FrontMatterRange | undefined {
  const textStart = skipByteOrderMark(text);
  const isToml = text.startsWith("+++", textStart);
  const { opening, closing, key } = isToml ? TOML : YAML;
  const start = findMatchEnd(opening, text, textStart);
  if (start === undefined) return undefined;

  let end = start;
  let after = findMatchEnd(closing, text, end);
  while (after === undefined) {
    end = text.indexOf("\n", end) + 1;
    if (end === 0) return undefined;
    after = findMatchEnd(closing, text, end);
  }

  // A text may also begin with a rule, prose and another rule. Front matter is empty or begins with a key.
  const content = text.slice(start, end);
  let position = 0;
  let next = findMatchEnd(EMPTY_OR_COMMENT, content, position);
  while (next !== undefined) {
    const isEmpty = next === position;
    if (isEmpty) return { start, end, after, isToml };
    position = next;
    next = findMatchEnd(EMPTY_OR_COMMENT, content, position);
  }
  return findMatchEnd(key, content, position) === undefined ? undefined : { start, end, after, isToml };
}

/** Returns the start of a text, after a byte order mark if it has one. */
export function skipByteOrderMark(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

/** Returns the end of a sticky pattern's match at a position, or undefined if it does not match there. */
function findMatchEnd(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
