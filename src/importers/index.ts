// The entry of the importers: reads any source, from a URL or a text, as a book, within the limits of the host.

import { type Book, createBook, removePages, walkPages } from "../content/book/book";
import type { FileTree } from "../content/book/repository-files";
import { composePageSource } from "../content/page-source";
import { type GitAuth, type GitClient, GitError, splitCredentials } from "../git/port";
import { runSteps } from "../utils/concurrency/event-loop";
import { omitUndefined } from "../utils/objects";
import { importZip } from "./archive/import-zip";
import { DEFAULT_ARCHIVE_LIMITS } from "./archive/limits";
import { importConfluence } from "./confluence/import-confluence";
import { importDocx } from "./docx/import-docx";
import { describeLimitOption, ImportError } from "./errors";
import { importGithubWiki } from "./github-wiki/import-github-wiki";
import { importGoogleDocs } from "./google-docs/import-google-docs";
import { importHtml } from "./html/import-html";
import { convertHtmlInSteps } from "./html/read-html";
import { createImportedBook, type DownloadSource, type ImportedBook, type SpillBytes } from "./imported-book";
import { importMarkdown } from "./markdown/import-markdown";
import { importNotion } from "./notion/import-notion";
import { importWebsite } from "./website/import-website";
import type { WebSource } from "./website/web-client";

export type { ImportedBook } from "./imported-book";

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

export type ImportRequest = { readonly source: ImportSource; readonly url: string } | TextImport;

export interface TextImport {
  readonly source: "markdown" | "html";
  readonly text: string;
}

/** The tools and the limits of an import. */
export interface ImportContext {
  readonly fetch: typeof fetch;
  /** Returns the Git client, for wikis. */
  readonly getGitClient: () => Promise<GitClient>;
  readonly maxPages: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Stores bytes outside of memory until the book is added. */
  readonly spillBytes?: SpillBytes | undefined;
  /** Receives the number of pages that were read, and of those that are known so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

type Importer = (url: string, context: ImportContext) => Promise<ImportedBook>;

/** The path of the page that a text becomes. */
const TEXT_PATH = "text.md";
const WIKI_BRANCHES = ["refs/heads/master", "refs/heads/main"] as const;
/** The fewest URLs that a crawl remembers. */
const MIN_CRAWL_URLS = 20_000;

const importers: { readonly [source in ImportSource]: Importer } = {
  website: createWebImporter(importWebsite),
  html: createWebImporter(importHtml),
  "google-docs": createWebImporter(importGoogleDocs),
  markdown: createFileImporter(importMarkdown),
  docx: createFileImporter(importDocx),
  zip: createFileImporter(importZip),
  confluence: createFileImporter(importConfluence),
  notion: createFileImporter(importNotion),
  "github-wiki": async (wikiUrl, context) => {
    const { fetch, signal, maxFiles, maxBytes } = context;
    const { readRemote } = await context.getGitClient();
    const readBranch = async (url: string, ref: string, auth: GitAuth | undefined) => {
      const limits = { maxBytes, maxUnpackedBytes: maxBytes, maxFiles };
      const { files, read } = await readRemote({ fetch, signal, url, ref, auth, limits });
      return { list: async () => files, read };
    };
    try {
      const { url, auth } = splitCredentials(wikiUrl);
      const readTree = (treeUrl: string): Promise<FileTree> =>
        readBranch(treeUrl, WIKI_BRANCHES[0], auth).catch((error) => {
          if (!(error instanceof GitError) || error.reason !== "ref_not_found") throw error;
          return readBranch(treeUrl, WIKI_BRANCHES[1], auth);
        });
      return await importGithubWiki({ url, readTree });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const tooLarge = `The wiki has more than ${maxFiles} files or ${maxBytes} bytes.`;
      const options = `${describeLimitOption("maxFiles")} ${describeLimitOption("maxBytes")}`;
      const message = error.reason === "too_large" ? `${tooLarge} ${options}` : error.message;
      throw new ImportError(message, { cause: error });
    }
  },
};

/** Reads a text, or a source at a URL, as a book. Throws `ImportError` if nothing can be imported. */
export async function importBook(request: ImportRequest, context: ImportContext): Promise<ImportedBook> {
  if ("text" in request) {
    // A text becomes a book of one page. There is nothing else in the book, so links to other pages stay as they are.
    const { source, text } = request;
    const { title, markdown } =
      source === "html" ? await runSteps(convertHtmlInSteps(text)) : { title: undefined, markdown: text };
    const page = title === undefined ? markdown : composePageSource({ title }, markdown);
    if (page.trim() === "") throw new ImportError("No content was found in the text.");
    const texts = new Map([[TEXT_PATH, { text: page }]]);
    const chapters = [{ kind: "page" as const, path: TEXT_PATH, chapters: [] }];
    return createImportedBook(createBook({ chapters, texts, files: new Map(), skipped: [] }));
  }
  const { book, foundCount } = await importers[request.source](request.url, context);

  // The first pages are taken, up to the limit. Pages below one that is left out move up.
  const { maxPages } = context;
  const leftOut = new Set<string>();
  let pageCount = 0;
  for (const { path } of walkPages(book.chapters)) if (++pageCount > maxPages) leftOut.add(path);
  if (leftOut.size === 0) return { book, foundCount };
  const reason = `An import can have at most ${maxPages} pages. ${describeLimitOption("maxPages")}`;
  const texts = new Map([...book.texts].filter(([path]) => !leftOut.has(path)));
  const skipped: Book["skipped"] = [...book.skipped, ...Array.from(leftOut, (resource) => ({ resource, reason }))];
  return { book: { ...book, chapters: removePages(book.chapters, leftOut), texts, skipped }, foundCount };
}

/** Creates an importer of a source that is read page by page. When the time is over, the pages so far are the book. */
function createWebImporter(run: (source: WebSource) => Promise<ImportedBook>): Importer {
  return (url, { fetch, maxPages, maxFiles, maxBytes, timeoutMs, spillBytes, onProgress }) => {
    const maxUrls = Math.max(MIN_CRAWL_URLS, 4 * maxPages);
    const limits = { maxPages, maxUrls, maxFiles, maxBytes, timeoutMs };
    return run({ url, fetch, limits, spillBytes, ...omitUndefined({ onProgress }) });
  };
}

function createFileImporter(run: (source: DownloadSource) => Promise<ImportedBook>): Importer {
  return (url, { fetch, maxFiles, maxBytes, signal, spillBytes }) =>
    run({
      url,
      spillBytes,
      fetch: (input, init) => fetch(input, { ...init, signal }),
      limits: { maxBytes, archive: { ...DEFAULT_ARCHIVE_LIMITS, maxEntries: maxFiles, maxBytes } },
    });
}
