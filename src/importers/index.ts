// Every source of an import, behind one call: from an address to a book, within the limits of the host.

import { type Book, createBook, removePages, walkPages } from "../content/book/book";
import type { FileTree } from "../content/book/repository-files";
import { composePageSource } from "../content/page-source";
import { type GitAuth, type GitClient, GitError, splitCredentials } from "../git/port";
import { runSteps } from "../utils/concurrency/event-loop";
import { omitUndefined } from "../utils/objects";
import { importZip } from "./archive/import";
import { ARCHIVE_LIMITS } from "./archive/limits";
import { importConfluence } from "./confluence/import";
import { importDocx } from "./docx/import";
import { importGithubWiki } from "./github-wiki/import";
import { importGoogleDocs } from "./google-docs";
import { markdownInSteps } from "./html";
import { importHtml } from "./html/page";
import { type Imported, imported, type Source } from "./imported";
import { importMarkdown } from "./markdown/import";
import { importNotion } from "./notion/import";
import { howToRaise, ImportRefused } from "./refused";
import type { SetAside } from "./set-aside";
import { crawlWebsite, type WebSource } from "./website";

/** What can be imported. */
export type ImportSource =
  | "website"
  | "docx"
  | "markdown"
  | "html"
  | "zip"
  | "confluence"
  | "github-wiki"
  | "notion"
  | "google-docs";

/** An import as it is asked for: from an address, or of a text that is given. */
export type Wanted = { readonly source: ImportSource; readonly url: string } | GivenText;

/** A text that is imported as it is. */
export interface GivenText {
  readonly source: "markdown" | "html";
  readonly text: string;
}

/** The way there, and how far it may go. */
export interface Way {
  readonly fetch: typeof fetch;
  /** The Git client, for wikis. */
  readonly git: () => Promise<GitClient>;
  readonly maxPages: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  /** Puts bytes away until the book is laid. */
  readonly setAside?: SetAside | undefined;
  /** Hears how many pages were read, of those that are known so far. */
  readonly told?: ((done: number, total: number) => void) | undefined;
}

/** Reads a text, or what is at an address, as a book. Throws `ImportRefused` when nothing of it can be imported. */
export async function importFrom(wanted: Wanted, way: Way): Promise<Imported> {
  if ("text" in wanted) return importText(wanted);
  return withinPages(await importers[wanted.source](wanted.url, way), way.maxPages);
}

/** The path of the page that a text becomes. */
const GIVEN = "text.md";

/** A text as a book of one page. There is nothing beside it, so addresses of others stay as they are. */
async function importText({ source, text }: GivenText): Promise<Imported> {
  const isHtml = source === "html";
  const { title, markdown } = isHtml ? await runSteps(markdownInSteps(text)) : { title: undefined, markdown: text };
  const page = title === undefined ? markdown : composePageSource({ title }, markdown);
  if (page.trim() === "") throw new ImportRefused("No content was found in the text.");
  const texts = new Map([[GIVEN, { text: page }]]);
  const chapters = [{ kind: "page" as const, path: GIVEN, chapters: [] }];
  return imported(createBook({ chapters, texts, files: new Map(), skipped: [] }));
}

type Importer = (url: string, way: Way) => Promise<Imported>;

const importers: { readonly [source in ImportSource]: Importer } = {
  website: fromWeb(crawlWebsite),
  html: fromWeb(importHtml),
  "google-docs": fromWeb(importGoogleDocs),
  markdown: fromFile(importMarkdown),
  docx: fromFile(importDocx),
  zip: fromFile(importZip),
  confluence: fromFile(importConfluence),
  notion: fromFile(importNotion),
  "github-wiki": wiki,
};

/** Sources that are read piece by piece: when the time is over, the pieces so far are the book. */
function fromWeb(run: (source: WebSource) => Promise<Imported>): Importer {
  return (url, { fetch, maxPages, maxFiles, maxBytes, milliseconds, setAside, told }) => {
    const addresses = Math.max(20_000, 4 * maxPages);
    const limits = { pages: maxPages, addresses, files: maxFiles, bytes: maxBytes, milliseconds };
    return run({ url, fetch, limits, setAside, ...omitUndefined({ told }) });
  };
}

/** Sources that are one download, or begin with one. */
function fromFile(run: (source: Source) => Promise<Imported>): Importer {
  return (url, { fetch, maxFiles, maxBytes, signal, setAside }) =>
    run({
      url,
      setAside,
      fetch: (input, init) => fetch(input, { ...init, signal }),
      limits: { download: maxBytes, archive: { ...ARCHIVE_LIMITS, entries: maxFiles, bytes: maxBytes } },
    });
}

/** The branches that wikis have. */
const BRANCHES = ["refs/heads/master", "refs/heads/main"] as const;

async function wiki(address: string, way: Way): Promise<Imported> {
  const { fetch, signal, maxFiles, maxBytes } = way;
  const { readRemote } = await way.git();
  const readBranch = async (url: string, ref: string, auth: GitAuth | undefined) => {
    const limits = { maxBytes, maxUnpackedBytes: maxBytes, maxFiles };
    const { files, read } = await readRemote({ fetch, signal, url, ref, auth, limits });
    return { list: async () => files, read };
  };
  try {
    const { url: plain, auth } = splitCredentials(address);
    const readTree = (url: string): Promise<FileTree> =>
      readBranch(url, BRANCHES[0], auth).catch((error) => {
        if (error instanceof GitError && error.reason === "ref_not_found") return readBranch(url, BRANCHES[1], auth);
        throw error;
      });
    return await importGithubWiki({ url: plain, readTree });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const isTooLarge = error.reason === "too_large";
    const why = `The wiki has more than ${maxFiles} files or ${maxBytes} bytes.`;
    const sentence = `${why} ${howToRaise("maxFiles")} ${howToRaise("maxBytes")}`;
    throw new ImportRefused(isTooLarge ? sentence : error.message, { cause: error });
  }
}

/** The first pages of a book, as many as there may be; what is below another one moves up. */
function withinPages({ book, total }: Imported, maxPages: number): Imported {
  const lost = new Set<string>();
  let kept = 0;
  for (const { path } of walkPages(book.chapters)) if (++kept > maxPages) lost.add(path);
  if (lost.size === 0) return { book, total };
  const reason = `An import takes ${maxPages} pages at the most. ${howToRaise("maxPages")}`;
  const texts = new Map([...book.texts].filter(([path]) => !lost.has(path)));
  const skipped: Book["skipped"] = [...book.skipped, ...Array.from(lost, (resource) => ({ resource, reason }))];
  return { book: { ...book, chapters: removePages(book.chapters, lost), texts, skipped }, total };
}
