// The fonts of the host.

import { type FontRole, listLoadableFonts, type PrinterFonts } from "./sources";
import { EMPTY_CATALOG, type FontCatalog } from "./typeset";

/** Creates the catalog of the host's fonts. Each font is loaded when a text needs it. */
export function createFontCatalog(fonts: PrinterFonts): FontCatalog {
  const roles = Object.keys(EMPTY_CATALOG) as FontRole[];
  return Object.fromEntries(roles.map((role) => [role, listLoadableFonts(fonts, role)])) as unknown as FontCatalog;
}
