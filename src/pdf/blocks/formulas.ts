// Formulas as boxes on a line. Copying one yields its source.

import { layOutFormula } from "../formulas/layout";
import { type BoxItem, toPrintableText } from "../text/runs";
import type { PdfColor } from "../theme";
import type { LayoutContext } from "./layout-context";

interface FormulaBlockStyle {
  readonly size: number;
  readonly color: PdfColor;
  readonly isDisplayed: boolean;
}

/** Creates a box for a formula, no wider than the text. Returns undefined if the formula cannot be parsed. */
export function createFormulaBox(
  formula: string,
  context: LayoutContext,
  style: FormulaBlockStyle,
): BoxItem | undefined {
  const source = toPrintableText(formula).trim();
  const node = source ? context.formulas?.(source, style.isDisplayed) : undefined;
  if (!node) return undefined;
  const layOutInSize = (size: number) => layOutFormula(node, { ...style, size, level: 0, typeset: context.typeset });
  const natural = layOutInSize(style.size);
  const box = natural.width <= context.width ? natural : layOutInSize((style.size * context.width) / natural.width);
  return {
    width: box.width,
    height: box.height,
    depth: box.depth,
    draw: (sheet, left, top) => sheet.drawWithText(source, () => box.draw(sheet, left, top + box.height)),
  };
}
