// Imports a Word document from a URL.

import { type BookText, createBook, type PageChapter } from "../../content/book/book";
import type { Block, Phrasing } from "../../content/document";
import { getPhrasingText } from "../../content/markdown/document-parts";
import { readMarkdown } from "../../content/markdown/read";
import { writeMarkdown } from "../../content/markdown/write";
import { composePageSource } from "../../content/page-source";
import { omitUndefined } from "../../utils/objects";
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from "../archive/limits";
import { formatRelativeHref, getStem } from "../archive/paths";
import { openZip } from "../archive/zip";
import { download } from "../download";
import { ImportError } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { UniquePaths } from "../unique-paths";
import { getElement, getXmlText } from "../xml/parse-xml";
import { DocxContext } from "./docx-context";
import { DocxPackage } from "./docx-package";
import { Numbering } from "./numbering";
import { listBodyElements } from "./paragraphs";
import { readBody, type TopBlock } from "./read-body";
import { DocxStyles } from "./styles";

export async function importDocx({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes, name } = await download(url, fetch, limits.maxBytes);
  const title = getStem(name).trim();
  return readDocx(bytes, omitUndefined({ name: title === "" ? undefined : title, limits: limits.archive }));
}

// Reads a Word document as a book: one page, or one for each heading of the first level if there are several.

interface DocxOptions {
  /** The title of a document that states none: the name of its file. Default: "Document". */
  readonly name?: string;
  /** Default: `DEFAULT_ARCHIVE_LIMITS`. */
  readonly limits?: ArchiveLimits;
}

interface DocxPage {
  readonly title: string;
  readonly blocks: TopBlock[];
}

interface PlacedPage extends DocxPage {
  readonly path: string;
}

/** The place of a bookmark: a page, and the anchor of the last heading before it. */
interface BookmarkPlace {
  readonly path: string;
  readonly anchor: string;
}

/** Reads a Word document. Throws `ImportError` if the bytes are none. */
export function readDocx(
  bytes: Uint8Array,
  { name = "Document", limits = DEFAULT_ARCHIVE_LIMITS }: DocxOptions = {},
): ImportedBook {
  const parts = new DocxPackage(openZip(bytes, limits));
  const main = parts.getMainPart();
  const body = getElement(main?.root, "w:body");
  if (!main || !body) throw new ImportError("The file is not a Word document (docx).");
  const styles = new DocxStyles(parts.findRelatedPart(main, "styles")?.root);
  const numbering = new Numbering(parts.findRelatedPart(main, "numbering")?.root);
  const context = new DocxContext(parts, main, styles, numbering);
  const blocks = readBody(listBodyElements(body), main, context);
  const properties = parts.getPart("docProps/core.xml");
  const statedTitle = getXmlText(getElement(properties?.root, "dc:title")).trim();

  const uniquePaths = new UniquePaths();
  const pages = splitIntoPages(blocks, statedTitle || name).map(
    (page): PlacedPage => ({ ...page, path: uniquePaths.claimForTitle(page.title) }),
  );

  // The places of bookmarks. Headings get their anchors when they are written.
  const bookmarks = new Map<string, BookmarkPlace>();
  const hasBookmarks = pages.some(({ blocks }) => blocks.some(({ bookmarks }) => bookmarks.length > 0));
  for (const { blocks, path } of hasBookmarks ? pages : []) {
    const headings = blocks.filter(({ heading }) => heading !== undefined && heading !== 0);
    const document = { object: "document" as const, data: {}, nodes: headings.map(({ block }) => block) };
    const anchors = readMarkdown(writeMarkdown(document)).headings.map((heading) => `#${heading.anchor}`);
    let anchor = "";
    for (const { heading, bookmarks: names } of blocks) {
      if (heading !== undefined && heading !== 0) anchor = anchors.shift() ?? "";
      for (const name of names) if (!bookmarks.has(name)) bookmarks.set(name, { path, anchor });
    }
  }

  const texts = new Map<string, BookText>();
  for (const { title, blocks, path } of pages) {
    // Links to bookmarks become paths.
    const mapHref = (url: string) => {
      const place = url.startsWith("#") ? bookmarks.get(url.slice(1)) : undefined;
      if (!place) return url;
      return place.path === path ? place.anchor || "#" : formatRelativeHref(path, place.path, place.anchor);
    };
    const nodes = blocks.filter(({ heading }) => heading !== 0).map(({ block }) => block);
    const pageBody = writeMarkdown(
      { object: "document", data: {}, nodes },
      { href: (ref) => (ref.kind === "url" ? mapHref(ref.url) : "") },
    );
    texts.set(path, { text: composePageSource({ title }, pageBody) });
  }
  const chapters = pages.map(({ path, title }): PageChapter => ({ kind: "page", path, title, chapters: [] }));
  const skipped = [...parts.zip.skipped, ...context.skipped];
  return createImportedBook(createBook({ chapters, texts, files: context.files, skipped }));
}

/** Splits a document into pages. Their first headings become titles. */
function splitIntoPages(blocks: readonly TopBlock[], defaultTitle: string): DocxPage[] {
  const titleBlock = blocks.find(({ heading }) => heading === 0);
  if (blocks.filter(({ heading }) => heading === 1).length < 2) {
    const first = titleBlock ?? (blocks[0]?.heading === 1 ? blocks[0] : undefined);
    const pageBlocks = blocks.map((block) => (block === first ? { ...block, heading: 0 } : block));
    const isUnderTitle = !pageBlocks.some(({ heading }) => heading === 1);
    const title = first ? getBlockText(first) : defaultTitle;
    return [{ title, blocks: setHeadingLevels(pageBlocks, isUnderTitle ? 1 : 0) }];
  }

  const pages: DocxPage[] = [{ title: titleBlock ? getBlockText(titleBlock) : defaultTitle, blocks: [] }];
  for (const block of blocks) {
    if (block.heading === 1) pages.push({ title: getBlockText(block), blocks: [{ ...block, heading: 0 }] });
    else pages.at(-1)!.blocks.push(block);
  }
  const hasIntroduction = pages[0]!.blocks.some(({ heading }) => heading !== 0);
  const shown = hasIntroduction ? pages : pages.slice(1);
  return shown.map((page) => ({ title: page.title, blocks: setHeadingLevels(page.blocks, 1) }));
}

/** Gives headings the levels that pages have. The title takes up `titleLevels` of them. */
function setHeadingLevels(blocks: readonly TopBlock[], titleLevels: number): TopBlock[] {
  return blocks.map((top) => {
    if (top.heading === undefined || top.heading === 0) return top;
    const level = Math.min(3, Math.max(1, top.heading - titleLevels)) as 1 | 2 | 3;
    return { ...top, block: { ...top.block, type: `heading-${level}` } as Block };
  });
}

function getBlockText({ block }: TopBlock): string {
  return getPhrasingText(block.nodes as Phrasing[])
    .replace(/\s+/g, " ")
    .trim();
}
