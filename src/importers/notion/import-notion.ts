// Imports an export of Notion as a book: its pages nested as they were, with links between them, and databases as tables above the
// pages of their rows.

import type { BookText, SkippedItem } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import { getBaseName, isUrl, splitHref } from "../../content/book/paths";
import { composePageSource, parsePageSource } from "../../content/page-source";
import { runSteps, yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { Steps } from "../../utils/concurrency/steps";
import type { ArchiveLimits } from "../archive/limits";
import { formatRelativeHref, resolveRelativePath } from "../archive/paths";
import { openZip } from "../archive/zip";
import { buildChapterTree } from "../build-chapter-tree";
import { download } from "../download";
import { getTooLongReason } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { ImportedFiles } from "../imported-files";
import { mapUrls } from "../markdown/map-urls";
import { UniquePaths } from "../unique-paths";
import { writeHtmlPageInSteps } from "../write-html-page";
import { type NotionDatabase, readDatabase } from "./database";
import { findNotionId } from "./names";
import { NotionExport, type NotionPage } from "./notion-export";
import { readNotionHtml } from "./notion-html";
import { convertCallouts, convertProperties } from "./notion-markdown";

/** The most pages above a page that get their paths before it. */
const MAX_ANCESTORS = 32;
const NOTION_URL = /^https?:\/\/(?:www\.|app\.|[\w-]+\.)?notion\.(?:so|site|com)\//i;

export async function importNotion({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes } = await download(url, fetch, limits.maxBytes);
  return readNotion(bytes, limits.archive);
}

/** Reads an export of Notion: Markdown and CSV, or HTML. */
export async function readNotion(bytes: Uint8Array, limits?: ArchiveLimits): Promise<ImportedBook> {
  return new NotionReader(new NotionExport(openZip(bytes, limits))).read();
}

class NotionReader {
  readonly #files = new ImportedFiles();
  readonly #skipped: SkippedItem[] = [];
  readonly #texts = new Map<string, BookText>();
  /** Pages that are too long, by path with the reason. */
  readonly #tooLong = new Map<string, string>();
  /** The paths of pages in the book, by file. */
  readonly #paths = new Map<string, string>();
  readonly #titles = new Map<string, string>();
  /** The positions of pages among their siblings, by file. */
  readonly #order = new Map<string, number>();
  readonly #filesById = new Map<string, string>();
  /** The pages of the rows of databases, by the file of the database and the title. */
  readonly #rowFiles = new Map<string, string>();

  constructor(readonly source: NotionExport) {}

  async read(): Promise<ImportedBook> {
    const { pages } = this.source;
    const texts = new Map<string, string>();
    for (const page of pages.values()) {
      this.#openPage(page, texts);
      await yieldToEventLoop();
    }
    this.#assignPaths();
    for (const page of pages.values()) {
      const path = this.#paths.get(page.file);
      if (path === undefined) continue;
      await runSteps(this.#writePage(page, path, texts.get(page.file) ?? "")).catch((error: unknown) => {
        this.#tooLong.set(path, getTooLongReason(error));
      });
    }

    // Pages are in the order in which others name them, and then sorted by title.
    const siblings = [...pages.values()]
      .filter(({ file }) => this.#paths.has(file))
      .map(({ file, parent }) => {
        const chapter = { kind: "page" as const, path: this.#paths.get(file)!, title: this.#titles.get(file)! };
        const position = this.#order.get(file) ?? Number.MAX_SAFE_INTEGER;
        return { id: file, parentId: parent, chapter, position };
      })
      .sort((a, b) => a.position - b.position || (a.chapter.title < b.chapter.title ? -1 : 1));
    const chapters = buildChapterTree(siblings);

    const unused = this.source.paths
      .filter((path) => !pages.has(path) && !this.source.databases.has(path) && !this.#files.has(path))
      .filter((path) => !/(?:^|\/)index\.html$|\.csv$/i.test(path))
      .map((resource) => ({ resource, reason: "No page refers to it." }));
    const { files } = this.#files;
    const skipped = [...this.source.skipped, ...this.#skipped, ...unused];
    return createImportedBook(createBook({ chapters, texts: this.#texts, files, skipped }), this.#tooLong);
  }

  /** Reads the text and the title of a page. */
  #openPage(page: NotionPage, texts: Map<string, string>): void {
    const { file, kind, id, parent } = page;
    const text = kind === "database" ? "" : this.source.readText(file);
    if (text === undefined) {
      this.#skipped.push({ resource: file, reason: "It could not be read as text." });
      return;
    }
    let title: string;
    try {
      title = (kind === "html" ? readNotionHtml(text).title : parsePageSource(text).title) ?? page.title;
    } catch (error) {
      this.#skipped.push({ resource: file, reason: getTooLongReason(error) });
      return;
    }
    texts.set(file, text);
    this.#titles.set(file, title);
    if (id !== undefined) this.#filesById.set(id, file);
    if (parent === undefined || this.source.pages.get(parent)?.rows === undefined) return;
    for (const key of [`${parent}\n${title}`, `${parent}\n${page.title}`])
      if (!this.#rowFiles.has(key)) this.#rowFiles.set(key, file);
  }

  /** Assigns paths by the titles of pages, from the top down. */
  #assignPaths(): void {
    const uniquePaths = new UniquePaths();
    const assignPath = (file: string, depth: number): void => {
      if (this.#paths.has(file) || !this.#titles.has(file)) return;
      const { parent } = this.source.pages.get(file)!;
      if (parent !== undefined && depth < MAX_ANCESTORS) assignPath(parent, depth + 1);
      const parentPath = parent === undefined ? undefined : this.#paths.get(parent);
      this.#paths.set(file, uniquePaths.claimForTitle(this.#titles.get(file)!, parentPath?.replace(/\.md$/, "")));
    };
    for (const file of this.source.pages.keys()) assignPath(file, 0);
  }

  *#writePage(page: NotionPage, path: string, source: string): Steps<void> {
    const { file, kind, rows, parent } = page;
    const title = this.#titles.get(file)!;
    const database = rows === undefined ? undefined : this.#readDatabase(page, rows);
    let text: string;
    if (kind === "html") {
      const mapHref = (href: string) => this.#mapHref(file, href) ?? href;
      const { nodes } = readNotionHtml(source);
      text = yield* writeHtmlPageInSteps(title, nodes, { mapLink: mapHref, mapImage: mapHref });
    } else if (kind === "database") text = composePageSource({ title }, database?.markdown ?? "");
    else {
      const isRow = parent !== undefined && this.source.pages.get(parent)?.rows !== undefined;
      const converted = convertCallouts(isRow ? convertProperties(source) : source);
      text = mapUrls(converted, (href) => this.#mapHref(file, href));
      if (database) text = `${text.trimEnd()}\n\n${database.markdown}`;
    }
    this.#texts.set(path, { text });
  }

  #readDatabase(page: NotionPage, rows: string): NotionDatabase | undefined {
    const csv = this.source.readText(rows);
    if (csv === undefined) {
      this.#skipped.push({ resource: rows, reason: "It could not be read as text." });
      return undefined;
    }
    const path = this.#paths.get(page.file)!;
    const getRowHref = (title: string) => {
      const rowPath = this.#paths.get(this.#rowFiles.get(`${page.file}\n${title}`) ?? "");
      return rowPath === undefined ? undefined : formatRelativeHref(path, rowPath);
    };
    const database = readDatabase(csv, getRowHref, (href) => this.#mapHref(rows, href));
    for (const title of database.titles) {
      const rowFile = this.#rowFiles.get(`${page.file}\n${title}`);
      if (rowFile !== undefined && !this.#order.has(rowFile)) this.#order.set(rowFile, this.#order.size);
    }
    const { shownCount, titles } = database;
    if (shownCount < titles.length)
      this.#skipped.push({ resource: rows, reason: `Its table shows the first ${shownCount} rows.` });
    return database;
  }

  /** Returns what an href in a file of the export becomes in the book, or undefined if it leads elsewhere, or nowhere. */
  #mapHref(file: string, href: string): string | undefined {
    const { path, anchor } = splitHref(href);
    let target: string | undefined;
    if (!isUrl(href)) target = this.#findFile(file, path);
    else if (NOTION_URL.test(href)) target = this.#filesById.get(findNotionId(path) ?? "");
    const page = this.source.pages.get(file) ?? this.source.databases.get(file);
    const from = this.#paths.get(page?.file ?? "");
    if (target === undefined || from === undefined) return undefined;

    let targetPath = this.#paths.get(target);
    const source = target;
    if (targetPath === undefined && !this.source.pages.has(source))
      targetPath = this.#files.add(source, getBaseName(source), () => this.source.read(source));
    if (targetPath === undefined) return undefined;
    const isChild = this.source.pages.get(target)?.parent === page?.file;
    if (isChild && !this.#order.has(target)) this.#order.set(target, this.#order.size);
    return formatRelativeHref(from, targetPath, anchor === undefined || isUrl(href) ? "" : `#${anchor}`);
  }

  /** Returns the file of the export that a path in another file means. */
  #findFile(from: string, path: string): string | undefined {
    if (path === "") return undefined;
    const resolved = resolveRelativePath(from, path);
    const file = resolved === undefined ? undefined : this.source.index.find(resolved);
    const fileById = this.#filesById.get(findNotionId(path) ?? "");
    if (file === undefined) return fileById;
    return /\.csv$/i.test(file) ? (fileById ?? this.source.databases.get(file)?.file ?? file) : file;
  }
}
