// The result of an import: a book, and the number of things that were found for it.

import { type Book, countComputedChapters, removePages, walkPages } from "../content/book/book";
import { MAX_TEXT_LENGTH } from "../content/markdown/limits";
import type { ArchiveLimits } from "./archive/limits";
import { ImportError } from "./errors";

export interface ImportedBook {
  readonly book: Book;
  /** The number of pages and files that were found, including those that were not taken. */
  readonly foundCount: number;
}

export interface DownloadSource {
  readonly url: string;
  /** Makes requests. The caller guards where they may lead. */
  readonly fetch: typeof fetch;
  readonly limits?: DownloadLimits;
  /** Stores bytes that are too large for memory. Default: everything stays in memory. */
  readonly spillBytes?: SpillBytes | undefined;
}

export interface DownloadLimits {
  /** The most bytes that are downloaded. Default: 100 MB. */
  readonly maxBytes?: number;
  /** Default: `DEFAULT_ARCHIVE_LIMITS`. */
  readonly archive?: ArchiveLimits;
}

/** Stores bytes outside of memory, and returns a function that reads them again. */
export type SpillBytes = (bytes: Uint8Array) => Promise<() => Promise<Uint8Array>>;

/**
 * Counts what a book has and what was left out. Pages that are too long are left out, and so are those of `tooLong`, whose texts
 * were never written, by path with the reason. Pages below them move up. Throws `ImportError` if there is no page.
 */
export function createImportedBook(found: Book, tooLong: ReadonlyMap<string, string> = new Map()): ImportedBook {
  const reasons = new Map(tooLong);
  for (const [path, { text }] of found.texts)
    if (text.length > MAX_TEXT_LENGTH) reasons.set(path, `It is longer than ${MAX_TEXT_LENGTH} characters.`);
  let book = found;
  if (reasons.size > 0) {
    const texts = new Map(found.texts);
    for (const path of reasons.keys()) texts.delete(path);
    const skipped = [...found.skipped, ...Array.from(reasons, ([resource, reason]) => ({ resource, reason }))];
    book = { ...found, chapters: removePages(found.chapters, new Set(reasons.keys())), texts, skipped };
  }

  // A draft is a place in the table of contents without a text.
  const draftCount = [...walkPages(book.chapters)].filter(({ isDraft }) => isDraft).length;
  const pageCount = book.texts.size - draftCount + countComputedChapters(book.chapters);
  if (pageCount === 0) {
    const [first] = book.skipped;
    const why = first ? ` "${first.resource}" was not taken: ${first.reason}` : "";
    throw new ImportError(`It contains no page to import.${why}`);
  }
  return { book, foundCount: pageCount + book.reusables.size + book.files.size + book.skipped.length };
}
