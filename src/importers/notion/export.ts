// The files of an export of Notion, whichever of its archives they are in, and the pages among them.

import { getBaseName, getParentFolder } from "../../content/book/paths";
import { decodeUtf8 } from "../../content/book/repository-files";
import { PathIndex } from "../archive/path-index";
import { endingOf, stemOf } from "../archive/paths";
import type { Zip } from "../archive/zip";
import { decodeHtml } from "../html/decode-html";
import { type Named, named } from "./names";

/** A page or a database of an export. */
export interface NotionPage extends Named {
  /** The file that it is known by. */
  readonly file: string;
  readonly kind: "markdown" | "html" | "database";
  /** The path of its file without the ending: its folder is called the same. */
  readonly stem: string;
  /** The file with the rows of a database. */
  readonly rows: string | undefined;
  /** The file of the page that it is below. */
  readonly parent: string | undefined;
}

/** Nested archives that an export is split into. */
const PART = /(?:^|\/)(?:ExportBlock-[^/]*|[^/]*-?Part-\d+)\.zip$/i;

/** An export. */
export class Export {
  readonly #files = new Map<string, { zip: Zip; path: string }>();
  readonly #zips: Zip[] = [];
  /** By the path of their files. */
  readonly pages = new Map<string, NotionPage>();
  /** Pages by the files with their rows. */
  readonly databases = new Map<string, NotionPage>();
  readonly index: PathIndex;

  constructor(zip: Zip) {
    this.#add(zip);
    for (const path of zip.paths.filter((it) => PART.test(it))) {
      const part = zip.open(path);
      if (part) this.#add(part);
      this.#files.delete(path);
    }
    this.index = new PathIndex(this.#files.keys());
    for (const page of withParents(pagesIn([...this.#files.keys()]))) {
      this.pages.set(page.file, page);
      if (page.rows !== undefined) this.databases.set(page.rows, page);
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

  /** A file as text; undefined when it is none. */
  text(path: string): string | undefined {
    const bytes = this.read(path);
    if (!bytes) return undefined;
    if (endingOf(path) === "html") return decodeHtml(bytes);
    if (endingOf(path) === "csv") return new TextDecoder().decode(bytes);
    const found = decodeUtf8(bytes);
    return "text" in found ? found.text : undefined;
  }

  #add(zip: Zip): void {
    this.#zips.push(zip);
    for (const path of zip.paths) if (!this.#files.has(path)) this.#files.set(path, { zip, path });
  }
}

type Found = Omit<NotionPage, "parent">;

function pagesIn(paths: readonly string[]): Found[] {
  const pages = new Map<string, Found>();
  const add = (file: string, kind: Found["kind"], stem: string) => {
    const known = pages.get(stem);
    if (known?.kind !== "database" && known) return;
    pages.set(stem, { ...named(getBaseName(stem)), file, kind, stem, rows: known?.rows });
  };
  const all = new Set(paths);
  for (const file of paths) {
    const stem = file.slice(0, file.length - getBaseName(file).length) + stemOf(file);
    const ending = endingOf(file);
    if (ending === "md") add(file, "markdown", stem);
    else if (ending === "html" && getBaseName(file) !== "index.html") add(file, "html", stem);
    else if (ending === "csv" && named(getBaseName(stem).replace(/_all$/, "")).id !== undefined) {
      const whole = stem.replace(/_all$/, "");
      const rows = all.has(`${whole}_all.csv`) ? `${whole}_all.csv` : file;
      const known = pages.get(whole) ?? {
        ...named(getBaseName(whole)),
        file: rows,
        kind: "database" as const,
        stem: whole,
      };
      pages.set(whole, { ...known, rows });
    }
  }
  return [...pages.values()];
}

/** Folders are called after the page whose pages they hold, with or without its id. */
function withParents(pages: readonly Found[]): NotionPage[] {
  const byStem = new Map(pages.map((page) => [page.stem, page.file]));
  const byTitle = new Map<string, string>();
  for (const { stem, title, file } of pages) {
    const key = `${getParentFolder(stem)}/${title}`;
    if (!byTitle.has(key)) byTitle.set(key, file);
  }
  return pages.map((page) => {
    for (let folder = getParentFolder(page.stem); folder !== ""; folder = getParentFolder(folder)) {
      const parent =
        byStem.get(folder) ?? byTitle.get(`${getParentFolder(folder)}/${named(getBaseName(folder)).title}`);
      if (parent !== undefined && parent !== page.file) return { ...page, parent };
    }
    return { ...page, parent: undefined };
  });
}
