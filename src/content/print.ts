// What a printer is given and what it gives back. Only types: the core knows that content can be printed, not how.

import type { Document, Ref } from "./document";

/** What is printed. */
export interface PrintJob {
  /** Of the space, the change request or the page. */
  readonly title: string;
  readonly subtitle?: string;
  readonly date: Date;
  /** In reading order. */
  readonly pages: AsyncIterable<PrintedPage> | Iterable<PrintedPage>;
  /** The bytes of a file of the content; undefined when there is none. Never asked for an address: nothing is fetched. */
  readonly file: (id: string) => Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Where a reference leads outside of what is printed: an absolute URL, or undefined. */
  readonly url: (ref: Ref) => string | undefined;
  /** What a reference is called: a page's title, a file's name, a person's. Left out: its URL, or nothing. */
  readonly name?: (ref: Ref) => string | undefined;
}

/** A page of the content, or a group of pages, which has no document. */
export interface PrintedPage {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** 0 is the top. */
  readonly depth: number;
  readonly document?: Document;
}

/** Makes a file out of content. */
export interface Printer {
  print(job: PrintJob): Promise<Uint8Array>;
  /** The same bytes in pieces, while they are made. Default: they are sent when all are there. */
  stream?(job: PrintJob): AsyncIterable<Uint8Array>;
}
