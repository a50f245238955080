// Text that has one line and no more: in the footer, in the contents, on a card.

import type { Typeset } from "../fonts/typeset";
import type { TextStyle } from "./items";
import { widthOf } from "./lines";
import { type Run, setRuns } from "./runs";

/** A text on one line, cut with an ellipsis where it is too long. */
export function fitted(typeset: Typeset, text: string, style: TextStyle, width: number): Run[] {
  const whole = setRuns(typeset, text, style);
  if (widthOf(whole) <= width) return whole;
  const characters = [...text];
  const cut = (length: number) => setRuns(typeset, `${characters.slice(0, length).join("").trimEnd()}…`, style);
  let [fits, tooLong] = [0, characters.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (widthOf(cut(middle)) <= width) fits = middle;
    else tooLong = middle;
  }
  return cut(fits);
}
