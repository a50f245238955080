// Where front matter lies in a text, at the very beginning: YAML between two lines of three dashes, or TOML between two
// lines of three plus signs, as Hugo has it.

/** Front matter as it lies in a text: its YAML or TOML from `start` to `end`, what follows it at `after`. */
export interface FrontMatterPlace {
  readonly start: number;
  readonly end: number;
  readonly after: number;
  readonly isToml: boolean;
}

interface Form {
  readonly opening: RegExp;
  readonly closing: RegExp;
  /** What begins with a name, behind comments. */
  readonly key: RegExp;
}

const EMPTY_OR_COMMENT = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const YAML: Form = {
  opening: /---[ \t]*\r?\n/y,
  closing: /---[ \t]*(?:\r?\n|$)/y,
  key: /[ \t]*(?:\?[ \t]|(?:[^\s#:"'{}[\]%>|`@][^:\n]*|"[^"\n]*"[ \t]*|'[^'\n]*'[ \t]*):(?:\s|$))/y,
};
const TOML: Form = {
  opening: /\+\+\+[ \t]*\r?\n/y,
  closing: /\+\+\+[ \t]*(?:\r?\n|$)/y,
  key: /[ \t]*(?:\[|(?:[\w.-]+|"[^"\n]*"|'[^'\n]*')[ \t]*=)/y,
};

/** Where a text has its front matter, behind a byte order mark; undefined when it has none. */
export function frontMatterPlace(text: string): FrontMatterPlace | undefined {
  const isToml = text.startsWith("+++", textStart(text));
  const form = isToml ? TOML : YAML;
  const start = endOf(form.opening, text, textStart(text));
  const closing = start === undefined ? undefined : closingAfter(text, start, form);
  if (start === undefined || closing === undefined || !looksLikeMap(text.slice(start, closing.at), form))
    return undefined;
  return { start, end: closing.at, after: closing.after, isToml };
}

/** Where a text begins, behind a byte order mark. */
export function textStart(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

function closingAfter(text: string, start: number, { closing }: Form): { at: number; after: number } | undefined {
  for (let at = start; at !== 0; at = text.indexOf("\n", at) + 1) {
    const after = endOf(closing, text, at);
    if (after !== undefined) return { at, after };
  }
  return undefined;
}

/** A text may also begin with a rule, prose and another rule. Front matter is empty or begins with a key. */
function looksLikeMap(inside: string, { key }: Form): boolean {
  let at = 0;
  for (let next = endOf(EMPTY_OR_COMMENT, inside, at); next !== undefined; next = endOf(EMPTY_OR_COMMENT, inside, at)) {
    if (next === at) return true;
    at = next;
  }
  return endOf(key, inside, at) !== undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
