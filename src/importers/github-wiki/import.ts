// A wiki of GitHub as a book. The wiki is a repository of its own: one file a page, the sidebar for their order.

import { type BookText, type Chapter, createBook, type SkippedItem, walkPages } from "../../content/book/book";
import { findPathProblem, getBaseName, isMarkdown, isUrl, splitHref } from "../../content/book/paths";
import { decodeUtf8, type FileTree } from "../../content/book/repository-files";
import { trimTrailingSlashes } from "../../utils/url";
import { PathIndex } from "../archive/path-index";
import { addressFrom, endingOf, pathFrom, stemOf } from "../archive/paths";
import { ImportError } from "../errors";
import { createImportedBook, type ImportedBook } from "../imported-book";
import { mapAddresses } from "../markdown/addresses";
import { UniquePaths } from "../unique-paths";
import { withPlainLinks } from "./links";
import { readSidebar } from "./sidebar";

/** Where a wiki comes from. */
export interface WikiSource {
  /** The address of the wiki, or of its repository. */
  readonly url: string;
  /** Reads the files of a Git repository. */
  readonly readTree: (url: string) => Promise<FileTree>;
}

const MAX_BYTES = 256 * 1024 * 1024;
/** Pages in other languages than Markdown, which GitHub also shows. */
const OTHER_MARKUP = /^(?:asciidoc|adoc|creole|mediawiki|wiki|org|pod|rdoc|rst|rest|textile)$/;
const WIKI = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.wiki(?:\.git)?|\/wiki(?:\/.*)?|\.git)?\/?$/i;

