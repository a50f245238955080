// GFM tables: recognizes delimiter rows, and splits rows into cells.

import type { Alignment } from "../nodes";
import { findTrimmedEnd, skipSpaces, trimSpaces } from "./characters";
import { Content } from "./content";

/** Returns the alignments of a delimiter row; undefined for any other line. */
export function parseDelimiterRow(line: string): (Alignment | null)[] | undefined {
  if (!/^[ \t:|-]+$/.test(line) || !/[:|]/.test(line)) return undefined;
  const cells = trimSpaces(line).replace(/^\|/, "").replace(/\|$/, "").split("|").map(trimSpaces);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
    return cell.startsWith(":") ? "left" : null;
  });
}

/** A cell: its place in the source, and its content with `\|` unescaped. */
export interface CellContent {
  start: number;
  end: number;
  content: Content;
}

export function splitRow(source: string, start: number, end: number): CellContent[] {
  let at = skipSpaces(source, start, end);
  const last = findTrimmedEnd(source, at, end);
  if (source[at] === "|") at++;
  const cells: CellContent[] = [];
  while (at < last) {
    let pipe = at;
    while (pipe < last && source[pipe] !== "|") pipe += source[pipe] === "\\" ? 2 : 1;
    pipe = Math.min(pipe, last);
    // The content of a cell has its escaped pipes without the backslashes.
    const cellStart = skipSpaces(source, at, pipe);
    const cellEnd = findTrimmedEnd(source, cellStart, pipe);
    const content = new Content();
    let piece = cellStart;
    for (let i = cellStart; i < cellEnd; i++) {
      if (source[i] !== "\\") continue;
      if (source[i + 1] === "|") {
        content.add(source, piece, i);
        piece = i + 1;
      }
      i++;
    }
    content.add(source, piece, cellEnd);
    cells.push({ start: cellStart, end: cellEnd, content });
    at = pipe + 1;
  }
  return cells;
}
