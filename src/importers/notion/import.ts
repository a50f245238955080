// An export of Notion as a book: its pages below each other as they were, with links between them, and databases as tables
// over the pages of their rows.

import type { BookText, SkippedItem } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import { getBaseName, isUrl, splitHref } from "../../content/book/paths";
import type { Steps } from "../../content/markdown/steps";
import { composePageSource, parsePageSource } from "../../content/page-source";
import { runSteps, yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { ArchiveLimits } from "../archive/limits";
import { addressFrom, pathFrom } from "../archive/paths";
import { openZip } from "../archive/zip";
import { buildChapterTree } from "../build-chapter-tree";
import { download } from "../download";
import { getTooLongReason } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { ImportedFiles } from "../imported-files";
import { mapAddresses } from "../markdown/addresses";
import { UniquePaths } from "../unique-paths";
import { writeHtmlPageInSteps } from "../write-html-page";
import { type Database, readDatabase } from "./database";
import { Export, type NotionPage } from "./export";
import { readNotionHtml } from "./html";
import { withHints, withProperties } from "./markdown";
import { idIn, isNotion } from "./names";

/** Imports an export of Notion from an address. */
export async function importNotion({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes } = await download(url, fetch, limits.maxBytes);
  return readNotion(bytes, limits.archive);
}

/** Reads an export of Notion: Markdown and CSV, or HTML. */
export async function readNotion(bytes: Uint8Array, limits?: ArchiveLimits): Promise<ImportedBook> {
  return new Reader(new Export(openZip(bytes, limits))).read();
}

class Reader {
  readonly #assets = new ImportedFiles();
  readonly #skipped: SkippedItem[] = [];
  readonly #texts = new Map<string, BookText>();
  /** Paths of pages that are too long, and why. */
  readonly #tooLong = new Map<string, string>();
  /** Paths in the book, titles, and places among siblings, by file. */
  readonly #paths = new Map<string, string>();
  readonly #titles = new Map<string, string>();
  readonly #order = new Map<string, number>();
  readonly #byId = new Map<string, string>();
  /** Pages of the rows of databases, by the database's file and the title. */
  readonly #rows = new Map<string, string>();

  constructor(readonly files: Export) {}

  async read(): Promise<ImportedBook> {
    const sources = new Map<string, string>();
    for (const page of this.files.pages.values()) {
      this.#open(page, sources);
      await yieldToEventLoop();
    }
    this.#givePaths();
    for (const page of this.files.pages.values())
      if (this.#paths.has(page.file))
        await runSteps(this.#write(page, sources.get(page.file) ?? "")).catch((error: unknown) => {
          this.#tooLong.set(this.#paths.get(page.file)!, getTooLongReason(error));
        });
    const chapters = buildChapterTree(this.#inOrder());
    const { files } = this.#assets;
    const skipped = [...this.files.skipped, ...this.#skipped, ...this.#leftOver()];
    return createImportedBook(createBook({ chapters, texts: this.#texts, files, skipped }), this.#tooLong);
  }

  /** Reads the text of a page, and what it is called. */
  #open(page: NotionPage, sources: Map<string, string>): void {
    const source = page.kind === "database" ? "" : this.files.text(page.file);
    if (source === undefined) {
      this.#skipped.push({ resource: page.file, reason: "It could not be read as text." });
      return;
    }
    let stated: string | undefined;
    try {
      stated = page.kind === "html" ? readNotionHtml(source).title : parsePageSource(source).title;
    } catch (error) {
      this.#skipped.push({ resource: page.file, reason: getTooLongReason(error) });
      return;
    }
    sources.set(page.file, source);
    this.#titles.set(page.file, stated ?? page.title);
    if (page.id !== undefined) this.#byId.set(page.id, page.file);
    if (page.parent !== undefined && this.files.pages.get(page.parent)?.rows !== undefined)
      for (const title of [stated ?? page.title, page.title]) this.#noteRow(page.parent, title, page.file);
  }

  #noteRow(database: string, title: string, file: string): void {
    const key = `${database}\n${title}`;
    if (!this.#rows.has(key)) this.#rows.set(key, file);
  }

  /** Paths follow the titles, from the top down. */
  #givePaths(): void {
    const paths = new UniquePaths();
    const give = (file: string, depth: number): void => {
      if (this.#paths.has(file) || !this.#titles.has(file)) return;
      const { parent } = this.files.pages.get(file)!;
      if (parent !== undefined && depth < 32) give(parent, depth + 1);
      const above = parent === undefined ? undefined : this.#paths.get(parent);
      this.#paths.set(file, paths.claimForTitle(this.#titles.get(file)!, above?.replace(/\.md$/, "")));
    };
    for (const file of this.files.pages.keys()) give(file, 0);
  }

  *#write(page: NotionPage, source: string): Steps<void> {
    const { file } = page;
    const path = this.#paths.get(file)!;
    const title = this.#titles.get(file)!;
    const table = page.rows === undefined ? undefined : this.#table(page, page.rows);
    if (page.kind === "html") this.#texts.set(path, { text: yield* this.#fromHtml(page, source) });
    else if (page.kind === "database")
      this.#texts.set(path, { text: composePageSource({ title }, table?.markdown ?? "") });
    else {
      const text = this.#fromMarkdown(page, source);
      this.#texts.set(path, { text: table ? `${text.trimEnd()}\n\n${table.markdown}` : text });
    }
  }

  #fromMarkdown({ file, parent }: NotionPage, source: string): string {
    const isRow = parent !== undefined && this.files.pages.get(parent)?.rows !== undefined;
    const text = withHints(isRow ? withProperties(source) : source);
    return mapAddresses(text, (href) => this.#address(file, href));
  }

  #fromHtml({ file }: NotionPage, source: string): Steps<string> {
    const map = (href: string) => this.#address(file, href) ?? href;
    return writeHtmlPageInSteps(this.#titles.get(file)!, readNotionHtml(source).nodes, { mapLink: map, mapImage: map });
  }

  #table(page: NotionPage, rows: string): Database | undefined {
    const csv = this.files.text(rows);
    if (csv === undefined) {
      this.#skipped.push({ resource: rows, reason: "It could not be read as text." });
      return undefined;
    }
    const path = this.#paths.get(page.file)!;
    const pathOfRow = (title: string) => this.#paths.get(this.#rows.get(`${page.file}\n${title}`) ?? "");
    const database = readDatabase(
      csv,
      (title) => {
        const row = pathOfRow(title);
        return row === undefined ? undefined : addressFrom(path, row);
      },
      (href) => this.#address(rows, href),
    );
    for (const title of database.titles) {
      const row = this.#rows.get(`${page.file}\n${title}`);
      if (row !== undefined && !this.#order.has(row)) this.#order.set(row, this.#order.size);
    }
    if (database.shown < database.titles.length)
      this.#skipped.push({ resource: rows, reason: `Its table shows the first ${database.shown} rows.` });
    return database;
  }

  /** What an address in a file of the export is in the book; undefined when it leads elsewhere, or nowhere. */
  #address(file: string, href: string): string | undefined {
    const { path, anchor } = splitHref(href);
    const found = isUrl(href) ? this.#ofNotion(href, path) : this.#inExport(file, path);
    const page = this.files.pages.get(file) ?? this.files.databases.get(file);
    const from = this.#paths.get(page?.file ?? "");
    if (found === undefined || from === undefined) return undefined;
    const target = this.#paths.get(found) ?? this.#asset(found);
    if (target === undefined) return undefined;
    const isBelow = this.files.pages.get(found)?.parent === page?.file;
    if (isBelow && !this.#order.has(found)) this.#order.set(found, this.#order.size);
    return addressFrom(from, target, anchor === undefined || isUrl(href) ? "" : `#${anchor}`);
  }

  #ofNotion(href: string, path: string): string | undefined {
    const id = isNotion(href) ? idIn(path) : undefined;
    return id === undefined ? undefined : this.#byId.get(id);
  }

  #inExport(file: string, path: string): string | undefined {
    if (path === "") return undefined;
    const there = pathFrom(file, path);
    const found = there === undefined ? undefined : this.files.index.find(there);
    const byId = this.#byId.get(idIn(path) ?? "");
    if (found === undefined) return byId;
    return /\.csv$/i.test(found) ? (byId ?? this.files.databases.get(found)?.file ?? found) : found;
  }

  #asset(file: string): string | undefined {
    if (this.files.pages.has(file)) return undefined;
    return this.#assets.add(file, getBaseName(file), () => this.files.read(file));
  }

  /** Pages in the order in which others name them, then by their titles. */
  #inOrder() {
    const last = Number.MAX_SAFE_INTEGER;
    return [...this.files.pages.values()]
      .filter(({ file }) => this.#paths.has(file))
      .map(({ file, parent }) => {
        const chapter = { kind: "page" as const, path: this.#paths.get(file)!, title: this.#titles.get(file)! };
        return { id: file, parentId: parent, chapter, place: this.#order.get(file) ?? last };
      })
      .sort((a, b) => a.place - b.place || (a.chapter.title < b.chapter.title ? -1 : 1));
  }

  #leftOver(): SkippedItem[] {
    return this.files.paths
      .filter((path) => !this.files.pages.has(path) && !this.files.databases.has(path) && !this.#assets.has(path))
      .filter((path) => !/(?:^|\/)index\.html$|\.csv$/i.test(path))
      .map((resource) => ({ resource, reason: "No page names it." }));
  }
}
