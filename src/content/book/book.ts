// A book: a tree of pages over files, as it comes out of a repository, an archive or a website, and as it is written into a
// repository. Paths lead from the book's root, with `/`; texts name pages and files by them, relatively, as in a folder.

import type { LanguagesEntry, MdBookEntry, VariableValue } from "../revision/entries";

/** The most chapters of a book. */
export const MAX_CHAPTERS = 100_000;

/** What a book is made of. */
export interface Book {
  readonly chapters: readonly Chapter[];
  /** The Markdown of pages, whole files with their front matter, by path. */
  readonly texts: ReadonlyMap<string, BookText>;
  /** Everything else that texts may name: images, downloads. */
  readonly files: ReadonlyMap<string, BookFile>;
  /** Pages and reusable contents whose texts were not read, because the object with this `oid` is already known. */
  readonly unread?: ReadonlyMap<string, string>;
  /** Texts that other texts include, by path; the title is in their front matter. */
  readonly reusable: ReadonlyMap<string, BookText>;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly redirects: Redirects;
  /** Paths that pages had on a website, from its root, by the paths of their texts: they lead to the pages. Default: none. */
  readonly addresses?: ReadonlyMap<string, string>;
  /** Its texts are those of mdBook. Default: they are not. */
  readonly mdBook?: MdBookEntry;
  /** Default: it has one language. */
  readonly languages?: LanguagesEntry;
  /** What was found and not taken. */
  readonly skipped: readonly Skipped[];
  /** Parts of pages that were left out as the site around them. Default: none. */
  readonly leftOut?: readonly LeftOut[];
}

/** Targets by old path. A target is a URL, or the path of a file from the root, perhaps with an anchor. */
export type Redirects = Readonly<Record<string, string>>;

/** A book of pages and files alone, as everything is that no repository wrote. */
export function plainBook(
  found: Pick<Book, "chapters" | "texts" | "files" | "skipped" | "leftOut" | "addresses">,
): Book {
  return { reusable: new Map(), variables: {}, redirects: {}, ...found };
}

/** A place in the table of contents. */
export type Chapter = PageChapter | GroupChapter | LinkChapter | ComputedChapter;

/** A page with a text of its own. */
export interface PageChapter {
  readonly kind: "page";
  /** Names its text. */
  readonly path: string;
  /** What the table of contents calls it; the text's own title wins as the page's title. */
  readonly title?: string;
  /** It has no text and no file yet; the path is where the file would be. */
  readonly draft?: true;
  readonly chapters: readonly Chapter[];
}

/** A heading over pages, at the top alone. */
export interface GroupChapter {
  readonly kind: "group";
  readonly title: string;
  readonly slug?: string;
  /** The language that all of it is written in. */
  readonly language?: string;
  readonly chapters: readonly Chapter[];
}

/** A place that leads elsewhere: to a URL, or to a file of the book and an anchor in it. */
export interface LinkChapter {
  readonly kind: "link";
  readonly title: string;
  readonly href: string;
}

/** Pages that are computed, from an OpenAPI specification for example; the block of YAML as it stands. */
export interface ComputedChapter {
  readonly kind: "computed";
  readonly title?: string;
  readonly yaml: string;
}

export interface BookText {
  /** Empty where `later` reads it. */
  readonly text: string;
  /** The texts of a large book are not all held: these are read when they are needed. */
  readonly later?: () => Promise<string>;
  /** The name that Git has for these bytes. */
  readonly oid?: string;
}

/** The text of a page. */
export async function textOf(given: Pick<BookText, "text" | "later">): Promise<string> {
  return given.later ? given.later() : given.text;
}

/** The bytes of a file; undefined where they are neither given nor there. */
export async function bytesOf(given: BookFile): Promise<Uint8Array | undefined> {
  return given.bytes ?? given.later?.();
}

export interface BookFile {
  /** Undefined: `later` reads them, or those with this `oid` are known already. */
  readonly bytes?: Uint8Array;
  /** The files of a large book are not all held: these are read when they are needed. */
  readonly later?: () => Promise<Uint8Array | undefined>;
  readonly oid?: string;
  /** What its sender said; the bytes decide. */
  readonly contentType?: string;
  /** Why it is here if no link leads to it: a text includes it, or a file that is included does. */
  readonly includedBy?: "text" | "file";
}

/** A kind of part that was left out of pages, such as `nav.sidebar`. */
export interface LeftOut {
  readonly part: string;
  /** The pages that it was left out of. */
  readonly pages: number;
  /** How many characters it showed, in all of them. */
  readonly characters: number;
}

/** Something that was found and not taken, and why, in a sentence. */
export interface Skipped {
  readonly resource: string;
  readonly reason: string;
}
