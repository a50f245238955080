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

/** The endings on the last line of an HTML block. Kinds 6 and 7 end before a blank line instead. */
export const HTML_ENDINGS: Partial<Record<HtmlKind, RegExp>> = {
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
  const end = scanHtml(line, 0, new Set());
  return end !== -1 && trimSpaces(line.slice(end)) === "" ? 7 : undefined;
}

/** Endings that the rest of a text does not contain, so that each is searched for in vain only once. */
export type AbsentEndings = Set<string>;

/** Returns the end of the tag, comment, instruction, declaration or CDATA section at `<`; -1 if there is none. */
export function scanHtml(text: string, at: number, missing: AbsentEndings): number {
  const next = text[at + 1];
  if (next === "?") return scanThrough(text, at + 2, "?>", missing);
  if (next === "!") {
    if (text.startsWith("<!-->", at)) return at + 5;
    if (text.startsWith("<!--->", at)) return at + 6;
    if (text.startsWith("<!--", at)) return scanThrough(text, at + 4, "-->", missing);
    if (text.startsWith("<![CDATA[", at)) return scanThrough(text, at + 9, "]]>", missing);
    return isLetter(text.charCodeAt(at + 2)) ? scanThrough(text, at + 3, ">", missing) : -1;
  }

  let i = next === "/" ? at + 2 : at + 1;
  if (!isLetter(text.charCodeAt(i))) return -1;
  while (isAlphanumeric(text.charCodeAt(i)) || text[i] === "-") i++;
  if (next === "/") {
    const end = skipWhitespace(text, i);
    return text[end] === ">" ? end + 1 : -1;
  }
  for (;;) {
    const behind = skipWhitespace(text, i);
    if (text[behind] === ">") return behind + 1;
    if (text[behind] === "/") return text[behind + 1] === ">" ? behind + 2 : -1;
    if (behind === i || behind === text.length) return -1;

    // An attribute: its name, and its value if there is one.
    if (!/[A-Za-z_:]/.test(text[behind]!)) return -1;
    i = behind + 1;
    while (/[A-Za-z0-9_.:-]/.test(text[i] ?? "")) i++;
    const equals = skipWhitespace(text, i);
    if (text[equals] !== "=") continue;
    const value = skipWhitespace(text, equals + 1);
    const quote = text[value];
    i = value;
    if (quote === '"' || quote === "'") i = text.indexOf(quote, value + 1) + 1;
    else while (i < text.length && !/[\s"'=<>`]/.test(text[i]!)) i++;
    if (i <= value) return -1;
  }
}

/** Returns the offset after the first `ending` from an offset on; -1 if there is none. */
export function scanThrough(text: string, at: number, ending: string, missing: AbsentEndings): number {
  if (missing.has(ending)) return -1;
  const found = text.indexOf(ending, at);
  if (found === -1) missing.add(ending);
  return found === -1 ? -1 : found + ending.length;
}
