// Formulas as boxes on a line. Copying one yields its source.

import { layOutFormula } from "../formulas/layout";
import type { BoxItem } from "../text/items";
import { toPrintableText } from "../text/printable";
import type { PdfColor } from "../theme";
import type { LayoutContext } from "./layout-context";

/** The style of a formula. */
interface FormulaBlockStyle {
  readonly size: number;
  readonly color: PdfColor;
  readonly isDisplayed: boolean;
}

/** Creates a box for a formula, no wider than the text. Returns undefined if the formula cannot be parsed. */
export function createFormulaBox(
  formula: string,
  context: LayoutContext,
  look: FormulaBlockStyle,
): BoxItem | undefined {
  const source = toPrintableText(formula).trim();
  const read = source ? context.formulas?.(source, look.isDisplayed) : undefined;
  if (!read) return undefined;
  const set = (size: number) => layOutFormula(read, { ...look, size, level: 0, typeset: context.typeset });
  const natural = set(look.size);
  const box = natural.width <= context.width ? natural : set((look.size * context.width) / natural.width);
  return {
    width: box.width,
    height: box.height,
    depth: box.depth,
    draw: (sheet, left, top) => sheet.drawWithText(source, () => box.draw(sheet, left, top + box.height)),
  };
}
