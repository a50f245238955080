// The printer for those who chose none: the standard fonts of PDF readers, in English. It knows of no package that reads
// fonts, so that whoever bundles the API need not have one.

import type { Printer } from "../content/print";
import { EMPTY_SHELF } from "./fonts/typeset";
import { print } from "./print";
import { ENGLISH } from "./words";

/** A printer that needs nothing. */
export const standardPrinter: Printer = {
  print: (job) => print(job, { shelf: EMPTY_SHELF, words: ENGLISH, language: "en" }),
};
