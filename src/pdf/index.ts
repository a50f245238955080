// octavo/pdf: prints documentation as PDF, on every runtime. Nothing is fetched but what the job's own `file` gives and the
// fonts that the host gave.

import type { Printer } from "../content/print-job";
import { fontShelf } from "./fonts/shelf";
import type { PrinterFonts } from "./fonts/sources";
import { print, printedPieces } from "./print";
import { ENGLISH, type PrinterWords } from "./words";

export type { PrintedPage, Printer, PrintJob } from "../content/print-job";
export type { FontFile, FontSource, PrinterFonts } from "./fonts/sources";
export type { PrinterWords } from "./words";

/** How documents are printed. */
export interface PdfPrinterOptions {
  /**
   * The fonts that text is set in; they need the package `fontkit`. Left out: the standard fonts of PDF readers, which have
   * Latin letters and some signs. Letters that no font has are printed without their marks (`ő` as `o`), arrows and frames as
   * ASCII, and all others as empty boxes, with a note at the end. The file says which character a box stands for; not every
   * reader looks.
   */
  readonly fonts?: PrinterFonts;
  /** The language of the documents and of dates, as in HTML. Left out: "en". */
  readonly language?: string;
  /** The words that the printer itself writes. Left out: in English. */
  readonly words?: Partial<PrinterWords>;
}

/** A printer that makes PDF files. */
export function pdfPrinter(options: PdfPrinterOptions = {}): Required<Printer> {
  const [language] = Intl.getCanonicalLocales(options.language ?? "en");
  const tools = {
    shelf: fontShelf(options.fonts ?? {}),
    words: { ...ENGLISH, ...options.words },
    language: language ?? "en",
  };
  return { print: (job) => print(job, tools), stream: (job) => printedPieces(job, tools) };
}
