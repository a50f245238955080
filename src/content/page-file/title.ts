// The title that a page's text states itself: a first heading of the first level, `# Title` or underlined with `===`. It is
// read as plain text, and written so that it reads as the same plain text.

import type { Heading, Inline } from "../markdown/nodes";
import { parse } from "../markdown/parse";

/** A heading that states a title: from `start` to `end`, without its line ending; what follows it begins at `after`. */
export interface LeadingTitle {
  readonly start: number;
  readonly end: number;
  readonly after: number;
  /** Undefined when the heading has no text. */
  readonly text: string | undefined;
  /** Where its words are, for changes; undefined when the whole heading should be rewritten. */
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
  const end = start + (isHashed ? source.length : heading.end);
  const words = isHashed && source.length <= MAX_HEADING ? wordsOf(heading, source, start) : undefined;
  return { start, end, after: afterBlankLines(text, nextLine(text, end)), text: headingText(heading), words };
}

/** A title as a heading. */
export function headingFor(title: string): string {
  return `# ${escaped(title)}`;
}

/** The words of a title for a heading: as they are if that reads the same, else with possible syntax escaped. A bracket
 * is always escaped, because a definition further down could make a link of it. */
export function escaped(title: string): string {
  const words = oneLine(title) ?? "";
  const ways = [
    words.replaceAll("[", "\\["),
    words.replace(/[\\`*_[<~$&]|(?<!#)#+$/g, "\\$&"),
    words.replace(/[!-/:-@[-`{-~]/g, "\\$&"),
  ];
  return ways.find((way) => readsAs(way, words)) ?? ways.at(-1)!;
}

function readsAs(way: string, words: string): boolean {
  const heading = headingOf(`# ${way}`);
  return heading !== undefined && headingText(heading) === words;
}

/** A title on one line, without invisible characters; undefined when nothing is left. */
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
  const first = parse(source).children[0];
  return first?.type === "heading" && first.depth === 1 ? first : undefined;
}

/** From the first to the last part that is text. Tags around it, such as an anchor after it, do not belong to the
 * title. */
function wordsOf({ children }: Heading, source: string, start: number): LeadingTitle["words"] {
  const parts = children.filter((part) => plain(part).trim() !== "");
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return undefined;
  return { from: start + first.start, to: start + first.start + source.slice(first.start, last.end).trimEnd().length };
}

function headingText({ children }: Heading): string | undefined {
  return oneLine(children.map(plain).join(""));
}

/** The words of an inline, without what is not seen. */
export function plain(node: Inline): string {
  switch (node.type) {
    case "html":
    case "footnoteReference":
      return "";
    case "break":
      return " ";
    case "image":
      return node.alt;
    case "emoji":
      return `:${node.code}:`;
    default:
      return "children" in node ? node.children.map(plain).join("") : node.value;
  }
}

function lineEnd(text: string, at: number): number {
  for (let end = at; end < text.length; end++) if (text[end] === "\n" || text[end] === "\r") return end;
  return text.length;
}

function nextLine(text: string, end: number): number {
  if (end === text.length) return end;
  return end + (text.startsWith("\r\n", end) ? 2 : 1);
}
