// Splits a text into the units that are merged as a whole: its front matter, then its blocks, each with all of its
// lines, and the empty lines between them. Joined again they give the text, byte for byte.

import { parseInSteps } from "../markdown/parse";
import type { Steps } from "../markdown/steps";
import { findFrontMatter } from "../page-source/find-front-matter";

/** A block, or several on one line: whole lines, with their endings. */
export interface Unit {
  readonly text: string;
  /** What the parser says it is. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Blocks and what is between them. */
export interface Blocks {
  readonly text: string;
  readonly units: readonly Unit[];
}

/** Where the front matter of a text ends; a byte order mark is not looked for. */
export function frontEnd(text: string): number {
  return findFrontMatter(text)?.after ?? 0;
}

/** The blocks of a text that ends with a line ending and has no front matter. */
export function* blocksOf(text: string): Steps<Blocks> {
  const units: Unit[] = [];
  let [start, end, kind] = [0, 0, ""];
  const finish = () => {
    if (end > start) units.push({ text: text.slice(start, end), kind, start, end });
  };
  // After an empty line, nothing is read as front matter.
  const { children } = yield* parseInSteps(`\n${text}`);
  for (const block of children) {
    const [from, to] = [block.start - 1, endOfWords(text, block.end - 1)];
    if (from >= end) {
      finish();
      start = startOfLine(text, from, end);
      kind = "";
    }
    if (to > end) end = endOfLine(text, to);
    kind += ` ${block.type === "tag" ? `${block.type}:${block.name}` : block.type}`;
  }
  finish();
  return { text, units };
}

/** What stands between a unit and the one before it; after the last one, the rest. */
export function gapBefore({ text, units }: Blocks, index: number): string {
  return text.slice(units[index - 1]?.end ?? 0, units[index]?.start ?? text.length);
}

/** Units that follow each other, with what is between them. */
export function textBetween({ text, units }: Blocks, start: number, end: number): string {
  return start === end ? "" : text.slice(units[start]!.start, units[end - 1]!.end);
}

/** The lines of a text, each with its ending. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]+(?:\r\n?|\n)?|\r\n?|\n/g) ?? [];
}

/** How many lines a text has. */
export function countLines(text: string): number {
  let lines = 0;
  for (const _ of text.matchAll(/\r\n?|\n/g)) lines++;
  return lines;
}

/** The line ending that a text uses first. */
export function endingIn(text: string): string {
  return /\r\n?|\n/.exec(text)?.[0] ?? "\n";
}

function endOfWords(text: string, end: number): number {
  let at = end;
  while (at > 0 && text[at - 1]!.trim() === "") at--;
  return at;
}

/** No further back than `limit`, so that many blocks on one line cost no more than few. */
function startOfLine(text: string, at: number, limit: number): number {
  let start = at;
  while (start > limit && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}

function endOfLine(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    if (text[end] === "\n") return end + 1;
    if (text[end] === "\r") return text[end + 1] === "\n" ? end + 2 : end + 1;
  }
  return text.length;
}
