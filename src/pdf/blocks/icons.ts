// Small icons that are drawn, so that they look the same with every font.

import type { Sheet } from "../file/sheet";
import { COLORS, type HINT_COLORS, type PdfColor } from "../theme";

const RADIUS = 6.5;

/** Draws the icon of a hint around a center. */
export function drawHintIcon(
  sheet: Sheet,
  style: keyof typeof HINT_COLORS,
  x: number,
  y: number,
  color: PdfColor,
): void {
  if (style === "warning") {
    const top: readonly [number, number] = [x, y - 7];
    sheet.fillShape([top, [x + 7.6, y + 6], [x - 7.6, y + 6]], color);
    drawStroke(sheet, [x, y - 2], [x, y + 1.6]);
    drawDot(sheet, x, y + 4);
    return;
  }
  sheet.fillBox(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, color, RADIUS);
  if (style === "success") {
    drawStroke(sheet, [x - 3, y + 0.2], [x - 0.9, y + 2.4], [x + 3.1, y - 2.4]);
  } else if (style === "danger") {
    drawStroke(sheet, [x, y - 3.4], [x, y + 0.6]);
    drawDot(sheet, x, y + 3.2);
  } else {
    drawStroke(sheet, [x, y - 0.6], [x, y + 3.4]);
    drawDot(sheet, x, y - 3.2);
  }
}

function drawStroke(sheet: Sheet, ...points: (readonly [number, number])[]): void {
  sheet.drawLine(points, COLORS.white, 1.4);
}

function drawDot(sheet: Sheet, x: number, y: number): void {
  sheet.fillBox(x - 0.85, y - 0.85, 1.7, 1.7, COLORS.white, 0.85);
}
