// The markers of list items, bullets and numbers with a dot or a parenthesis; and the line that looks like one and is a rule.

import { isSpace, trimSpaces } from "./characters";
import type { Line } from "./lines";

/** A marker that was read. */
export interface Marker {
  start: number;
  /** The bullet, or what stands behind the number: items with the same one belong to one list. */
  mark: string;
  /** The number; null for a bullet. */
  first: number | null;
  /** How far further lines have to be indented to belong to the item. */
  indent: number;
}

/** Reads the marker that a line begins with, and the space behind it. An item that interrupts a paragraph says something, and starts at 1. */
export function markerAt(line: Line, interrupts: boolean): Marker | undefined {
  const { source, text: start, end } = line;
  const width = widthOf(source, start);
  if (width === 0) return undefined;
  const behind = start + width;
  if (behind < end && !isSpace(source.charCodeAt(behind))) return undefined;
  const first = width === 1 ? null : Number.parseInt(source.slice(start, behind - 1), 10);
  if (interrupts && ((first !== null && first !== 1) || trimSpaces(source.slice(behind, end)) === "")) return undefined;

  const outer = line.indent;
  line.skipIndent();
  line.skip(width);
  const gap = line.isBlank || line.indent > 4 ? 1 : line.indent;
  line.skipColumns(gap);
  return { start, mark: source[behind - 1]!, first, indent: outer + width + gap };
}

function widthOf(source: string, start: number): number {
  const code = source.charCodeAt(start);
  if (code === 42 || code === 43 || code === 45) return 1;
  let i = start;
  while (i - start < 10 && source.charCodeAt(i) >= 48 && source.charCodeAt(i) <= 57) i++;
  const digits = i - start;
  return digits > 0 && digits < 10 && (source[i] === "." || source[i] === ")") ? digits + 1 : 0;
}

/** Whether a line is nothing but three or more `*`, `-` or `_`. */
export function isThematicBreak(line: Line): boolean {
  const mark = line.code;
  if (mark !== 42 && mark !== 45 && mark !== 95) return false;
  let count = 0;
  for (let i = line.text; i < line.end; i++) {
    const code = line.source.charCodeAt(i);
    if (code === mark) count++;
    else if (!isSpace(code)) return false;
  }
  return count >= 3;
}
