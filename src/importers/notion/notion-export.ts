// Reads the files of a Notion export from all of its archives, and finds the pages among them.

import { getBaseName, getParentFolder } from "../../content/book/paths";
import { decodeUtf8 } from "../../content/book/repository-files";
import { getExtension, getStem, PathIndex } from "../archive/paths";
import type { ZipArchive } from "../archive/zip";
import { decodeHtml } from "../html/decode-html";
import { type NotionName, parseNotionName } from "./names";

export interface NotionPage extends NotionName {
  readonly file: string;
  readonly kind: "markdown" | "html" | "database";
  /** The path of its file without the extension. The folder of its pages has the same name. */
  readonly stem: string;
  /** The file with the rows of a database. */
  readonly rows: string | undefined;
  /** The file of the page that it is below. */
  readonly parent: string | undefined;
}

type ListedNotionPage = Omit<NotionPage, "parent">;

/** Nested archives into which an export is split. */
const NESTED_ARCHIVE = /(?:^|\/)(?:ExportBlock-[^/]*|[^/]*-?Part-\d+)\.zip$/i;

export class NotionExport {
  /** Pages by the path of their file. */
  readonly pages = new Map<string, NotionPage>();
  /** Pages by the file with their rows. */
  readonly databases = new Map<string, NotionPage>();
  readonly index: PathIndex;
  readonly #files = new Map<string, { zip: ZipArchive; path: string }>();
  readonly #zips: ZipArchive[] = [];

  constructor(zip: ZipArchive) {
    this.#addArchive(zip);
    for (const path of zip.paths.filter((it) => NESTED_ARCHIVE.test(it))) {
      const nested = zip.open(path);
      if (nested) this.#addArchive(nested);
      this.#files.delete(path);
    }
    this.index = new PathIndex(this.#files.keys());

    const listed = new Map<string, ListedNotionPage>();
    const addPage = (file: string, kind: ListedNotionPage["kind"], stem: string) => {
      // A page of the same name as a database is the page of the database.
      const existing = listed.get(stem);
      if (existing && existing.kind !== "database") return;
      listed.set(stem, { ...parseNotionName(getBaseName(stem)), file, kind, stem, rows: existing?.rows });
    };
    for (const file of this.#files.keys()) {
      const stem = file.slice(0, file.length - getBaseName(file).length) + getStem(file);
      const extension = getExtension(file);
      if (extension === "md") addPage(file, "markdown", stem);
      else if (extension === "html" && getBaseName(file) !== "index.html") addPage(file, "html", stem);
      else if (extension === "csv") {
        const databaseStem = stem.replace(/_all$/, "");
        const name = parseNotionName(getBaseName(databaseStem));
        if (name.id === undefined) continue;
        // The file with all rows wins over the one with those of a view.
        const rows = this.#files.has(`${databaseStem}_all.csv`) ? `${databaseStem}_all.csv` : file;
        const page = listed.get(databaseStem) ?? { ...name, file: rows, kind: "database" as const, stem: databaseStem };
        listed.set(databaseStem, { ...page, rows });
      }
    }

    // The folder of the pages below a page has its name, with or without its id.
    const filesByTitle = new Map<string, string>();
    for (const { stem, title, file } of listed.values()) {
      const key = `${getParentFolder(stem)}/${title}`;
      if (!filesByTitle.has(key)) filesByTitle.set(key, file);
    }
    for (const page of listed.values()) {
      let parent: string | undefined;
      for (let folder = getParentFolder(page.stem); folder !== "" && !parent; folder = getParentFolder(folder)) {
        const title = parseNotionName(getBaseName(folder)).title;
        const file = listed.get(folder)?.file ?? filesByTitle.get(`${getParentFolder(folder)}/${title}`);
        if (file !== page.file) parent = file;
      }
      const placedPage: NotionPage = { ...page, parent };
      this.pages.set(page.file, placedPage);
      if (page.rows !== undefined) this.databases.set(page.rows, placedPage);
    }
  }

  get paths(): string[] {
    return [...this.#files.keys()];
  }

  get skipped() {
    return this.#zips.flatMap(({ skipped }) => skipped);
  }

  read(path: string): Uint8Array | undefined {
    const file = this.#files.get(path);
    return file?.zip.read(file.path);
  }

  /** Returns a file as text, or undefined if it is none. */
  readText(path: string): string | undefined {
    const bytes = this.read(path);
    if (!bytes) return undefined;
    const extension = getExtension(path);
    if (extension === "html") return decodeHtml(bytes);
    if (extension === "csv") return new TextDecoder().decode(bytes);
    const result = decodeUtf8(bytes);
    return "text" in result ? result.text : undefined;
  }

  #addArchive(zip: ZipArchive): void {
    this.#zips.push(zip);
    for (const path of zip.paths) if (!this.#files.has(path)) this.#files.set(path, { zip, path });
  }
}
