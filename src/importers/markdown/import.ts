// One Markdown file from an address, with the images that stand beside it.

import type { BookFile, SkippedItem } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import { getBaseName, isUrl } from "../../content/book/paths";
import { decodeUtf8 } from "../../content/book/repository-files";
import { describeFile, safeFileName } from "../../content/files";
import { parsePageSource } from "../../content/page-source";
import { tryParseUrl } from "../../utils/url";
import { addressFrom, stemOf } from "../archive/paths";
import { download, MAX_DOWNLOAD_BYTES } from "../download";
import { ImportError } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { UniquePaths } from "../unique-paths";
import { mapAddresses } from "./addresses";

/** Where images of the file are put. */
const IMAGES = ".gitbook/assets/";
/** How many images of a file are fetched. */
const MAX_IMAGES = 500;
/** How many are on their way at once. */
const DOWNLOADS_AT_ONCE = 6;

/** Imports a Markdown file. Relative images are fetched; relative links lead to where they led before. */
export async function importMarkdown({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const limit = limits.maxBytes ?? MAX_DOWNLOAD_BYTES;
  const found = await download(rawAddress(url), fetch, limit);
  const text = markdownIn(found.bytes);
  const images = await imagesOf(text, found.url, { fetch, limit: limit - found.bytes.length });
  return markdownBook(text, { name: stemOf(found.name), url: found.url, ...images });
}

/** What is known of a Markdown file besides its text. */
export interface MarkdownContext {
  /** What the page is called when the text does not say it. */
  readonly name: string;
  /** Where relative links start; undefined leaves them. */
  readonly url?: string;
  /** Images by the address that the text has for them. */
  readonly images?: ReadonlyMap<string, BookFile & { readonly name: string }>;
  readonly skipped?: readonly SkippedItem[];
}

/** One Markdown text as a book. */
export function markdownBook(text: string, context: MarkdownContext): ImportedBook {
  const title = parsePageSource(text).title ?? (context.name.trim() || "Page");
  const paths = new UniquePaths();
  const path = paths.claimForTitle(title);
  const files = new Map<string, BookFile>();
  const places = new Map<string, string>();
  for (const [href, { name, ...file }] of context.images ?? []) {
    const place = paths.claim(IMAGES + stemOf(name), name.slice(stemOf(name).length));
    files.set(place, file);
    places.set(href, addressFrom(path, place));
  }
  const placed = mapAddresses(
    text,
    (href, isImage) => places.get(href) ?? (isImage ? undefined : absolute(href, context.url)),
  );
  return createImportedBook(
    createBook({
      chapters: [{ kind: "page", path, title, chapters: [] }],
      texts: new Map([[path, { text: placed }]]),
      files,
      skipped: context.skipped ?? [],
    }),
  );
}

/** GitHub shows files on pages of its own; the file itself is at another address. */
function rawAddress(url: string): string {
  return url.replace(/^(https:\/\/github\.com\/[^/]+\/[^/]+)\/blob\/(?=[^/]+\/.)/, "$1/raw/");
}

function markdownIn(bytes: Uint8Array): string {
  const found = decodeUtf8(bytes);
  if ("reason" in found)
    throw new ImportError(`What is at the address is no text that can be imported. ${found.reason}`);
  if (/^\s*<(?:!doctype\s+html|html)\b/i.test(found.text))
    throw new ImportError("There is a page of HTML at the address, not a Markdown file.");
  if (found.text.includes("\0") || found.text.trim() === "")
    throw new ImportError("There is no text in the file, and nothing was imported.");
  return found.text;
}

/** A relative link as it leads to the same place from elsewhere. */
function absolute(href: string, base: string | undefined): string | undefined {
  if (base === undefined || href === "" || href.startsWith("#") || isUrl(href)) return undefined;
  const address = tryParseUrl(href, base)?.href;
  return address?.replace(/[()'&]/g, (it) => (it === "&" ? it : `%${it.charCodeAt(0).toString(16)}`));
}

interface Way {
  readonly fetch: typeof fetch;
  /** How many bytes all images may have together. */
  readonly limit: number;
}

/** Fetches the relative images of a text, a few at a time. */
async function imagesOf(
  text: string,
  base: string,
  way: Way,
): Promise<Required<Pick<MarkdownContext, "images" | "skipped">>> {
  const wanted = relativeImages(text);
  const images = new Map<string, BookFile & { name: string }>();
  const skipped: SkippedItem[] = wanted.slice(MAX_IMAGES).map((resource) => ({
    resource,
    reason: `The file has more than ${MAX_IMAGES} images.`,
  }));
  let left = way.limit;
  for (let at = 0; at < Math.min(MAX_IMAGES, wanted.length); at += DOWNLOADS_AT_ONCE) {
    const some = wanted.slice(at, Math.min(MAX_IMAGES, at + DOWNLOADS_AT_ONCE));
    const found = await Promise.all(some.map((href) => image(href, base, { ...way, limit: left })));
    for (const [i, file] of found.entries()) {
      if (typeof file === "string") skipped.push({ resource: some[i]!, reason: file });
      else if (file.bytes.length > left)
        skipped.push({ resource: some[i]!, reason: "The images are too large together." });
      else {
        left -= file.bytes.length;
        images.set(some[i]!, file);
      }
    }
  }
  return { images, skipped };
}

function relativeImages(text: string): string[] {
  const found = new Set<string>();
  mapAddresses(text, (href, isImage) => {
    if (isImage && href !== "" && !isUrl(href) && !href.startsWith("#")) found.add(href);
    return undefined;
  });
  return [...found];
}

type Image = { readonly bytes: Uint8Array; readonly contentType: string; readonly name: string };

/** An image, or why it is not taken. */
async function image(href: string, base: string, { fetch, limit }: Way): Promise<Image | string> {
  const address = tryParseUrl(href, base);
  if (!address) return "Its address makes no sense.";
  try {
    const { bytes, name } = await download(address.href, fetch, limit);
    const { contentType } = describeFile(bytes, { name });
    if (!/^(?:image|video|audio)\//.test(contentType)) return "It is not an image.";
    return { bytes, contentType, name: safeFileName(getBaseName(name)) };
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}
