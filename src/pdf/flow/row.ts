// Strips beside one another: the cells of a table, columns, cards. A row that is high is torn between the strips of its cells.

import type { Sheet } from "../file/sheet";
import { drawStack } from "./stack";
import { between, heightOf, type Strip, strip } from "./strip";

/** One of several stacks beside one another. */
export interface Cell {
  readonly left: number;
  readonly strips: readonly Strip[];
}

/** What a row is like. */
export interface RowLook {
  readonly before?: number;
  readonly after?: number;
  /** The space above and below what is in the cells. */
  readonly padding?: number;
  readonly heading?: Strip | undefined;
  /** Rows that are no higher than this are never torn. */
  readonly whole: number;
  /** Draws what is behind the cells. */
  ground?(sheet: Sheet, left: number, top: number, height: number): void;
}

/** A part of a row is no lower than this. */
const LEAST = 24;

/** Puts cells beside one another. */
export function row(cells: readonly Cell[], look: RowLook): Strip {
  const padding = look.padding ?? 0;
  const height = cells.reduce((highest, { strips }) => Math.max(highest, heightOf(strips)), 0) + 2 * padding;
  return strip({
    height,
    before: look.before ?? 0,
    after: look.after ?? 0,
    heading: look.heading,
    base: padding + (cells[0]?.strips[0]?.base ?? 0),
    draw: (sheet, left, top) => {
      look.ground?.(sheet, left, top, height);
      for (const cell of cells) drawStack(sheet, cell.strips, left + cell.left, top + padding);
    },
    tear: height <= look.whole ? undefined : (room) => torn(cells, look, room),
  });
}

function torn(cells: readonly Cell[], look: RowLook, room: number): readonly [Strip, Strip] | undefined {
  const inside = room - 2 * (look.padding ?? 0);
  const parts = cells.map(({ left, strips }) => ({ left, parts: divide(strips, inside) }));
  const head = parts.map(({ left, parts: [strips] }) => ({ left, strips }));
  if (head.reduce((highest, { strips }) => Math.max(highest, heightOf(strips)), 0) < LEAST) return undefined;
  const tail = parts.map(({ left, parts: [, strips] }) => ({ left, strips }));
  return [row(head, look), row(tail, look)];
}

/** The strips that there is room for, and the others. */
function divide(strips: readonly Strip[], room: number): readonly [Strip[], Strip[]] {
  const head: Strip[] = [];
  let left = room;
  for (const [at, it] of strips.entries()) {
    const space = between(head.at(-1), it);
    if (space + it.height <= left) {
      head.push(it);
      left -= space + it.height;
      continue;
    }
    const torn = it.tear?.(left - space);
    return torn
      ? [
          [...head, torn[0]],
          [torn[1], ...strips.slice(at + 1)],
        ]
      : [head, strips.slice(at)];
  }
  return [head, []];
}
