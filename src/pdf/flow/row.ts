// Rows of strips: the cells of a table, columns, cards. A high row is split between the strips of its cells.

import type { Sheet } from "../file/sheet";
import { drawStack } from "./stack";
import { createStrip, getGap, getStackHeight, type Strip } from "./strip";

/** One of the stacks of a row. */
export interface RowCell {
  readonly left: number;
  readonly strips: readonly Strip[];
}

/** The style of a row. */
export interface RowStyle {
  readonly before?: number;
  readonly after?: number;
  /** The space above and below the content of the cells. */
  readonly padding?: number;
  readonly heading?: Strip | undefined;
  /** Rows up to this height are never split. */
  readonly maxUnsplitHeight: number;
  /** Draws the background of the cells. */
  drawBackground?(sheet: Sheet, left: number, top: number, height: number): void;
}

/** The minimum height of the first part of a split row. */
const LEAST = 24;

/** Creates a row of cells. */
export function createRow(cells: readonly RowCell[], look: RowStyle): Strip {
  const padding = look.padding ?? 0;
  const height = cells.reduce((highest, { strips }) => Math.max(highest, getStackHeight(strips)), 0) + 2 * padding;
  return createStrip({
    height,
    before: look.before ?? 0,
    after: look.after ?? 0,
    heading: look.heading,
    base: padding + (cells[0]?.strips[0]?.base ?? 0),
    draw: (sheet, left, top) => {
      look.drawBackground?.(sheet, left, top, height);
      for (const cell of cells) drawStack(sheet, cell.strips, left + cell.left, top + padding);
    },
    split: height <= look.maxUnsplitHeight ? undefined : (room) => splitRow(cells, look, room),
  });
}

function splitRow(cells: readonly RowCell[], look: RowStyle, room: number): readonly [Strip, Strip] | undefined {
  const inside = room - 2 * (look.padding ?? 0);
  const parts = cells.map(({ left, strips }) => ({ left, parts: splitStrips(strips, inside) }));
  const head = parts.map(({ left, parts: [strips] }) => ({ left, strips }));
  if (head.reduce((highest, { strips }) => Math.max(highest, getStackHeight(strips)), 0) < LEAST) return undefined;
  const tail = parts.map(({ left, parts: [, strips] }) => ({ left, strips }));
  return [createRow(head, look), createRow(tail, look)];
}

/** Splits strips into those that fit and the others. */
function splitStrips(strips: readonly Strip[], room: number): readonly [Strip[], Strip[]] {
  const head: Strip[] = [];
  let left = room;
  for (const [at, it] of strips.entries()) {
    const space = getGap(head.at(-1), it);
    if (space + it.height <= left) {
      head.push(it);
      left -= space + it.height;
      continue;
    }
    const halves = it.split?.(left - space);
    return halves
      ? [
          [...head, halves[0]],
          [halves[1], ...strips.slice(at + 1)],
        ]
      : [head, strips.slice(at)];
  }
  return [head, []];
}
