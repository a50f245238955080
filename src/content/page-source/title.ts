// The title that a page's text states: a leading heading of the first level, `# Title` or underlined with `===`. It is read as plain
// text, and written so that it is read as the same plain text again.

import type { HeadingNode, InlineNode } from "../markdown/nodes";
import { parseMarkdown } from "../markdown/parse";

/** A heading that states a title. */
export interface LeadingTitle {
  readonly start: number;
  /** The end of the heading, without its line ending. */
  readonly end: number;
  /** The start of the text that follows, after empty lines. */
  readonly after: number;
  /** The title; undefined if the heading has no text. */
  readonly text: string | undefined;
  /** The range of the words to replace for another title; undefined if the whole heading should be replaced. */
  readonly words: { readonly from: number; readonly to: number } | undefined;
}

/** The most characters of a heading that are read. */
const MAX_HEADING_LENGTH = 1000;

const ATX_HEADING = / {0,3}#(?=[ \t\r\n]|$)/y;
const UNDERLINE = /[\r\n] {0,3}=+[ \t]*(?:[\r\n]|$)/;
const BLANK_LINE = /[\r\n][ \t]*[\r\n]/;

/** Returns the title that a heading states at a position, or undefined if there is none. Empty lines may precede it. */
export function findLeadingTitle(text: string, position: number): LeadingTitle | undefined {
  const start = skipBlankLines(text, position);
  ATX_HEADING.lastIndex = start;
  const isAtx = ATX_HEADING.test(text);
  let source = text.slice(start, isAtx ? findLineEnd(text, start) : start + MAX_HEADING_LENGTH);
  if (!isAtx) {
    // The heading is in the lines up to the first blank one. One of them must underline those before it.
    const blankLine = source.search(BLANK_LINE);
    if (blankLine >= 0) source = source.slice(0, blankLine);
    if (!UNDERLINE.test(source) || source.startsWith("{%")) return undefined;
  }
  const heading = parseTitleHeading(source.slice(0, MAX_HEADING_LENGTH));
  if (!heading) return undefined;

  let words: LeadingTitle["words"];
  if (isAtx && source.length <= MAX_HEADING_LENGTH) {
    // Tags around the words, such as an anchor after them, do not belong to the title.
    const wordNodes = heading.children.filter((node) => getInlineText(node).trim() !== "");
    const [first, last] = [wordNodes[0], wordNodes.at(-1)];
    if (first && last) {
      const from = start + first.start;
      words = { from, to: from + source.slice(first.start, last.end).trimEnd().length };
    }
  }
  const end = start + (isAtx ? source.length : heading.end);
  const after = skipBlankLines(text, skipLineEnding(text, end));
  return { start, end, after, text: toSingleLine(heading.children.map(getInlineText).join("")), words };
}

/**
 * Returns a title as the words of a heading, with as few escapes as needed to be read as the same title. A bracket is always
 * escaped, because a definition further down could make a link of it.
 */
export function escapeHeadingText(title: string): string {
  const words = toSingleLine(title) ?? "";
  const candidates = [
    words.replaceAll("[", "\\["),
    words.replace(/[\\`*_[<~$&]|(?<!#)#+$/g, "\\$&"),
    words.replace(/[!-/:-@[-`{-~]/g, "\\$&"),
  ];
  const readsAsTitle = (candidate: string) => {
    const heading = parseTitleHeading(`# ${candidate}`);
    return heading !== undefined && toSingleLine(heading.children.map(getInlineText).join("")) === words;
  };
  return candidates.find(readsAsTitle) ?? candidates.at(-1)!;
}

/** Returns a title on one line and without control characters, or undefined if nothing is left. */
export function toSingleLine(title: string): string | undefined {
  return title.replace(/\p{Cc}+/gu, " ").trim() || undefined;
}

/** Returns the start of the first line that is not blank. `position` is the start of a line. */
export function skipBlankLines(text: string, position: number): number {
  for (let lineStart = position; ; ) {
    const lineEnd = findLineEnd(text, lineStart);
    if (text.slice(lineStart, lineEnd).trim() !== "") return lineStart;
    if (lineEnd === text.length) return lineEnd;
    lineStart = skipLineEnding(text, lineEnd);
  }
}

/** Returns the plain text of an inline, without its invisible parts. */
export function getInlineText(node: InlineNode): string {
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
      return "children" in node ? node.children.map(getInlineText).join("") : node.value;
  }
}

function parseTitleHeading(source: string): HeadingNode | undefined {
  const first = parseMarkdown(source).children[0];
  return first?.type === "heading" && first.depth === 1 ? first : undefined;
}

function findLineEnd(text: string, position: number): number {
  for (let end = position; end < text.length; end++) if (text[end] === "\n" || text[end] === "\r") return end;
  return text.length;
}

function skipLineEnding(text: string, lineEnd: number): number {
  if (lineEnd === text.length) return lineEnd;
  return lineEnd + (text.startsWith("\r\n", lineEnd) ? 2 : 1);
}
