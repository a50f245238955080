// Rows of strips: the cells of a table, columns, cards. A high row is split between the strips of its cells.

import type { Sheet } from "../file/sheet";
import { drawStack } from "./stack";
import { createStrip, getGap, getStackHeight, type Strip } from "./strip";

export interface RowCell {
  readonly left: number;
  readonly strips: readonly Strip[];
}

export interface RowStyle {
  readonly before?: number;
  readonly after?: number;
  /** The space above and below the content of the cells. */
  readonly padding?: number;
  readonly heading?: Strip | undefined;
  /** Rows up to this height are never split. */
  readonly maxUnsplitHeight: number;
  drawBackground?(sheet: Sheet, left: number, top: number, height: number): void;
}

/** The minimum height of the first part of a split row. */
const MIN_PART_HEIGHT = 24;

export function createRow(cells: readonly RowCell[], style: RowStyle): Strip {
  const padding = style.padding ?? 0;
  const height = cells.reduce((highest, { strips }) => Math.max(highest, getStackHeight(strips)), 0) + 2 * padding;
  const split = (room: number): readonly [Strip, Strip] | undefined => {
    const halves = cells.map((cell) => ({ left: cell.left, halves: splitStrips(cell.strips, room - 2 * padding) }));
    const upper = halves.map(({ left, halves: [strips] }) => ({ left, strips }));
    const lower = halves.map(({ left, halves: [, strips] }) => ({ left, strips }));
    if (Math.max(0, ...upper.map(({ strips }) => getStackHeight(strips))) < MIN_PART_HEIGHT) return undefined;
    return [createRow(upper, style), createRow(lower, style)];
  };
  return createStrip({
    height,
    before: style.before ?? 0,
    after: style.after ?? 0,
    heading: style.heading,
    base: padding + (cells[0]?.strips[0]?.base ?? 0),
    draw: (sheet, left, top) => {
      style.drawBackground?.(sheet, left, top, height);
      for (const cell of cells) drawStack(sheet, cell.strips, left + cell.left, top + padding);
    },
    split: height <= style.maxUnsplitHeight ? undefined : split,
  });
}

function splitStrips(strips: readonly Strip[], room: number): readonly [Strip[], Strip[]] {
  const head: Strip[] = [];
  let left = room;
  for (const [at, strip] of strips.entries()) {
    const space = getGap(head.at(-1), strip);
    if (space + strip.height <= left) {
      head.push(strip);
      left -= space + strip.height;
      continue;
    }
    const halves = strip.split?.(left - space);
    return halves
      ? [
          [...head, halves[0]],
          [halves[1], ...strips.slice(at + 1)],
        ]
      : [head, strips.slice(at)];
  }
  return [head, []];
}
