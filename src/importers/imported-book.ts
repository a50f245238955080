// What imports have in common: the download that they begin with, the book that they return, and unique paths in it.

import { type Book, countComputedChapters, removePages, walkPages } from "../content/book/book";
import { decodePercent, getBaseName } from "../content/book/paths";
import { MAX_TEXT_LENGTH } from "../content/markdown/limits";
import { createSlug } from "../content/slugs";
import { ByteBuilder } from "../utils/bytes";
import { describeFailedRequest } from "../utils/fetch-error";
import { tryParseUrl } from "../utils/url";
import type { ArchiveLimits } from "./archive/limits";
import { describeLimitOption, ImportError } from "./errors";

export interface ImportedBook {
  readonly book: Book;
  /** The number of pages and files that were found, including those that were not taken. */
  readonly foundCount: number;
}

export interface DownloadSource {
  readonly url: string;
  /** Makes requests. The caller guards where they may lead. */
  readonly fetch: typeof fetch;
  readonly limits?: DownloadLimits;
  /** Stores bytes that are too large for memory. Default: everything stays in memory. */
  readonly spillBytes?: SpillBytes | undefined;
}

interface DownloadLimits {
  /** The most bytes that are downloaded. Default: 100 MB. */
  readonly maxBytes?: number;
  /** Default: `DEFAULT_ARCHIVE_LIMITS`. */
  readonly archive?: ArchiveLimits;
}

/** Stores bytes outside of memory, and returns a function that reads them again. */
export type SpillBytes = (bytes: Uint8Array) => Promise<() => Promise<Uint8Array>>;

/**
 * Counts what a book has and what was left out. Pages that are too long are left out, and so are those of `tooLong`, whose texts
 * were never written, by path with the reason. Pages below them move up. Throws `ImportError` if there is no page.
 */
export function createImportedBook(found: Book, tooLong: ReadonlyMap<string, string> = new Map()): ImportedBook {
  const reasons = new Map(tooLong);
  for (const [path, { text }] of found.texts)
    if (text.length > MAX_TEXT_LENGTH) reasons.set(path, `It is longer than ${MAX_TEXT_LENGTH} characters.`);
  let book = found;
  if (reasons.size > 0) {
    const texts = new Map(found.texts);
    for (const path of reasons.keys()) texts.delete(path);
    const skipped = [...found.skipped, ...Array.from(reasons, ([resource, reason]) => ({ resource, reason }))];
    book = { ...found, chapters: removePages(found.chapters, new Set(reasons.keys())), texts, skipped };
  }

  // A draft is a place in the table of contents without a text.
  const draftCount = [...walkPages(book.chapters)].filter(({ isDraft }) => isDraft).length;
  const pageCount = book.texts.size - draftCount + countComputedChapters(book.chapters);
  if (pageCount === 0) {
    const [first] = book.skipped;
    const why = first ? ` "${first.resource}" was not taken: ${first.reason}` : "";
    throw new ImportError(`There is no page to import in it.${why}`);
  }
  return { book, foundCount: pageCount + book.reusables.size + book.files.size + book.skipped.length };
}

/** A page in a folder with a longer path gets a path at the top. */
const MAX_FOLDER_LENGTH = 300;

/** Assigns paths. No two of them are equal, also regardless of case. */
export class UniquePaths {
  readonly #taken = new Set<string>();
  /** The next numbers by path, so that many equal paths take linear time. */
  readonly #nextNumbers = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    for (const path of taken) this.#taken.add(path.toLowerCase());
  }

  /** Returns a path for a page with a title, in a folder without a slash at its end. Default: at the top. */
  claimForTitle(title: string, folder = ""): string {
    const isInFolder = folder !== "" && folder.length <= MAX_FOLDER_LENGTH;
    return this.claim((isInFolder ? `${folder}/` : "") + createSlug(title), ".md");
  }

  /** Returns a path that is not taken, with a number before its ending if necessary. */
  claim(stem: string, ending: string): string {
    let path = stem + ending;
    for (let number = this.#nextNumbers.get(path) ?? 1; this.#taken.has(path.toLowerCase()); number++) {
      path = `${stem}-${number}${ending}`;
      this.#nextNumbers.set(stem + ending, number);
    }
    this.#taken.add(path.toLowerCase());
    return path;
  }
}

/** The most bytes of a download by default. */
export const MAX_DOWNLOAD_BYTES = 100 * 1024 * 1024;

interface DownloadedFile {
  readonly bytes: Uint8Array;
  /** The last URL, after redirects. */
  readonly url: string;
  /** The name that its sender or its URL gives it. Empty if neither does. */
  readonly name: string;
}

interface DownloadRequest {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** The most bytes. Default: `MAX_DOWNLOAD_BYTES`. */
  readonly limit?: number | undefined;
}

/** Downloads a file. Its bytes decide what it is, whatever its sender says. Throws `ImportError` if that fails. */
export async function download(url: string, fetch: typeof globalThis.fetch, limit?: number): Promise<DownloadedFile> {
  const builder = new ByteBuilder();
  const file = await streamDownload(async (bytes) => builder.append(bytes), { url, fetch, limit });
  return { ...file, bytes: builder.toBytes() };
}

/** Downloads a file as `download` does, and passes on the bytes as they arrive. */
export async function streamDownload(
  write: (bytes: Uint8Array) => Promise<void>,
  { url, fetch, limit = MAX_DOWNLOAD_BYTES }: DownloadRequest,
): Promise<Omit<DownloadedFile, "bytes">> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept: "*/*" } });
  } catch (cause) {
    throw new ImportError(`${describeFailedRequest("The address", cause)} Nothing was imported.`, { cause });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new ImportError(`The address answered with ${response.status}, and nothing was imported.`);
  }
  if (response.body) {
    const reader = response.body.getReader();
    const readChunk = () =>
      reader.read().catch((cause) => {
        throw new ImportError("The address did not send everything, and nothing was imported.", { cause });
      });
    try {
      let bytesLeft = limit;
      for (let chunk = await readChunk(); !chunk.done; chunk = await readChunk()) {
        bytesLeft -= chunk.value.length;
        if (bytesLeft < 0)
          throw new ImportError(
            `What is at the address has more than ${limit} bytes, and was not imported. ${describeLimitOption("maxBytes")}`,
          );
        await write(chunk.value);
      }
    } catch (error) {
      // Errors of the canceled rest do not matter.
      await reader.cancel().catch(() => {});
      throw error;
    }
  }

  const lastUrl = response.url || url;
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]{1,1000})/i.exec(disposition)?.[1];
  const quoted = /filename\s*=\s*(?:"([^"]{1,1000})"|([^;\s]{1,1000}))/i.exec(disposition);
  const stated = encoded === undefined ? (quoted?.[1] ?? quoted?.[2]) : decodePercent(encoded);
  const name =
    stated === undefined
      ? decodePercent(getBaseName(tryParseUrl(lastUrl)?.pathname ?? ""))
      : getBaseName(stated.replaceAll("\\", "/"));
  return { url: lastUrl, name };
}
