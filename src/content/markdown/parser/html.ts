// Finds where HTML blocks and raw HTML begin and end, by the rules of CommonMark. The HTML itself is not interpreted.

import { isAlphanumeric, isLetter, skipWhitespace, trimSpaces } from "./characters";

const BLOCK_NAMES = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);

/** The seven kinds of HTML blocks in CommonMark, by their numbers. */
export type HtmlKind = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const ENDINGS: Partial<Record<HtmlKind, RegExp>> = {
  1: /<\/(?:script|pre|style|textarea)>/i,
  2: /-->/,
  3: /\?>/,
  4: />/,
  5: /\]\]>/,
};

/** Returns the kind of HTML block that a line begins, if any. The line comes without its indentation. */
export function getHtmlKind(line: string): HtmlKind | undefined {
  if (line[0] !== "<") return undefined;
  if (/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i.test(line)) return 1;
  if (line.startsWith("<!--")) return 2;
  if (line.startsWith("<?")) return 3;
  if (/^<![A-Za-z]/.test(line)) return 4;
  if (line.startsWith("<![CDATA[")) return 5;
  const name = /^<\/?([A-Za-z][A-Za-z0-9-]*)(?:[\s>]|\/>|$)/.exec(line)?.[1];
  if (name && BLOCK_NAMES.has(name.toLowerCase())) return 6;
  const end = line[1] === "/" ? scanClosingTag(line, 0) : scanOpeningTag(line, 0);
  return end !== -1 && trimSpaces(line.slice(end)) === "" ? 7 : undefined;
}

/** Returns true for the last line of an HTML block. Kinds 6 and 7 end before a blank line instead. */
export function isHtmlEnd(kind: HtmlKind, line: string): boolean {
  return ENDINGS[kind]?.test(line) ?? false;
}

/** Endings that the rest of a text does not contain, so that each is searched for in vain only once. */
export type AbsentEndings = Set<string>;

/** Returns the end of the tag, comment, instruction, declaration or CDATA section at `<`; -1 if there is none. */
export function scanHtml(text: string, at: number, missing: AbsentEndings): number {
  const next = text[at + 1];
  if (next === "/") return scanClosingTag(text, at);
  if (next === "?") return scanThrough(text, at + 2, "?>", missing);
  if (next !== "!") return scanOpeningTag(text, at);
  if (text.startsWith("<!-->", at)) return at + 5;
  if (text.startsWith("<!--->", at)) return at + 6;
  if (text.startsWith("<!--", at)) return scanThrough(text, at + 4, "-->", missing);
  if (text.startsWith("<![CDATA[", at)) return scanThrough(text, at + 9, "]]>", missing);
  return isLetter(text.charCodeAt(at + 2)) ? scanThrough(text, at + 3, ">", missing) : -1;
}

/** Returns the offset after the first `ending` from an offset on; -1 if there is none. */
export function scanThrough(text: string, at: number, ending: string, missing: AbsentEndings): number {
  if (missing.has(ending)) return -1;
  const found = text.indexOf(ending, at);
  if (found === -1) missing.add(ending);
  return found === -1 ? -1 : found + ending.length;
}

function scanClosingTag(text: string, at: number): number {
  if (!isLetter(text.charCodeAt(at + 2))) return -1;
  const end = skipWhitespace(text, skipName(text, at + 2));
  return text[end] === ">" ? end + 1 : -1;
}

function scanOpeningTag(text: string, at: number): number {
  if (!isLetter(text.charCodeAt(at + 1))) return -1;
  let i = skipName(text, at + 1);
  for (;;) {
    const behind = skipWhitespace(text, i);
    if (text[behind] === ">") return behind + 1;
    if (text[behind] === "/") return text[behind + 1] === ">" ? behind + 2 : -1;
    if (behind === i) return -1;
    i = scanAttribute(text, behind);
    if (i === -1) return -1;
  }
}

function scanAttribute(text: string, at: number): number {
  if (!/[A-Za-z_:]/.test(text[at] ?? "")) return -1;
  let end = at + 1;
  while (/[A-Za-z0-9_.:-]/.test(text[end] ?? "")) end++;
  const equals = skipWhitespace(text, end);
  if (text[equals] !== "=") return end;
  const value = skipWhitespace(text, equals + 1);
  const quote = text[value];
  if (quote === '"' || quote === "'") return text.indexOf(quote, value + 1) + 1 || -1;
  end = value;
  while (end < text.length && !/[\s"'=<>`]/.test(text[end]!)) end++;
  return end === value ? -1 : end;
}

function skipName(text: string, at: number): number {
  let i = at;
  while (isAlphanumeric(text.charCodeAt(i)) || text[i] === "-") i++;
  return i;
}
