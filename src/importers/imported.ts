// What an import gives: a book, and how much was found for it.

import { type Book, countComputedChapters, removePages, walkPages } from "../content/book/book";
import { MAX_TEXT_LENGTH } from "../content/markdown/limits";
import type { ArchiveLimits } from "./archive/limits";
import { ImportRefused } from "./refused";
import type { SetAside } from "./set-aside";

/** What an import found. */
export interface Imported {
  readonly book: Book;
  /** How many pages and files were found, those that were not taken as well. */
  readonly total: number;
}

/** Where an import comes from. */
export interface Source {
  readonly url: string;
  /** How it is fetched: the caller guards where it may lead. */
  readonly fetch: typeof fetch;
  readonly limits?: ImportLimits;
  /** Puts bytes away that are too much to be held. Default: everything is held. */
  readonly setAside?: SetAside | undefined;
}

/** How much is taken. */
export interface ImportLimits {
  /** The most bytes of what is downloaded. Default: 100 MB. */
  readonly download?: number;
  /** Default: `ARCHIVE_LIMITS`. */
  readonly archive?: ArchiveLimits;
}

/** Counts what a book took and what it left; refuses when there is no page in it. Pages that are too long are left out, and
 * so are those of `tooLong`, whose texts were never written: their paths, and why. */
export function imported(found: Book, tooLong: ReadonlyMap<string, string> = new Map()): Imported {
  const book = bounded(found, tooLong);
  // A draft is a place in the table of contents without a text.
  const drafts = [...walkPages(book.chapters)].filter(({ isDraft }) => isDraft).length;
  const pages = book.texts.size - drafts + countComputedChapters(book.chapters);
  if (pages === 0)
    throw new ImportRefused(`There is no page to import in it.${book.skipped[0] ? ` ${whyNot(book)}` : ""}`);
  return { book, total: pages + book.reusables.size + book.files.size + book.skipped.length };
}

/** A book without texts that are longer than a page may be. Pages below them move up. */
function bounded(book: Book, tooLong: ReadonlyMap<string, string>): Book {
  const reasons = new Map(tooLong);
  for (const [path, { text }] of book.texts)
    if (text.length > MAX_TEXT_LENGTH) reasons.set(path, `It is longer than ${MAX_TEXT_LENGTH} characters.`);
  if (reasons.size === 0) return book;
  const texts = new Map(book.texts);
  for (const path of reasons.keys()) texts.delete(path);
  const skipped = [...book.skipped, ...Array.from(reasons, ([resource, reason]) => ({ resource, reason }))];
  return { ...book, chapters: removePages(book.chapters, new Set(reasons.keys())), texts, skipped };
}

function whyNot({ skipped }: Book): string {
  const { resource, reason } = skipped[0]!;
  return `"${resource}" was not taken: ${reason}`;
}
