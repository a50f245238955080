// Text that must fit on one line: in the footer, in the table of contents, on a card.

import type { Typeset } from "../fonts/typeset";
import { sumWidths } from "./lines";
import { type GlyphRun, shapeText, type TextStyle } from "./runs";

/** Shapes a text for one line. A text that is too long is cut with an ellipsis. */
export function fitText(typeset: Typeset, text: string, style: TextStyle, width: number): GlyphRun[] {
  const whole = shapeText(typeset, text, style);
  if (sumWidths(whole) <= width) return whole;
  const characters = [...text];
  const cut = (length: number) => shapeText(typeset, `${characters.slice(0, length).join("").trimEnd()}…`, style);
  let [fits, tooLong] = [0, characters.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (sumWidths(cut(middle)) <= width) fits = middle;
    else tooLong = middle;
  }
  return cut(fits);
}
