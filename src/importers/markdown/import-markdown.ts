// Imports one Markdown file from a URL, with the images that are relative to it.

import { type BookFile, createBook, type SkippedItem } from "../../content/book/book";
import { getBaseName, isUrl } from "../../content/book/paths";
import { decodeUtf8 } from "../../content/book/repository-files";
import { describeFile, sanitizeFileName } from "../../content/files";
import { parsePageSource } from "../../content/page-source";
import { splitIntoChunks } from "../../utils/chunks";
import { tryParseUrl } from "../../utils/url";
import { formatRelativeHref, getStem } from "../archive/paths";
import { download, MAX_DOWNLOAD_BYTES } from "../download";
import { ImportError } from "../errors";
import { createImportedBook, type DownloadSource, type ImportedBook } from "../imported-book";
import { UniquePaths } from "../unique-paths";
import { mapUrls } from "./map-urls";

interface DownloadedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly name: string;
}

const IMAGE_FOLDER = ".gitbook/assets/";
/** The most images of a file that are fetched. */
const MAX_IMAGES = 500;
const MAX_CONCURRENT_DOWNLOADS = 6;

/** Imports a Markdown file. Relative images are fetched; relative links lead to the same place as before. */
export async function importMarkdown({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const maxBytes = limits.maxBytes ?? MAX_DOWNLOAD_BYTES;
  // GitHub shows a file on a page; the file itself is at another URL.
  const rawUrl = url.replace(/^(https:\/\/github\.com\/[^/]+\/[^/]+)\/blob\/(?=[^/]+\/.)/, "$1/raw/");
  const file = await download(rawUrl, fetch, maxBytes);
  const decoded = decodeUtf8(file.bytes);
  if ("reason" in decoded)
    throw new ImportError(`The content of the URL isn't text that can be imported. ${decoded.reason}`);
  const { text } = decoded;
  if (/^\s*<(?:!doctype\s+html|html)\b/i.test(text))
    throw new ImportError("The URL returned an HTML page instead of a Markdown file.");
  if (text.includes("\0") || text.trim() === "")
    throw new ImportError("The file contains no text, so nothing was imported.");
  const { images, skipped } = await downloadImages(text, file.url, fetch, maxBytes - file.bytes.length);

  const title = parsePageSource(text).title ?? (getStem(file.name).trim() || "Page");
  const uniquePaths = new UniquePaths();
  const path = uniquePaths.claimForTitle(title);
  const files = new Map<string, BookFile>();
  const imageHrefs = new Map<string, string>();
  for (const [href, { name, ...image }] of images) {
    const stem = getStem(name);
    const filePath = uniquePaths.claim(IMAGE_FOLDER + stem, name.slice(stem.length));
    files.set(filePath, image);
    imageHrefs.set(href, formatRelativeHref(path, filePath));
  }
  const linkedText = mapUrls(text, (href, isImage) => {
    const imageHref = imageHrefs.get(href);
    if (imageHref !== undefined || isImage) return imageHref;
    // Relative links become absolute.
    if (href === "" || href.startsWith("#") || isUrl(href)) return undefined;
    return tryParseUrl(href, file.url)?.href.replace(
      /[()']/g,
      (character) => `%${character.charCodeAt(0).toString(16)}`,
    );
  });
  const chapters = [{ kind: "page" as const, path, title, chapters: [] }];
  const texts = new Map([[path, { text: linkedText }]]);
  return createImportedBook(createBook({ chapters, texts, files, skipped }));
}

/** Downloads the relative images of a text, a few at a time. All of them together have at most `maxBytes`. */
async function downloadImages(
  text: string,
  baseUrl: string,
  fetch: typeof globalThis.fetch,
  maxBytes: number,
): Promise<{ images: Map<string, DownloadedImage>; skipped: SkippedItem[] }> {
  const found = new Set<string>();
  mapUrls(text, (href, isImage) => {
    if (isImage && href !== "" && !isUrl(href) && !href.startsWith("#")) found.add(href);
    return undefined;
  });
  const hrefs = [...found].slice(0, MAX_IMAGES);
  const images = new Map<string, DownloadedImage>();
  const skipped: SkippedItem[] = [...found].slice(MAX_IMAGES).map((resource) => ({
    resource,
    reason: `The file has more than ${MAX_IMAGES} images.`,
  }));
  let bytesLeft = maxBytes;
  for (const batch of splitIntoChunks(hrefs, MAX_CONCURRENT_DOWNLOADS)) {
    const maxImageBytes = bytesLeft;
    // A text says why an image is not taken.
    const results = await Promise.all(
      batch.map(async (href): Promise<DownloadedImage | string> => {
        const url = tryParseUrl(href, baseUrl);
        if (!url) return "Its URL is invalid.";
        try {
          const { bytes, name } = await download(url.href, fetch, maxImageBytes);
          const { contentType } = describeFile(bytes, { name });
          if (!/^(?:image|video|audio)\//.test(contentType)) return "It is not an image.";
          return { bytes, contentType, name: sanitizeFileName(getBaseName(name)) };
        } catch (error) {
          if (error instanceof ImportError) return error.message;
          throw error;
        }
      }),
    );
    for (const [i, image] of results.entries()) {
      const resource = batch[i]!;
      if (typeof image === "string") skipped.push({ resource, reason: image });
      else if (image.bytes.length > bytesLeft)
        skipped.push({ resource, reason: "The images exceed the total size limit." });
      else {
        bytesLeft -= image.bytes.length;
        images.set(resource, image);
      }
    }
  }
  return { images, skipped };
}
