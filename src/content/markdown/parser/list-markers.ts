// List markers, which are bullets or numbers with a dot or a parenthesis; and thematic breaks, which look like them.

import { isSpace, trimSpaces } from "./characters";
import type { LineCursor } from "./line-cursor";

export interface ListMarker {
  start: number;
  /** The bullet, or the delimiter after the number. Items with the same one belong to one list. */
  mark: string;
  /** The number; null for a bullet. */
  first: number | null;
  /** The indentation by which further lines belong to the item. */
  indent: number;
}

/** Reads a list marker and the space after it. An item that interrupts a paragraph starts at 1 and has content. */
export function readListMarker(line: LineCursor, interrupts: boolean): ListMarker | undefined {
  const { source, text: start, end } = line;
  const code = source.charCodeAt(start);
  let width = 1;
  if (code !== 42 && code !== 43 && code !== 45) {
    let i = start;
    while (i - start < 10 && source.charCodeAt(i) >= 48 && source.charCodeAt(i) <= 57) i++;
    const digits = i - start;
    if (digits === 0 || digits > 9 || (source[i] !== "." && source[i] !== ")")) return undefined;
    width = digits + 1;
  }
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

/** Returns true for a line of three or more `*`, `-` or `_`, and nothing else. */
export function isThematicBreak(line: LineCursor): boolean {
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
