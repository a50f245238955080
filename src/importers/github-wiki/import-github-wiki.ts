// Imports a wiki of GitHub as a book. A wiki is a repository with one file for each page, and a sidebar with their order.

import {
  type BookText,
  type Chapter,
  createBook,
  type PageChapter,
  type SkippedItem,
  walkPages,
} from "../../content/book/book";
import { findPathProblem, getBaseName, isMarkdown, isUrl, splitHref } from "../../content/book/paths";
import { decodeUtf8, type FileTree } from "../../content/book/repository-files";
import type { BlockNode, InlineNode, ListNode } from "../../content/markdown/nodes";
import { parseMarkdown } from "../../content/markdown/parse";
import { applyTextEdits, type TextEdit } from "../../content/text-edits";
import { trimTrailingSlashes } from "../../utils/url";
import { formatRelativeHref, getExtension, getStem, PathIndex, resolveRelativePath } from "../archive/paths";
import { ImportError } from "../errors";
import { createImportedBook, type ImportedBook } from "../imported-book";
import { type MarkdownNode, mapUrls } from "../markdown/map-urls";
import { UniquePaths } from "../unique-paths";

export interface WikiSource {
  /** The URL of the wiki, or of its repository. */
  readonly url: string;
  readonly readTree: (url: string) => Promise<FileTree>;
}

interface WikiPage {
  readonly file: string;
  /** The path in the book. */
  readonly path: string;
  readonly title: string;
}

const MAX_WIKI_BYTES = 256 * 1024 * 1024;
const HOME_PATH = "README.md";
/** Pages in other languages than Markdown, which GitHub also shows. */
const OTHER_MARKUP = /^(?:asciidoc|adoc|creole|mediawiki|wiki|org|pod|rdoc|rst|rest|textile)$/;
const WIKI_URL = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.wiki(?:\.git)?|\/wiki(?:\/.*)?|\.git)?\/?$/i;

