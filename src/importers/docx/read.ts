// A Word document as a book: one page, or one for each heading of the first level where there are several.

import type { Book, BookText, PageChapter } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import type { Block, Phrasing } from "../../content/document";
import { readMarkdown } from "../../content/markdown/read";
import { saidBy } from "../../content/markdown/reader/words";
import { writeMarkdown } from "../../content/markdown/write";
import { composePageSource } from "../../content/page-source";
import { ARCHIVE_LIMITS, type ArchiveLimits } from "../archive/limits";
import { addressFrom } from "../archive/paths";
import { openZip } from "../archive/zip";
import { ImportError } from "../errors";
import { createImportedBook, type ImportedBook } from "../imported-book";
import { UniquePaths } from "../unique-paths";
import { elementAt, textIn } from "../xml/elements";
import { readBody, type TopBlock } from "./blocks";
import { Manuscript } from "./manuscript";
import { Numbering } from "./numbering";
import { Package, type Part } from "./package";
import { Styles } from "./styles";

/** How a document is read. */
export interface DocxOptions {
  /** What the page is called when the document does not say it: the name of its file. Default: "Document". */
  readonly name?: string;
  /** Default: `ARCHIVE_LIMITS`. */
  readonly limits?: ArchiveLimits;
}

/** Reads a Word document. */
export function readDocx(
  bytes: Uint8Array,
  { name = "Document", limits = ARCHIVE_LIMITS }: DocxOptions = {},
): ImportedBook {
  const parts = new Package(openZip(bytes, limits));
  const main = parts.main();
  const body = elementAt(main?.root, "w:body");
  if (!main || !body) throw new ImportError("The file is not a Word document (docx).");
  const styles = new Styles(parts.related(main, "styles")?.root);
  const numbering = new Numbering(parts.related(main, "numbering")?.root);
  const manuscript = new Manuscript(parts, main, styles, numbering);
  const pages = pagesOf(readBody(body, main, manuscript), titleIn(parts) ?? name);
  return createImportedBook(bookOf(pages, manuscript));
}

/** The title in the properties of the document. */
function titleIn(parts: Package): string | undefined {
  const properties: Part | undefined = parts.part("docProps/core.xml");
  return textIn(elementAt(properties?.root, "dc:title")).trim() || undefined;
}

interface Page {
  readonly title: string;
  readonly blocks: TopBlock[];
}

/** The blocks of a document, cut into pages; their first headings become titles. */
function pagesOf(blocks: readonly TopBlock[], otherwise: string): Page[] {
  const chapters = blocks.filter(({ heading }) => heading === 1);
  const stated = blocks.find(({ heading }) => heading === 0);
  if (chapters.length < 2) return [onePage(blocks, stated, otherwise)];
  const title = stated ? wordsOf(stated) : otherwise;
  const pages: Page[] = [{ title, blocks: [] }];
  for (const block of blocks) {
    if (block.heading === 1) pages.push({ title: wordsOf(block), blocks: [{ ...block, heading: 0 }] });
    else pages.at(-1)!.blocks.push(block);
  }
  const hasIntroduction = pages[0]!.blocks.some(({ heading }) => heading !== 0);
  return (hasIntroduction ? pages : pages.slice(1)).map(({ title, blocks }) => ({ title, blocks: lowered(blocks, 1) }));
}

function onePage(blocks: readonly TopBlock[], stated: TopBlock | undefined, otherwise: string): Page {
  const first = stated ?? (blocks[0]?.heading === 1 ? blocks[0] : undefined);
  const own = blocks.map((block) => (block === first ? { ...block, heading: 0 } : block));
  const isUnderTitle = !own.some(({ heading }) => heading === 1);
  return { title: first ? wordsOf(first) : otherwise, blocks: lowered(own, isUnderTitle ? 1 : 0) };
}

/** Blocks whose headings have the levels that pages have; `by` is how many the title takes. */
function lowered(blocks: readonly TopBlock[], by: number): TopBlock[] {
  const level = (heading: number) => Math.min(3, Math.max(1, heading - by)) as 1 | 2 | 3;
  return blocks.map((top) => {
    if (top.heading === undefined || top.heading === 0) return top;
    return { ...top, block: { ...top.block, type: `heading-${level(top.heading)}` } as Block };
  });
}

function wordsOf({ block }: TopBlock): string {
  return saidBy(block.nodes as Phrasing[])
    .replace(/\s+/g, " ")
    .trim();
}

function bookOf(pages: readonly Page[], { files, skipped, parts }: Manuscript): Book {
  const paths = new UniquePaths();
  const written = pages.map((page) => ({ page, path: paths.claimForTitle(page.title) }));
  const places = placesOf(written);
  const texts = new Map<string, BookText>();
  for (const { page, path } of written)
    texts.set(path, { text: docxPageText(page, (url) => addressOf(url, path, places)) });
  const chapters = written.map(
    ({ page, path }): PageChapter => ({ kind: "page", path, title: page.title, chapters: [] }),
  );
  const all = [...parts.zip.skipped, ...skipped];
  return createBook({ chapters, texts, files, skipped: all });
}

function docxPageText({ title, blocks }: Page, href: (url: string) => string): string {
  const nodes = blocks.filter(({ heading }) => heading !== 0).map(({ block }) => block);
  const body = writeMarkdown(
    { object: "document", data: {}, nodes },
    { href: (ref) => (ref.kind === "url" ? href(ref.url) : "") },
  );
  return composePageSource({ title }, body);
}

/** Where bookmarks are: a page, and the anchor of the last heading before them. */
type Places = ReadonlyMap<string, { readonly path: string; readonly anchor: string }>;

function placesOf(pages: readonly { readonly page: Page; readonly path: string }[]): Places {
  const places = new Map<string, { path: string; anchor: string }>();
  if (!pages.some(({ page }) => page.blocks.some(({ bookmarks }) => bookmarks.length > 0))) return places;
  for (const { page, path } of pages) {
    const headings = page.blocks.filter(({ heading }) => heading !== undefined && heading !== 0);
    const document = { object: "document" as const, data: {}, nodes: headings.map(({ block }) => block) };
    const anchors = readMarkdown(writeMarkdown(document)).headings.map(({ anchor }) => `#${anchor}`);
    let anchor = "";
    for (const { heading, bookmarks } of page.blocks) {
      if (heading !== undefined && heading !== 0) anchor = anchors.shift() ?? "";
      for (const name of bookmarks) if (!places.has(name)) places.set(name, { path, anchor });
    }
  }
  return places;
}

/** An address as it is written on a page: those of bookmarks and of images become paths. */
function addressOf(url: string, from: string, places: Places): string {
  if (!url.startsWith("#")) return url;
  const place = places.get(url.slice(1));
  if (!place) return url;
  return place.path === from ? place.anchor || "#" : addressFrom(from, place.path, place.anchor);
}
