// octavo/pdf: prints documentation as PDF, on every runtime. It reads nothing but the files that the job's own `file`
// returns, and the fonts of the host.

import type { Printer } from "../content/print-job";
import { type FontRole, type LoadableFont, listLoadableFonts, type PrinterFonts } from "./fonts/sources";
import { EMPTY_CATALOG } from "./fonts/typeset";
import { Printing, printPdf } from "./print-pdf";
import { ENGLISH, type PrinterMessages } from "./words";

export type { PrintedPage, Printer, PrintJob } from "../content/print-job";
export type { FontFile, FontSource, PrinterFonts } from "./fonts/sources";
export type { PrinterMessages } from "./words";

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
  readonly messages?: Partial<PrinterMessages>;
}

/** Creates a printer for PDF files. */
export function pdfPrinter(options: PdfPrinterOptions = {}): Required<Printer> {
  const [language] = Intl.getCanonicalLocales(options.language ?? "en");
  // A font is loaded when the first text needs it.
  const fonts: Record<FontRole, readonly LoadableFont[]> = { ...EMPTY_CATALOG };
  for (const role of Object.keys(fonts) as FontRole[]) fonts[role] = listLoadableFonts(options.fonts ?? {}, role);
  const settings = {
    fonts,
    words: { ...ENGLISH, ...options.messages },
    language: language ?? "en",
  };
  return { print: (job) => printPdf(job, settings), stream: (job) => new Printing(job, settings).run() };
}
