// The title that a page's text states itself: a first heading of the first level, `# Title` or underlined with `===`. It is
// read as plain text, and written so that it reads as the same plain text.

import type { Heading, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** A heading that states a title: from `start` to `end`, without its line ending; what follows it begins at `after`. */
export interface LeadingTitle {
  readonly start: number;
  readonly end: number;
  readonly after: number;
  /** Undefined when the heading has no text. */
  readonly text: string | undefined;
  /** Where its words stand, for changes; undefined when the heading is better written anew. */
  readonly words: { readonly from: number; readonly to: number } | undefined;
}

/** How much of a heading is read. */
const MAX_HEADING = 1000;

const HASH = / {0,3}#(?=[ \t\r\n]|$)/y;
const UNDERLINE = /[\r\n] {0,3}=+[ \t]*(?:[\r\n]|$)/;
const BLANK_LINE = /[\r\n][ \t]*[\r\n]/;

/** The title that a heading states at a place of a text, empty lines skipped. */
export function leadingTitleAt(text: string, at: number): LeadingTitle | undefined {
  const start = afterBlankLines(text, at);
  HASH.lastIndex = start;
  const isHashed = HASH.test(text);
  const source = isHashed ? text.slice(start, lineEnd(text, start)) : underlinedAt(text, start);
  const heading = source === undefined ? undefined : headingOf(source.slice(0, MAX_HEADING));
  if (source === undefined || heading === undefined) return undefined;
  const end = start + (isHashed ? source.length : heading.position!.end.offset!);
  const words = isHashed && source.length <= MAX_HEADING ? wordsOf(heading, source, start) : undefined;
  return { start, end, after: afterBlankLines(text, nextLine(text, end)), text: oneLine(plain(heading)), words };
}

/** A title as a heading. */
export function headingFor(title: string): string {
  return `# ${escaped(title)}`;
}

/** A title's words as they stand in a heading: none of them is syntax. */
export function escaped(title: string): string {
  return (oneLine(title) ?? "")
    .replace(/[\\`*[<~]|&(?=[#\p{L}])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    .replace(/(?<![^ ])#+$/, "\\$&");
}

/** A title on one line, without what cannot be seen; undefined when nothing is left. */
export function oneLine(title: string): string | undefined {
  return title.replace(/\p{Cc}+/gu, " ").trim() || undefined;
}

/** The first place after a place, at the beginning of a line, whose line is not empty. */
export function afterBlankLines(text: string, at: number): number {
  for (let line = at; ; ) {
    const end = lineEnd(text, line);
    if (text.slice(line, end).trim() !== "") return line;
    if (end === text.length) return end;
    line = nextLine(text, end);
  }
}

/** The lines up to the first empty one, when one of them underlines what is before it. */
function underlinedAt(text: string, start: number): string | undefined {
  const chunk = text.slice(start, start + MAX_HEADING);
  const blank = chunk.search(BLANK_LINE);
  const lines = blank < 0 ? chunk : chunk.slice(0, blank);
  return UNDERLINE.test(lines) && !lines.startsWith("{%") ? lines : undefined;
}

function headingOf(source: string): Heading | undefined {
  const first = fromMarkdown(source).children[0];
  return first?.type === "heading" && first.depth === 1 ? first : undefined;
}

/** From the first to the last part that is text: tags around it, such as an anchor behind it, are not its words. */
function wordsOf({ children }: Heading, source: string, start: number): LeadingTitle["words"] {
  const parts = children.filter((part) => plain(part).trim() !== "");
  const [from, to] = [parts[0]?.position?.start.offset, parts.at(-1)?.position?.end.offset];
  if (from === undefined || to === undefined) return undefined;
  return { from: start + from, to: start + from + source.slice(from, to).trimEnd().length };
}

function plain(node: Nodes): string {
  if (node.type === "html") return "";
  if (node.type === "break") return " ";
  if ("children" in node) return node.children.map(plain).join("");
  return "value" in node ? node.value : "alt" in node ? (node.alt ?? "") : "";
}

function lineEnd(text: string, at: number): number {
  for (let end = at; end < text.length; end++) if (text[end] === "\n" || text[end] === "\r") return end;
  return text.length;
}

function nextLine(text: string, end: number): number {
  if (end === text.length) return end;
  return end + (text.startsWith("\r\n", end) ? 2 : 1);
}
