// Small signs that are drawn, so that they look the same with every font.

import type { Sheet } from "../file/sheet";
import { COLOURS, type Colour, type HINTS } from "../look";

const RADIUS = 6.5;

/** The sign of a hint, around a middle. */
export function hintIcon(sheet: Sheet, style: keyof typeof HINTS, x: number, y: number, colour: Colour): void {
  if (style === "warning") {
    const top: readonly [number, number] = [x, y - 7];
    sheet.shape([top, [x + 7.6, y + 6], [x - 7.6, y + 6]], colour);
    stroke(sheet, [x, y - 2], [x, y + 1.6]);
    dot(sheet, x, y + 4);
    return;
  }
  sheet.fillBox(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, colour, RADIUS);
  if (style === "success") {
    stroke(sheet, [x - 3, y + 0.2], [x - 0.9, y + 2.4], [x + 3.1, y - 2.4]);
  } else if (style === "danger") {
    stroke(sheet, [x, y - 3.4], [x, y + 0.6]);
    dot(sheet, x, y + 3.2);
  } else {
    stroke(sheet, [x, y - 0.6], [x, y + 3.4]);
    dot(sheet, x, y - 3.2);
  }
}

function stroke(sheet: Sheet, ...points: (readonly [number, number])[]): void {
  sheet.line(points, COLOURS.white, 1.4);
}

function dot(sheet: Sheet, x: number, y: number): void {
  sheet.fillBox(x - 0.85, y - 0.85, 1.7, 1.7, COLOURS.white, 0.85);
}
