// Formulas as boxes that stand on a line. What is copied of one is what was written.

import { setFormula } from "../formulas/layout";
import type { Colour } from "../look";
import { printable } from "../text/clean";
import type { BoxItem } from "../text/items";
import type { Setting } from "./setting";

/** How a formula is set. */
interface FormulaLook {
  readonly size: number;
  readonly colour: Colour;
  readonly isDisplayed: boolean;
}

/** A formula no wider than the setting; undefined when it cannot be read. */
export function formulaBox(formula: string, setting: Setting, look: FormulaLook): BoxItem | undefined {
  const source = printable(formula).trim();
  const read = source ? setting.formulas?.(source, look.isDisplayed) : undefined;
  if (!read) return undefined;
  const set = (size: number) => setFormula(read, { ...look, size, level: 0, typeset: setting.typeset });
  const natural = set(look.size);
  const box = natural.width <= setting.width ? natural : set((look.size * setting.width) / natural.width);
  return {
    width: box.width,
    height: box.height,
    depth: box.depth,
    draw: (sheet, left, top) => sheet.spelled(source, () => box.draw(sheet, left, top + box.height)),
  };
}
