// The fonts that a host gave, ready for every printing.

import { type FontRole, loadableFonts, type PrinterFonts } from "./sources";
import { EMPTY_SHELF, type FontShelf } from "./typeset";

/** Puts fonts onto a shelf, from which printings take what they need. */
export function fontShelf(fonts: PrinterFonts): FontShelf {
  const roles = Object.keys(EMPTY_SHELF) as FontRole[];
  return Object.fromEntries(roles.map((role) => [role, loadableFonts(fonts, role)])) as unknown as FontShelf;
}