/** Imports the wiki of a repository on GitHub. */
export async function importGithubWiki({ url, readTree }: WikiSource): Promise<ImportedBook> {
  const [, owner, repository] = WIKI_URL.exec(url.replace(/[?#].*/s, "")) ?? [];
  if (owner === undefined || repository === undefined)
    throw new ImportError("The URL of a GitHub wiki has the form https://github.com/owner/repository/wiki");
  return readWiki(await readTree(`https://github.com/${owner}/${repository}.wiki.git`), `${owner}/${repository}`);
}

/** Reads the files of a wiki. `repository` is `owner/name`, so that full URLs of its pages are recognized. */
export async function readWiki(tree: FileTree, repository = ""): Promise<ImportedBook> {
  const wiki = new WikiReader(tree, repository);
  await wiki.open();
  return wiki.read();
}

class WikiReader {
  /** Pages by the key of their name. */
  readonly #pages = new Map<string, WikiPage>();
  readonly #otherFiles = new Set<string>();
  #otherFileIndex = new PathIndex([]);
  readonly #namedFiles = new Set<string>();
  readonly #texts = new Map<string, BookText>();
  readonly #skipped: SkippedItem[] = [];
  #sidebarFile: string | undefined;
  #bytesLeft = MAX_WIKI_BYTES;

  constructor(
    readonly tree: FileTree,
    readonly repository: string,
  ) {}

  async open(): Promise<void> {
    const uniquePaths = new UniquePaths([HOME_PATH]);
    for (const { path: file, mode } of await this.tree.list()) {
      const problem = findPathProblem(file) ?? (/^1[26]/.test(mode ?? "") ? "It is not a plain file." : undefined);
      if (problem !== undefined) this.#skipped.push({ resource: file.slice(0, 200), reason: problem });
      else if (/^_sidebar\.(?:md|markdown)$/i.test(file)) this.#sidebarFile = file;
      else if (/(?:^|\/)_(?:sidebar|footer|header)\.[a-z]+$/i.test(file)) continue;
      else if (isMarkdown(file)) {
        // Pages are identified by their names alone, whatever folder they are in.
        const name = getStem(file);
        const key = getNameKey(name);
        if (this.#pages.has(key))
          this.#skipped.push({ resource: file, reason: "The wiki has another page of this name." });
        else {
          const path = key === "home" ? HOME_PATH : uniquePaths.claim(name.replace(/[?#%]/g, "-"), ".md");
          this.#pages.set(key, { file, path, title: name.replaceAll("-", " ") });
        }
      } else if (OTHER_MARKUP.test(getExtension(file)))
        this.#skipped.push({ resource: file, reason: "It is not written in Markdown." });
      else if (!file.startsWith(".")) this.#otherFiles.add(file);
    }
    this.#otherFileIndex = new PathIndex(this.#otherFiles);
  }

  async read(): Promise<ImportedBook> {
    for (const page of this.#pages.values()) {
      const text = await this.#readText(page.file);
      if (text !== undefined) this.#texts.set(page.path, { text: mapUrls(text, (href) => this.#mapHref(page, href)) });
    }
    const sidebar = this.#sidebarFile === undefined ? "" : ((await this.#readText(this.#sidebarFile)) ?? "");
    const chapters = this.#buildChapters(sidebar);
    const files = new Map<string, { bytes: Uint8Array }>();
    for (const path of this.#namedFiles) {
      const bytes = await this.#readBytes(path);
      if (bytes) files.set(path, { bytes });
      else this.#skipped.push({ resource: path, reason: "It could not be read, or is too large." });
    }
    for (const resource of this.#otherFiles)
      if (!this.#namedFiles.has(resource)) this.#skipped.push({ resource, reason: "No page refers to it." });
    return createImportedBook(createBook({ chapters, texts: this.#texts, files, skipped: this.#skipped }));
  }

  async #readBytes(path: string): Promise<Uint8Array | undefined> {
    const bytes = await this.tree.read(path);
    if (!bytes || bytes.length > this.#bytesLeft) return undefined;
    this.#bytesLeft -= bytes.length;
    return bytes;
  }

  async #readText(path: string): Promise<string | undefined> {
    const bytes = await this.#readBytes(path);
    const result = bytes && decodeUtf8(bytes);
    if (result && "text" in result) return convertWikiLinks(result.text);
    this.#skipped.push({ resource: path, reason: result?.reason ?? "It could not be read." });
    return undefined;
  }

  /** Returns the chapters: the home page, then those of the sidebar, then all others by name. */
  #buildChapters(sidebar: string): Chapter[] {
    const listed = readSidebar(sidebar, (href) => {
      const page = this.#findPage(this.#resolveWikiHref(href) ?? "");
      return page && this.#texts.has(page.path) && page.path !== HOME_PATH ? page : undefined;
    });
    const listedPaths = new Set(Array.from(walkPages(listed), ({ path }) => path));
    const others = [...this.#pages.values()]
      .filter(({ path }) => this.#texts.has(path) && !listedPaths.has(path) && path !== HOME_PATH)
      .sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1))
      .map(({ path, title }): Chapter => ({ kind: "page", path, title, chapters: [] }));
    if (!this.#texts.has(HOME_PATH)) return [...listed, ...others];
    return [{ kind: "page", path: HOME_PATH, title: "Home", chapters: [] }, ...listed, ...others];
  }

  /** Returns an href from the top of the wiki, or undefined if it leads elsewhere. */
  #resolveWikiHref(href: string): string | undefined {
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

  #findPage(href: string): WikiPage | undefined {
    const name = getBaseName(trimTrailingSlashes(splitHref(href).path)).replace(/\.(?:md|markdown)$/i, "");
    return this.#pages.get(getNameKey(name));
  }

  /** Returns what an href in a page becomes in the book, or undefined if it stays. */
  #mapHref(page: WikiPage, href: string): string | undefined {
    const wikiHref = this.#resolveWikiHref(href);
    if (wikiHref === undefined) return undefined;
    const { path } = splitHref(wikiHref);
    const resolved = resolveRelativePath(page.file, path);
    const file =
      (resolved === undefined ? undefined : this.#otherFileIndex.find(resolved)) ??
      this.#otherFileIndex.find(path.replace(/^\/+/, ""));
    if (file !== undefined) {
      this.#namedFiles.add(file);
      return formatRelativeHref(page.path, file);
    }
    const target = this.#findPage(wikiHref);
    const hash = wikiHref.indexOf("#");
    return target && formatRelativeHref(page.path, target.path, hash < 0 ? "" : wikiHref.slice(hash));
  }
}

/** Returns the key of a name. Names are equal regardless of case, and with dashes or spaces. */
function getNameKey(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/[ -]+/g, "-");
}

// Reads the sidebar of a wiki as chapters: its headings are groups, and its lists are nested pages.

/** Returns the page that an href of the sidebar means, or undefined if it means none. */
type FindPage = (href: string) => { readonly path: string; readonly title: string } | undefined;

/** Reads a sidebar. A page appears once. Links that lead elsewhere are left out. */
export function readSidebar(text: string, find: FindPage): Chapter[] {
  return new SidebarReader(find).read(parseMarkdown(text).children);
}

class SidebarReader {
  readonly #takenPaths = new Set<string>();

  constructor(readonly find: FindPage) {}

  read(blocks: readonly BlockNode[]): Chapter[] {
    const chapters: Chapter[] = [];
    let siblings = chapters;
    for (const block of blocks) {
      if (block.type === "heading") {
        const [page] = this.#readPages(block.children);
        const children: Chapter[] = [];
        if (page) chapters.push({ ...page, chapters: children });
        else chapters.push({ kind: "group", title: getInlinesText(block.children) || "Pages", chapters: children });
        siblings = children;
      } else for (const chapter of this.#readBlock(block, siblings === chapters)) siblings.push(chapter);
    }
    return chapters.filter((chapter) => chapter.kind !== "group" || chapter.chapters.length > 0);
  }

  #readBlock(block: BlockNode, isTop: boolean): Chapter[] {
    if (block.type === "list") return this.#readList(block, isTop);
    if (block.type === "paragraph") return this.#readPages(block.children);
    if (block.type !== "details" && block.type !== "blockquote") return [];
    return block.children.flatMap((child) => this.#readBlock(child, isTop));
  }

  #readList({ children }: ListNode, isTop: boolean): Chapter[] {
    return children.flatMap((item): Chapter[] => {
      const line = item.children.find((block) => block.type === "paragraph" || block.type === "heading");
      const [first, ...others] = line ? this.#readPages(line.children) : [];
      const chapters = item.children
        .filter((block) => block !== line)
        .flatMap((block) => this.#readBlock(block, false));
      if (first) return [{ ...first, chapters }, ...others];
      if (!isTop || !line || chapters.length === 0) return chapters;
      return [{ kind: "group", title: getInlinesText(line.children), chapters }];
    });
  }

  /** Returns the pages that inlines lead to, each once. */
  #readPages(nodes: readonly InlineNode[]): PageChapter[] {
    return nodes.flatMap((node): PageChapter[] => {
      if (node.type !== "link") return "children" in node ? this.#readPages(node.children) : [];
      const page = this.find(node.url);
      if (!page || this.#takenPaths.has(page.path)) return [];
      this.#takenPaths.add(page.path);
      const title = getInlinesText(node.children) || page.title;
      return [{ kind: "page", path: page.path, title, chapters: [] }];
    });
  }
}

/** Returns the words of inlines on one line. */
function getInlinesText(nodes: readonly InlineNode[]): string {
  return nodes
    .map((node) => {
      if ("children" in node) return getInlinesText(node.children);
      return "value" in node && node.type !== "html" ? node.value : "";
    })
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

// Converts links in double brackets, as wikis of GitHub have them, to links and images of Markdown.

const WIKI_LINK = /\[\[([^[\]\n]{1,500})\]\]/g;
const IMAGE_FILE = /\.(?:png|jpe?g|gif|svg|webp|bmp|avif)$/i;

/** Converts the wiki links of a text. Those in code stay. */
export function convertWikiLinks(text: string): string {
  if (!text.includes("[[")) return text;

  const codeRanges: { start: number; end: number }[] = [];
  const collectCode = (node: MarkdownNode): void => {
    if (node.type === "code" || node.type === "inlineCode") codeRanges.push(node);
    else if ("children" in node) for (const child of node.children) collectCode(child);
  };
  for (const block of parseMarkdown(text).children) collectCode(block);
  codeRanges.sort((a, b) => a.start - b.start);

  const edits: TextEdit[] = [];
  let next = 0;
  for (const match of text.matchAll(WIKI_LINK)) {
    const [from, to] = [match.index, match.index + match[0].length];
    while (next < codeRanges.length && codeRanges[next]!.end <= from) next++;
    const isInCode = next < codeRanges.length && codeRanges[next]!.start < to;
    const isEscaped = text[from - 1] === "\\";
    if (isInCode || isEscaped) continue;
    // A link is `[[Page]]`, `[[Text|Page]]`, or `[[image.png|alt=words]]`.
    const [first = "", ...others] = match[1]!.split("|").map((part) => part.trim());
    const alt = others.find((part) => part.startsWith("alt="))?.slice(4) ?? "";
    const link = IMAGE_FILE.test(first)
      ? `![${alt}](${formatTarget(first)})`
      : `[${first}](${formatTarget(others[0] ?? first)})`;
    edits.push({ from, to, text: link });
  }
  return applyTextEdits(text, edits);
}

/** Formats the target of a link. Pages have dashes where their titles have spaces. */
function formatTarget(page: string): string {
  if (/^https?:/i.test(page) || page.includes("/")) return page.replace(/[\s()<>]/g, encodeURIComponent);
  const hash = page.indexOf("#");
  const [name, anchor] = hash < 0 ? [page, ""] : [page.slice(0, hash), page.slice(hash)];
  return (name.replaceAll(" ", "-") + anchor.replaceAll(" ", "-").toLowerCase())
    .replace(/[<>"%]/g, encodeURIComponent)
    .replace(/[()]/g, (parenthesis) => (parenthesis === "(" ? "%28" : "%29"));
}
