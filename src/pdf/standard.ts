// The printer without options: the standard fonts of PDF readers, in English. It does not need `fontkit`, so applications that
// bundle the API do not need it either.

import type { Printer } from "../content/print-job";
import { EMPTY_CATALOG } from "./fonts/typeset";
import { printPdf } from "./print-pdf";
import { ENGLISH } from "./words";

export const standardPrinter: Printer = {
  print: (job) => printPdf(job, { fonts: EMPTY_CATALOG, words: ENGLISH, language: "en" }),
};
