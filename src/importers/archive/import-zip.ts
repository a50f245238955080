// Imports a folder in an archive as a book: Markdown and HTML files with the files that they name. A table of contents, or the
// settings of a book, state its pages; without them, all pages in the folders belong to it.

import type { Book, SkippedItem } from "../../content/book/book";
import { BookError } from "../../content/book/errors";
import { extractLocalHrefs } from "../../content/book/local-hrefs";
import { getParentFolder, isMarkdown, isUrl, listCandidatePaths, splitHref } from "../../content/book/paths";
import { readBook } from "../../content/book/read-book";
import { decodeUtf8, type FileTree } from "../../content/book/repository-files";
import { composePageSource } from "../../content/page-source";
import { runSteps, yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { streamDownload } from "../download";
import { getTooLongReason, ImportError } from "../errors";
import { decodeHtml } from "../html/decode-html";
import { convertHtmlInSteps } from "../html/read-html";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { mapUrls } from "../markdown/map-urls";
import { ChunkedFile } from "./chunked-file";
import type { ArchiveLimits } from "./limits";
import { formatRelativeHref, getExtension, getStem, PathIndex } from "./paths";
import { openZipFile, type ZipFile } from "./zip";

/** The number of paths between two yields to the event loop. */
const PATHS_PER_YIELD = 500;

/** Files with the settings of a book. They are not part of its content. */
const SETTINGS_FILE =
  /(?:^|\/)(?:summary\.md|\.gitbook\.ya?ml|book\.(?:toml|js|json)|langs\.md|\.gitbook\/(?:vars|tags)\.ya?ml)$/i;

export async function importZip({ url, fetch, limits = {}, spillBytes }: DownloadSource): Promise<ImportedBook> {
  const file = new ChunkedFile(spillBytes);
  await streamDownload((bytes) => file.add(bytes), { url, fetch, limit: limits.maxBytes });
  return readZip(file, limits.archive);
}

export async function readZip(file: ChunkedFile, limits?: ArchiveLimits): Promise<ImportedBook> {
  const zip = await openZipFile(file, limits);
  const folder = await runSteps(ZipFolder.loadInSteps(zip));
  try {
    const book = await readBook(folder, { runSteps });
    const skipped = book.skipped.map((item) => ({ ...item, reason: folder.tooLong.get(item.resource) ?? item.reason }));
    const unused = await runSteps(folder.listUnusedInSteps(skipped));
    const websitePaths = folder.listWebsitePaths(book.texts);
    return createImportedBook({ ...book, websitePaths, skipped: [...zip.skipped, ...skipped, ...unused] });
  } catch (error) {
    if (!(error instanceof BookError)) throw error;
    const [first] = zip.skipped;
    const why = first ? ` "${first.resource}" was not taken: ${first.reason}` : "";
    throw new ImportError(error.message + why, { cause: error });
  }
}

/** The folder in an archive that everything is in, with its HTML pages as Markdown. */
class ZipFolder implements FileTree {
  /** Pages that are too long, by path with the reason. */
  readonly tooLong = new Map<string, string>();
  /** Paths of the archive by those of the folder. */
  readonly #sources = new Map<string, string>();
  readonly #index = new PathIndex();
  /** The files that were read, until it is known which are unused. */
  #readPaths: Set<string> | undefined = new Set();

  private constructor(
    readonly zip: ZipFile,
    /** The folder that everything is in: often the only one at the top. */
    readonly prefix: string,
  ) {}

  static *loadInSteps(zip: ZipFile): Steps<ZipFolder> {
    const { paths } = zip;
    // All paths begin with the prefix, which has a slash at its end.
    const getFolder = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
    let prefix = getFolder(paths[0] ?? "");
    for (const [i, path] of paths.entries()) {
      if (i % PATHS_PER_YIELD === 0) yield;
      const folder = getFolder(path);
      while (!folder.startsWith(prefix)) prefix = getFolder(prefix.slice(0, -1));
    }

    const folder = new ZipFolder(zip, prefix);
    const markdownPaths = new PathIndex();
    for (const [i, path] of paths.entries()) {
      if (i % PATHS_PER_YIELD === 0) yield;
      if (getExtension(path) === "md") markdownPaths.add(folder.#removePrefix(path));
    }
    for (const [i, source] of paths.entries()) {
      if (i % PATHS_PER_YIELD === 0) yield;
      const [original, path] = [folder.#removePrefix(source), folder.#getPath(source)];
      if (path !== original && markdownPaths.find(path) !== undefined) continue;
      folder.#sources.set(path, source);
      folder.#index.add(path);
    }
    return folder;
  }

  #removePrefix(source: string): string {
    return source.slice(this.prefix.length);
  }

  #getPath(source: string): string {
    const path = this.#removePrefix(source);
    if (!/^x?html?$/.test(getExtension(path))) return path;
    const folder = getParentFolder(path);
    return `${folder === "" ? "" : `${folder}/`}${getStem(path)}.md`;
  }

  async list() {
    return [...this.#sources.keys()].map((path) => ({ path }));
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    this.#readPaths?.add(path);
    await yieldToEventLoop();
    const source = this.#sources.get(path);
    const bytes = source === undefined ? undefined : await this.zip.read(source);
    if (!bytes || source === undefined || !isMarkdown(path)) return bytes;

    if (!isMarkdown(source)) {
      const text = await runSteps(this.#convertHtml(path, bytes)).catch((error: unknown) => {
        this.tooLong.set(path, getTooLongReason(error));
      });
      return text === undefined ? undefined : new TextEncoder().encode(text);
    }

    // Links get the exact spelling of the paths of their files. A text that has it already stays as it is.
    const file = decodeUtf8(bytes);
    if (!("text" in file)) return bytes;
    const { text } = file;
    if ([...extractLocalHrefs(text)].every((href) => this.#correctHref(path, href) === undefined)) return bytes;
    return new TextEncoder().encode(mapUrls(text, (href) => this.#correctHref(path, href)));
  }

  /** Lists the paths that HTML pages had on a website, by the path of their text. */
  listWebsitePaths(texts: Book["texts"]): Map<string, string> {
    const websitePaths = new Map<string, string>();
    for (const path of texts.keys()) {
      const source = this.#sources.get(path);
      if (source !== undefined && !isMarkdown(source)) websitePaths.set(path, this.#removePrefix(source));
    }
    return websitePaths;
  }

  /** Lists the files that nothing names, with the reasons. `skipped` is reported already. Files are no longer recorded then. */
  *listUnusedInSteps(skipped: readonly SkippedItem[]): Steps<SkippedItem[]> {
    const reported = new Set(skipped.map(({ resource }) => resource));
    const readPaths = this.#readPaths;
    this.#readPaths = undefined;
    const unused: SkippedItem[] = [];
    for (const [i, source] of this.zip.paths.entries()) {
      if (i % PATHS_PER_YIELD === 0) yield;
      const [resource, path] = [this.#removePrefix(source), this.#getPath(source)];
      const isInFolder = this.#sources.get(path) === source;
      if ((isInFolder && (reported.has(path) || readPaths?.has(path))) || SETTINGS_FILE.test(resource)) continue;
      let reason = "No page refers to it.";
      if (!isInFolder) reason = "There is a Markdown file of the same name.";
      else if (/^(?:md|markdown|mdx|x?html?)$/.test(getExtension(resource)))
        reason = "The table of contents does not list it.";
      unused.push({ resource, reason });
    }
    return unused;
  }

  *#convertHtml(path: string, bytes: Uint8Array): Steps<string> {
    const mapHref = (href: string) => this.#correctHref(path, href) ?? href;
    const options = { mapLink: mapHref, mapImage: mapHref };
    const { title, description, markdown } = yield* convertHtmlInSteps(decodeHtml(bytes), options);
    const fields = { title: title ?? getStem(path), ...omitUndefined({ description }) };
    return composePageSource(fields, markdown);
  }

  /** Returns an href with the exact spelling of its file, or undefined if it has that already, or there is no such file. */
  #correctHref(from: string, href: string): string | undefined {
    if (isUrl(href) || href === "" || href.startsWith("#")) return undefined;
    const candidates = listCandidatePaths(from, splitHref(href).path);
    if (candidates.some((candidate) => this.#sources.has(candidate))) return undefined;
    const path = candidates.map((candidate) => this.#index.find(candidate)).find((found) => found !== undefined);
    const fragment = href.includes("#") ? href.slice(href.indexOf("#")) : "";
    return path === undefined ? undefined : formatRelativeHref(from, path, fragment);
  }
}
