// A folder in an archive as a book: Markdown and HTML files with the files that they name. A table of contents, or the
// settings of a book, say what belongs to it; without them, everything in the folders does.

import type { Book, SkippedItem } from "../../content/book/book";
import { BookError } from "../../content/book/errors";
import { extractLocalHrefs } from "../../content/book/local-hrefs";
import { getParentFolder, isMarkdown, isUrl, listCandidatePaths, splitHref } from "../../content/book/paths";
import { readBook } from "../../content/book/read-book";
import { decodeUtf8, type FileTree } from "../../content/book/repository-files";
import type { Steps } from "../../content/markdown/steps";
import { composePageSource } from "../../content/page-source";
import { runSteps, yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { omitUndefined } from "../../utils/objects";
import { streamDownload } from "../download";
import { getTooLongReason, ImportError } from "../errors";
import { decodeHtml } from "../html/decode-html";
import { convertHtmlInSteps } from "../html/read-html";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { mapAddresses } from "../markdown/addresses";
import type { ArchiveLimits } from "./limits";
import { PathIndex } from "./path-index";
import { addressFrom, endingOf, stemOf } from "./paths";
import { Pieces } from "./pieces";
import { openZipFile, type ZipFile } from "./zip";

/** Paths that are looked at before others may have their turn. */
const PATHS_A_TURN = 500;

/** Files that say how a book is put together; they are not part of it. */
const SETTINGS =
  /(?:^|\/)(?:summary\.md|\.gitbook\.ya?ml|book\.(?:toml|js|json)|langs\.md|\.gitbook\/(?:vars|tags)\.ya?ml)$/i;

/** Imports an archive from an address. */
export async function importZip({
  url,
  fetch,
  limits = {},
  spillBytes: setAside,
}: DownloadSource): Promise<ImportedBook> {
  const pieces = new Pieces(setAside);
  await streamDownload((bytes) => pieces.add(bytes), { url, fetch, limit: limits.maxBytes });
  return readZip(pieces, limits.archive);
}

/** Reads an archive as a book. */
export async function readZip(pieces: Pieces, limits?: ArchiveLimits): Promise<ImportedBook> {
  const zip = await openZipFile(pieces, limits);
  const folder = await runSteps(Folder.of(zip));
  try {
    const book = await readBook(folder, { runSteps });
    const read = book.skipped.map((skip) => ({ ...skip, reason: folder.tooLong.get(skip.resource) ?? skip.reason }));
    const leftOver = await runSteps(folder.leftOver(read));
    const addresses = await runSteps(folder.addresses(book.texts));
    return createImportedBook({ ...book, websitePaths: addresses, skipped: [...zip.skipped, ...read, ...leftOver] });
  } catch (error) {
    if (error instanceof BookError) throw new ImportError(whyNone(error, zip), { cause: error });
    throw error;
  }
}

function whyNone({ message }: BookError, { skipped: [first] }: ZipFile): string {
  return first ? `${message} "${first.resource}" was not taken: ${first.reason}` : message;
}

/** The folder in an archive that everything is in, with its pages of HTML as Markdown. */
class Folder implements FileTree {
  /** Paths of the archive by those of the folder. */
  readonly #sources = new Map<string, string>();
  readonly #index = new PathIndex();
  /** Paths of pages that are too long, and why. */
  readonly tooLong = new Map<string, string>();
  /** The files that belong to the book, until it is known which were left over. */
  #read: Set<string> | undefined = new Set();

  private constructor(
    readonly zip: ZipFile,
    /** What everything stands in: often the only folder at the top. */
    readonly top: string,
  ) {}

  static *of(zip: ZipFile): Steps<Folder> {
    const { paths } = zip;
    const folder = new Folder(zip, yield* commonFolder(paths));
    const taken = new PathIndex();
    for (const [i, path] of paths.entries()) {
      if (i % PATHS_A_TURN === 0) yield;
      if (endingOf(path) === "md") taken.add(folder.#inside(path));
    }
    for (const [i, source] of paths.entries()) {
      if (i % PATHS_A_TURN === 0) yield;
      const [path, asMarkdown] = [folder.#inside(source), folder.#pathOf(source)];
      if (asMarkdown !== path && taken.find(asMarkdown) !== undefined) continue;
      folder.#sources.set(asMarkdown, source);
      folder.#index.add(asMarkdown);
    }
    return folder;
  }

  /** A path of the archive from the folder. */
  #inside(source: string): string {
    return source.slice(this.top.length);
  }

  /** The path that a file of the archive has here. */
  #pathOf(source: string): string {
    const path = this.#inside(source);
    return /^x?html?$/.test(endingOf(path)) ? withEnding(path, ".md") : path;
  }

  async list() {
    return [...this.#sources.keys()].map((path) => ({ path }));
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    this.#read?.add(path);
    await yieldToEventLoop();
    const source = this.#sources.get(path);
    const bytes = source === undefined ? undefined : await this.zip.read(source);
    if (!bytes || source === undefined || !isMarkdown(path)) return bytes;
    if (!isMarkdown(source)) {
      const text = await runSteps(this.#fromHtml(path, bytes)).catch((error: unknown) => {
        this.tooLong.set(path, getTooLongReason(error));
      });
      return text === undefined ? undefined : new TextEncoder().encode(text);
    }
    const found = decodeUtf8(bytes);
    return "text" in found ? this.#withFoundAddresses(path, found.text, bytes) : bytes;
  }

  /** The addresses that pages of HTML had. */
  *addresses(texts: Book["texts"]): Steps<Map<string, string>> {
    const found = new Map<string, string>();
    let seen = 0;
    for (const path of texts.keys()) {
      if (seen++ % PATHS_A_TURN === 0) yield;
      const source = this.#sources.get(path);
      if (source !== undefined && !isMarkdown(source)) found.set(path, this.#inside(source));
    }
    return found;
  }

  /** Files that nothing names, and why they were left out; `skipped` is already known. What is read from now on was read
   * before. */
  *leftOver(skipped: readonly SkippedItem[]): Steps<SkippedItem[]> {
    const known = new Set(skipped.map(({ resource }) => resource));
    const read = this.#read;
    this.#read = undefined;
    const found: SkippedItem[] = [];
    for (const [i, source] of this.zip.paths.entries()) {
      if (i % PATHS_A_TURN === 0) yield;
      const [resource, path] = [this.#inside(source), this.#pathOf(source)];
      const isHere = this.#sources.get(path) === source;
      if ((isHere && (known.has(path) || read?.has(path))) || SETTINGS.test(resource)) continue;
      found.push({ resource, reason: reasonOf(resource, isHere) });
    }
    return found;
  }

  *#fromHtml(path: string, bytes: Uint8Array): Steps<string> {
    const map = (href: string) => this.#found(path, href) ?? href;
    const { title, description, markdown } = yield* convertHtmlInSteps(decodeHtml(bytes), {
      mapLink: map,
      mapImage: map,
    });
    const fields = { title: title ?? stemOf(path), ...omitUndefined({ description }) };
    return composePageSource(fields, markdown);
  }

  /** A text whose addresses name files by their exact spelling. If they already do, it stays as it is. */
  #withFoundAddresses(path: string, text: string, bytes: Uint8Array): Uint8Array {
    const isSpelled = [...extractLocalHrefs(text)].every((href) => this.#found(path, href) === undefined);
    if (isSpelled) return bytes;
    return new TextEncoder().encode(mapAddresses(text, (href) => this.#found(path, href)));
  }

  /** The address with the exact spelling of its file; undefined when it already has that, or there is no such file. */
  #found(from: string, href: string): string | undefined {
    if (isUrl(href) || href === "" || href.startsWith("#")) return undefined;
    const { path } = splitHref(href);
    const meant = listCandidatePaths(from, path);
    if (meant.some((it) => this.#sources.has(it))) return undefined;
    const fragment = href.includes("#") ? href.slice(href.indexOf("#")) : "";
    const found = meant.map((it) => this.#index.find(it)).find((it) => it !== undefined);
    return found === undefined ? undefined : addressFrom(from, found, fragment);
  }
}

function withEnding(path: string, ending: string): string {
  const folder = getParentFolder(path);
  return `${folder === "" ? "" : `${folder}/`}${stemOf(path)}${ending}`;
}

function reasonOf(path: string, isKnown: boolean): string {
  if (!isKnown) return "There is a Markdown file of the same name.";
  if (/^(?:md|markdown|mdx|x?html?)$/.test(endingOf(path))) return "The table of contents does not list it.";
  return "No page names it.";
}

/** The folders that all paths begin with, with a slash at their end; none where a file stands beside them. */
function* commonFolder(paths: readonly string[]): Steps<string> {
  let common = paths[0] === undefined ? "" : folderWithSlash(paths[0]);
  for (const [i, path] of paths.entries()) {
    if (i % PATHS_A_TURN === 0) yield;
    const folder = folderWithSlash(path);
    while (!folder.startsWith(common)) common = folderWithSlash(common.slice(0, -1));
  }
  return common;
}

/** The folder of a path, with a slash at its end; empty at the top. */
function folderWithSlash(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