/** Imports the wiki of a repository on GitHub. */
export async function importGithubWiki({ url, readTree }: WikiSource): Promise<ImportedBook> {
  const [, owner, repository] = WIKI.exec(url.replace(/[?#].*/s, "")) ?? [];
  if (owner === undefined || repository === undefined)
    throw new ImportError("The address is not that of a wiki on GitHub: https://github.com/owner/repository/wiki");
  return readWiki(await readTree(`https://github.com/${owner}/${repository}.wiki.git`), `${owner}/${repository}`);
}

/** Reads the files of a wiki; `repository` is `owner/name`, so that full addresses of its pages are known. */
export async function readWiki(tree: FileTree, repository = ""): Promise<ImportedBook> {
  const wiki = new Wiki(tree, repository);
  await wiki.open();
  return wiki.read();
}

interface WikiPage {
  readonly file: string;
  readonly path: string;
  readonly title: string;
}

class Wiki {
  readonly #pages = new Map<string, WikiPage>();
  #index = new PathIndex([]);
  readonly #others = new Set<string>();
  readonly #named = new Set<string>();
  readonly #texts = new Map<string, BookText>();
  readonly #skipped: SkippedItem[] = [];
  #sidebar: string | undefined;
  #left = MAX_BYTES;

  constructor(
    readonly tree: FileTree,
    readonly repository: string,
  ) {}

  /** Finds out which pages there are. */
  async open(): Promise<void> {
    const listed = await this.tree.list();
    const paths = new UniquePaths(["readme.md"]);
    for (const { path, mode } of listed) {
      const reason = findPathProblem(path) ?? (/^1[26]/.test(mode ?? "") ? "It is not a plain file." : undefined);
      if (reason !== undefined) this.#skipped.push({ resource: path.slice(0, 200), reason });
      else if (/^_sidebar\.(?:md|markdown)$/i.test(path)) this.#sidebar = path;
      else if (/(?:^|\/)_(?:sidebar|footer|header)\.[a-z]+$/i.test(path)) continue;
      else if (isMarkdown(path)) this.#addPage(path, paths);
      else if (OTHER_MARKUP.test(endingOf(path)))
        this.#skipped.push({ resource: path, reason: "It is not written in Markdown." });
      else if (!path.startsWith(".")) this.#others.add(path);
    }
    this.#index = new PathIndex(this.#others);
  }

  /** Pages are known by their names alone, whatever folder they are in. */
  #addPage(file: string, paths: UniquePaths): void {
    const name = stemOf(file);
    if (this.#pages.has(keyOf(name))) {
      this.#skipped.push({ resource: file, reason: "The wiki has another page of this name." });
      return;
    }
    const isHome = keyOf(name) === "home";
    const path = isHome ? "README.md" : paths.claim(name.replace(/[?#%]/g, "-"), ".md");
    this.#pages.set(keyOf(name), { file, path, title: name.replaceAll("-", " ") });
  }

  async read(): Promise<ImportedBook> {
    for (const page of this.#pages.values()) await this.#readPage(page);
    const sidebar = this.#sidebar === undefined ? "" : ((await this.#text(this.#sidebar)) ?? "");
    const chapters = this.#chapters(sidebar);
    const files = new Map<string, { bytes: Uint8Array }>();
    for (const path of this.#named) {
      const bytes = await this.#bytes(path);
      if (bytes) files.set(path, { bytes });
      else this.#skipped.push({ resource: path, reason: "It could not be read, or is too large." });
    }
    for (const resource of this.#others)
      if (!this.#named.has(resource)) this.#skipped.push({ resource, reason: "No page names it." });
    const skipped = this.#skipped;
    return createImportedBook(createBook({ chapters, texts: this.#texts, files, skipped }));
  }

  async #bytes(path: string): Promise<Uint8Array | undefined> {
    const bytes = await this.tree.read(path);
    if (!bytes || bytes.length > this.#left) return undefined;
    this.#left -= bytes.length;
    return bytes;
  }

  async #text(path: string): Promise<string | undefined> {
    const bytes = await this.#bytes(path);
    const found = bytes && decodeUtf8(bytes);
    if (found && "text" in found) return withPlainLinks(found.text);
    this.#skipped.push({ resource: path, reason: found?.reason ?? "It could not be read." });
    return undefined;
  }

  async #readPage(page: WikiPage): Promise<void> {
    const text = await this.#text(page.file);
    if (text !== undefined)
      this.#texts.set(page.path, { text: mapAddresses(text, (href) => this.#address(page, href)) });
  }

  /** Home comes first, then what the sidebar lists, then all others by name. */
  #chapters(sidebar: string): Chapter[] {
    const found = (href: string) => {
      const page = this.#pageAt(this.#inWiki(href) ?? "");
      return page && this.#texts.has(page.path) && page.path !== "README.md" ? page : undefined;
    };
    const listed = readSidebar(sidebar, found);
    const taken = new Set(Array.from(walkPages(listed), ({ path }) => path));
    const others = [...this.#pages.values()]
      .filter(({ path }) => this.#texts.has(path) && !taken.has(path) && path !== "README.md")
      .sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));
    const home = this.#texts.has("README.md") ? [{ path: "README.md", title: "Home" }] : [];
    const page = ({ path, title }: { path: string; title: string }): Chapter => ({
      kind: "page",
      path,
      title,
      chapters: [],
    });
    return [...home.map(page), ...listed, ...others.map(page)];
  }

  /** An address from the top of the wiki; undefined when it leads elsewhere. */
  #inWiki(href: string): string | undefined {
    const roots = [
      `https://github.com/${this.repository}/wiki/`,
      `https://raw.githubusercontent.com/wiki/${this.repository}/`,
      `/${this.repository}/wiki/`,
    ];
    const root = roots.find((it) => this.repository !== "" && href.toLowerCase().startsWith(it.toLowerCase()));
    if (root !== undefined) return `/${href.slice(root.length)}`;
    if (href.toLowerCase() === roots[0]!.slice(0, -1).toLowerCase()) return "/Home";
    return isUrl(href) || href.startsWith("#") ? undefined : href;
  }

  #pageAt(href: string): WikiPage | undefined {
    return this.#pages.get(
      keyOf(getBaseName(trimTrailingSlashes(splitHref(href).path)).replace(/\.(?:md|markdown)$/i, "")),
    );
  }

  #address(page: WikiPage, href: string): string | undefined {
    const inside = this.#inWiki(href);
    if (inside === undefined) return undefined;
    const { path } = splitHref(inside);
    const there = pathFrom(page.file, path);
    const file =
      (there === undefined ? undefined : this.#index.find(there)) ?? this.#index.find(path.replace(/^\/+/, ""));
    if (file !== undefined) {
      this.#named.add(file);
      return addressFrom(page.path, file);
    }
    const target = this.#pageAt(inside);
    const hash = inside.indexOf("#");
    return target && addressFrom(page.path, target.path, hash < 0 ? "" : inside.slice(hash));
  }
}

/** Names are equal whatever their case, and with dashes or spaces. */
function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/[ -]+/g, "-");
}
