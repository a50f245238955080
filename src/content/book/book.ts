// The model of a book: a tree of pages as files. A book is read from a repository, an archive or a website, and a revision
// is written to a repository as one. Paths lead from the book's root, with `/`. Texts name pages and files by relative
// paths, as in a folder.
//
// The parts of this folder, in reading order:
//
// 1. The model: `book.ts`; `paths.ts` and `language-paths.ts` (what a link of a file may mean); `titles.ts`; `hashes.ts`.
// 2. Reading: `readBook` (`read-book.ts`) lists the usable files of a tree (`repository-files.ts`), detects where the book
//    is and reads its settings (`layout.ts`, `settings.ts`), reads the table of contents (`table-of-contents.ts`, from
//    `summary.ts` or else from `folder-chapters.ts`), and then the texts with every file that they name
//    (`local-hrefs.ts`, `includes.ts`).
// 3. Applying: `applyBook` (`apply-book.ts`) changes a draft of a revision so that it equals a book. It matches the files
//    and pages of the book with those of the revision (`apply-files.ts`, `apply-pages.ts`, `match-pages.ts`), so that
//    they keep their ids. Texts are written last, when everything that they may link to is in place
//    (`apply-context.ts`), then the redirects (`apply-redirects.ts`).
// 4. Adding: `addBook` (`add-book.ts`) appends a book to a revision instead, as an import does. Everything in it is new.
// 5. Writing: `writeBook` (`write-book.ts`) compares a revision (`revision-contents.ts`) with the tree that it is written
//    over (`previous-tree.ts`). It assigns a path to every page (`assign-paths.ts`), writes the table of contents
//    (`write-table-of-contents.ts`, `write-summary.ts`), and then the texts and files that differ
//    (`write-files.ts`, `page-text.ts`). What a file says already stays as it is, byte for byte.
// 6. Recording: once the tree is pushed, `recordWrittenBook` (`record-written.ts`) notes in the revision which object of
//    Git each part is. The next `readBook` takes these from `loadKnownFiles` and reads only what changed.

import type { LanguagesEntry, MdBookEntry, VariableValue } from "../revision/entries";

export const MAX_CHAPTERS = 100_000;

/** A table of contents with the texts and files that belong to it. */
export interface Book {
  readonly chapters: readonly Chapter[];
  /** The Markdown of pages, entire files with their front matter, by path. */
  readonly texts: ReadonlyMap<string, BookText>;
  /** Everything else that texts may name: images, downloads. */
  readonly files: ReadonlyMap<string, BookFile>;
  /** The Git ids of texts that were not read because these objects are already known. Pages and reusable contents, by path. */
  readonly unreadOids?: ReadonlyMap<string, string>;
  /** Texts that other texts include, by path. Their front matter states the title. */
  readonly reusables: ReadonlyMap<string, BookText>;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly redirects: BookRedirects;
  /** The former paths of pages on a website, from its root, by the path of their text. Redirects lead from there. Default: none. */
  readonly websitePaths?: ReadonlyMap<string, string>;
  /** The texts are written for mdBook. Default: they are not. */
  readonly mdBook?: MdBookEntry;
  /** Default: the book has one language. */
  readonly languages?: LanguagesEntry;
  readonly skipped: readonly SkippedItem[];
  /** Parts of pages that were left out as the site around them. Default: none. */
  readonly omittedParts?: readonly OmittedPart[];
}

/** Targets by former path. A target is a URL, or the path of a file from the root, perhaps with an anchor. */
export type BookRedirects = Readonly<Record<string, string>>;

/** An entry of the table of contents. */
export type Chapter = PageChapter | GroupChapter | LinkChapter | ComputedChapter;

export interface PageChapter {
  readonly kind: "page";
  /** The path of its text. */
  readonly path: string;
  /** The title in the table of contents. The title that the text states wins as the title of the page. */
  readonly title?: string;
  /** The page has no text and no file yet. The path is where the file would be. */
  readonly isDraft?: true;
  readonly chapters: readonly Chapter[];
}

/** A heading over pages. Groups exist at the top level only. */
export interface GroupChapter {
  readonly kind: "group";
  readonly title: string;
  readonly slug?: string;
  /** The language of everything in the group. */
  readonly language?: string;
  readonly chapters: readonly Chapter[];
}

/** An entry that leads elsewhere: to a URL, or to a file of the book and perhaps an anchor in it. */
export interface LinkChapter {
  readonly kind: "link";
  readonly title: string;
  readonly href: string;
}

/** Pages that are computed, from an OpenAPI specification for example. */
export interface ComputedChapter {
  readonly kind: "computed";
  readonly title?: string;
  /** The definition, as it was written. */
  readonly yaml: string;
}

/** The text of a page or a reusable content. */
export interface BookText {
  /** Empty if `readText` is given. */
  readonly text: string;
  /** Reads the text when it is needed, because the texts of a large book do not stay in memory. */
  readonly readText?: () => Promise<string>;
  /** The Git id of its bytes. */
  readonly oid?: string;
}

export interface BookFile {
  /** If absent, `readBytes` reads them, or the bytes with this `oid` are already known. */
  readonly bytes?: Uint8Array;
  /** Reads the bytes when they are needed, because the files of a large book do not stay in memory. */
  readonly readBytes?: () => Promise<Uint8Array | undefined>;
  readonly oid?: string;
  /** The type that the sender claimed. The bytes decide. */
  readonly contentType?: string;
  /** Why the file belongs to the book if no link leads to it: a text includes it, or an included file does. */
  readonly includedBy?: "text" | "file";
}

/** A kind of part that was left out of pages, such as `nav.sidebar`. */
export interface OmittedPart {
  readonly part: string;
  /** The number of pages that it was left out of. */
  readonly pages: number;
  /** The number of characters that it showed, on all of these pages. */
  readonly characters: number;
}

/** Something that was found and not taken. The reason is a sentence. */
export interface SkippedItem {
  readonly resource: string;
  readonly reason: string;
}

/** Returns a book of pages and files alone, as every source but a repository has them. */
export function createBook(
  parts: Pick<Book, "chapters" | "texts" | "files" | "skipped" | "omittedParts" | "websitePaths">,
): Book {
  return { reusables: new Map(), variables: {}, redirects: {}, ...parts };
}

export async function readBookText(source: Pick<BookText, "text" | "readText">): Promise<string> {
  return source.readText ? source.readText() : source.text;
}

/** Yields every page among chapters, with those below others, in the order of the table of contents. */
export function* walkPages(chapters: readonly Chapter[]): Generator<PageChapter> {
  for (const chapter of chapters) {
    if (chapter.kind === "page") yield chapter;
    if (chapter.kind === "page" || chapter.kind === "group") yield* walkPages(chapter.chapters);
  }
}

/** Counts the computed chapters, with those below others. */
export function countComputedChapters(chapters: readonly Chapter[]): number {
  let count = 0;
  for (const chapter of chapters) {
    if (chapter.kind === "computed") count++;
    else if (chapter.kind !== "link") count += countComputedChapters(chapter.chapters);
  }
  return count;
}

/** Returns chapters without the pages at some paths. The chapters below a removed page move up. */
export function removePages(chapters: readonly Chapter[], paths: ReadonlySet<string>): Chapter[] {
  return chapters.flatMap((chapter): Chapter[] => {
    if (chapter.kind === "link" || chapter.kind === "computed") return [chapter];
    const inside = removePages(chapter.chapters, paths);
    if (chapter.kind === "page" && paths.has(chapter.path)) return inside;
    return [{ ...chapter, chapters: inside }];
  });
}
