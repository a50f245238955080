// octavo/pdf: prints documentation as PDF, on every runtime. It reads nothing but the files that the job's own `file`
// returns, and the fonts of the host.

import type { Printer } from "../content/print-job";
import { createFontCatalog } from "./fonts/font-catalog";
import type { PrinterFonts } from "./fonts/sources";
import { printPdf, streamPdf } from "./print-pdf";
import { ENGLISH, type PrinterWords } from "./words";

export type { PrintedPage, Printer, PrintJob } from "../content/print-job";
export type { FontFile, FontSource, PrinterFonts } from "./fonts/sources";
export type { PrinterWords } from "./words";

/** The options of a printer. */
export interface PdfPrinterOptions {
  /**
   * The fonts of the text; they require the package `fontkit`. Default: the standard fonts of PDF readers, which have Latin
   * letters and some symbols. Letters that no font has are printed without their marks (`ő` as `o`), arrows and frames as
   * ASCII, and all others as empty boxes, with a note at the end. The file states the character of each box, though not
   * every reader uses that.
   */
  readonly fonts?: PrinterFonts;
  /** The language of the documents and of dates, as in HTML. Default: "en". */
  readonly language?: string;
  /** The texts that the printer itself writes. Default: in English. */
  readonly words?: Partial<PrinterWords>;
}

/** Creates a printer for PDF files. */
export function pdfPrinter(options: PdfPrinterOptions = {}): Required<Printer> {
  const [language] = Intl.getCanonicalLocales(options.language ?? "en");
  const tools = {
    fonts: createFontCatalog(options.fonts ?? {}),
    words: { ...ENGLISH, ...options.words },
    language: language ?? "en",
  };
  return { print: (job) => printPdf(job, tools), stream: (job) => streamPdf(job, tools) };
}
