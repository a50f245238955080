// Tables of GFM: what makes two lines a table, and where the cells of a row stand.

import type { Alignment } from "../nodes";
import { isSpace, trimSpaces } from "./characters";
import { Content } from "./content";

/** The alignments that a line of dashes gives to the columns; undefined if it is not such a line. */
export function alignmentsOf(line: string): (Alignment | null)[] | undefined {
  if (!/^[ \t:|-]+$/.test(line) || !/[:|]/.test(line)) return undefined;
  const cells = trimSpaces(line).replace(/^\|/, "").replace(/\|$/, "").split("|");
  const trimmed = cells.map(trimSpaces);
  return trimmed.every((cell) => /^:?-+:?$/.test(cell)) ? trimmed.map(alignmentOf) : undefined;
}

function alignmentOf(dashes: string): Alignment | null {
  const [left, right] = [dashes.startsWith(":"), dashes.endsWith(":")];
  if (left && right) return "center";
  return left ? "left" : right ? "right" : null;
}

/** A cell: where it stands, and its content with `\|` made `|`. */
export interface Cell {
  start: number;
  end: number;
  content: Content;
}

/** The cells of a row that stands between two offsets of the source. */
export function cellsOf(source: string, start: number, end: number): Cell[] {
  let at = skipSpaces(source, start, end);
  let last = end;
  while (last > at && isSpace(source.charCodeAt(last - 1))) last--;
  if (source[at] === "|") at++;
  const cells: Cell[] = [];
  while (at < last) {
    const pipe = endOfCell(source, at, last);
    cells.push(cellAt(source, at, pipe));
    at = pipe + 1;
  }
  return cells;
}

function endOfCell(source: string, start: number, end: number): number {
  let i = start;
  while (i < end && source[i] !== "|") i += source[i] === "\\" ? 2 : 1;
  return Math.min(i, end);
}

function cellAt(source: string, from: number, to: number): Cell {
  const start = skipSpaces(source, from, to);
  let end = to;
  while (end > start && isSpace(source.charCodeAt(end - 1))) end--;
  const content = new Content();
  let piece = start;
  for (let i = start; i < end; i++) {
    if (source[i] !== "\\") continue;
    if (source[i + 1] === "|") {
      content.add(source, piece, i);
      piece = i + 1;
    }
    i++;
  }
  content.add(source, piece, end);
  return { start, end, content };
}

function skipSpaces(source: string, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(source.charCodeAt(i))) i++;
  return i;
}
