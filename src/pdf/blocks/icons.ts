// Small icons that are drawn, so that they look the same with every font.

import type { Sheet } from "../file/sheet";
import { COLORS, type HINT_COLORS, type PdfColor } from "../theme";

const RADIUS = 6.5;

export function drawHintIcon(
  sheet: Sheet,
  style: keyof typeof HINT_COLORS,
  x: number,
  y: number,
  color: PdfColor,
): void {
  let stroke: readonly (readonly [number, number])[];
  let dot: number | undefined;
  if (style === "warning") {
    const top: readonly [number, number] = [x, y - 7];
    sheet.fillShape([top, [x + 7.6, y + 6], [x - 7.6, y + 6]], color);
    stroke = [
      [x, y - 2],
      [x, y + 1.6],
    ];
    dot = y + 4;
  } else {
    sheet.fillBox(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, color, RADIUS);
    if (style === "success")
      stroke = [
        [x - 3, y + 0.2],
        [x - 0.9, y + 2.4],
        [x + 3.1, y - 2.4],
      ];
    else if (style === "danger") {
      stroke = [
        [x, y - 3.4],
        [x, y + 0.6],
      ];
      dot = y + 3.2;
    } else {
      stroke = [
        [x, y - 0.6],
        [x, y + 3.4],
      ];
      dot = y - 3.2;
    }
  }
  sheet.drawLine(stroke, COLORS.white, 1.4);
  if (dot !== undefined) sheet.fillBox(x - 0.85, dot - 0.85, 1.7, 1.7, COLORS.white, 0.85);
}

export type CardIcon = "file" | "link" | "picture";

/** Draws the icon of a link card with its upper left corner at a point. */
export function drawCardIcon(sheet: Sheet, kind: CardIcon, x: number, y: number): void {
  const color = COLORS.muted;
  if (kind === "link") {
    sheet.drawLine(
      [
        [x + 1, y + 6],
        [x + 11, y + 6],
      ],
      color,
      1.1,
    );
    sheet.drawLine(
      [
        [x + 7, y + 2],
        [x + 11, y + 6],
        [x + 7, y + 10],
      ],
      color,
      1.1,
    );
  } else if (kind === "file") {
    sheet.drawLine(
      [
        [x + 2, y],
        [x + 7.5, y],
        [x + 10.5, y + 3],
        [x + 10.5, y + 12],
        [x + 2, y + 12],
        [x + 2, y],
      ],
      color,
      0.9,
    );
    sheet.drawLine(
      [
        [x + 7.5, y],
        [x + 7.5, y + 3],
        [x + 10.5, y + 3],
      ],
      color,
      0.9,
    );
  } else {
    sheet.strokeBox(x, y + 0.5, 13, 11, color, 1.5, 0.9);
    sheet.drawLine(
      [
        [x + 1, y + 9.5],
        [x + 4.5, y + 5.5],
        [x + 7, y + 8.5],
        [x + 9, y + 6.5],
        [x + 12, y + 9.5],
      ],
      color,
      0.9,
    );
  }
}
