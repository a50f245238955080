// The printer without options: the standard fonts of PDF readers, in English. It needs no package that reads fonts, so
// applications that bundle the API need none either.

import type { Printer } from "../content/print-job";
import { EMPTY_SHELF } from "./fonts/typeset";
import { print } from "./print";
import { ENGLISH } from "./words";

/** A printer that needs nothing. */
export const standardPrinter: Printer = {
  print: (job) => print(job, { shelf: EMPTY_SHELF, words: ENGLISH, language: "en" }),
};
