// The input of a printer, and the printer itself. These are only types: the core knows that content can be printed, not how.

import type { ContentRef, Document } from "./document";

export interface PrintJob {
  /** The title of the space, the change request or the page. */
  readonly title: string;
  readonly subtitle?: string;
  readonly date: Date;
  /** The pages in reading order. */
  readonly pages: AsyncIterable<PrintedPage> | Iterable<PrintedPage>;
  /** Returns the bytes of a file of the content, or undefined if it does not exist. URLs are never passed: nothing is fetched. */
  readonly file: (id: string) => Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Returns the absolute URL of a reference that leads outside of the printed pages, or undefined if it has none. */
  readonly url: (ref: ContentRef) => string | undefined;
  /** Returns the name of a reference: the title of a page, or the name of a file or a person. Default: its URL, or nothing. */
  readonly name?: (ref: ContentRef) => string | undefined;
}

/** A page of the content, or a group of pages, which has no document. */
export interface PrintedPage {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** The number of pages above it; 0 at the top. */
  readonly depth: number;
  readonly document?: Document;
}

/** Converts content to a file. */
export interface Printer {
  print(job: PrintJob): Promise<Uint8Array>;
  /** Yields the same bytes in chunks while they are made. Default: all bytes are sent when `print` is done. */
  stream?(job: PrintJob): AsyncIterable<Uint8Array>;
}
