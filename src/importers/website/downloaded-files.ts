// Images and other files that pages name: fetched once for each URL, stored once for each content.

import type { BookFile } from "../../content/book/book";
import { decodePercent } from "../../content/book/paths";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import { parseUrl } from "../../utils/url";
import { describeLimitOption } from "../errors";
import type { SpillBytes } from "../imported-book";
import { UniquePaths } from "../unique-paths";
import type { SkippedResources } from "./skipped-resources";
import type { WebClient } from "./web-client";

/** The folder of a book that its files are in. */
const FOLDER = "assets";
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", ".png"],
  ["image/jpeg", ".jpg"],
  ["image/gif", ".gif"],
  ["image/webp", ".webp"],
  ["image/avif", ".avif"],
  ["image/svg+xml", ".svg"],
  ["application/pdf", ".pdf"],
]);
/** The size of the files that stay in memory. Further ones are spilled, if the caller can. */
const MAX_BYTES_IN_MEMORY = 8 * 1024 * 1024;

type FileContent = Pick<BookFile, "bytes" | "readBytes">;

/** Collects the files of a book. */
export class DownloadedFiles {
  readonly files = new Map<string, BookFile>();
  /** Paths in the book by the URL of the file. */
  readonly paths = new Map<string, string>();
  readonly #pathsByHash = new Map<string, string>();
  readonly #uniquePaths = new UniquePaths();
  #bytesInMemory = 0;

  /** `spillBytes` stores what is too large for memory. Default: everything stays in memory. */
  constructor(readonly spillBytes?: SpillBytes | undefined) {}

  add(bytes: Uint8Array, contentType: string, url: string, content: FileContent = { bytes }): string {
    const hash = sha256Hex(bytes);
    const existingPath = this.#pathsByHash.get(hash);
    if (existingPath !== undefined) return existingPath;

    // The name comes from the URL, and the extension from the type if the URL has none.
    const last = decodePercent(parseUrl(url).pathname.split("/").at(-1) ?? "");
    const [, name = last, extension = ""] = /^(.*?)(\.[A-Za-z0-9]{1,8})$/.exec(last) ?? [];
    const stem = toFileName(name) || "file";
    const ending = extension.toLowerCase() || (EXTENSIONS.get(contentType) ?? "");
    const path = this.#uniquePaths.claim(`${FOLDER}/${stem}`, ending);
    this.#pathsByHash.set(hash, path);
    const type = omitUndefined({ contentType: contentType === "" ? undefined : contentType });
    this.files.set(path, { ...content, ...type });
    return path;
  }

  /** Fetches files and adds them. `isAllowed` returns whether a site lets a URL be read. */
  async download(
    client: WebClient,
    urls: Iterable<string>,
    skipped: SkippedResources,
    isAllowed: (url: string) => boolean,
  ): Promise<void> {
    const queue = [...new Set(Array.from(urls, removeFragment))].filter((url) => /^https?:/i.test(url));
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < queue.length) {
        const url = queue[next++]!;
        const problem = isAllowed(url)
          ? await this.#fetchFile(client, url)
          : "The robots.txt file of the site disallows it.";
        if (problem !== undefined) skipped.add(url, problem);
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, client.limits.concurrency) }, work));
  }

  /** Fetches a file and adds it. Returns why that was not possible, or undefined if it was. */
  async #fetchFile(client: WebClient, url: string): Promise<string | undefined> {
    const { maxFiles, maxFileBytes } = client.limits;
    if (this.files.size >= maxFiles)
      return `An import takes ${maxFiles} files at the most. ${describeLimitOption("maxFiles")}`;
    const resource = await client.get(url, {
      accept: "image/*, */*;q=0.5",
      maxBytes: maxFileBytes,
      findProblem: (_, type) => (/^text\/html|xhtml/.test(type) ? `It is ${type}, not a file.` : undefined),
    });
    if (!resource.isOk) return resource.reason;
    const { bytes, type } = resource;
    if (bytes.length === 0) return "It is empty.";
    this.#bytesInMemory += bytes.length;
    const isSpilled = this.spillBytes !== undefined && this.#bytesInMemory > MAX_BYTES_IN_MEMORY;
    const content = isSpilled ? { readBytes: await this.spillBytes(bytes) } : { bytes };
    this.paths.set(url, this.add(bytes, type, resource.url, content));
    return undefined;
  }
}

/** Returns a URL without its fragment. */
export function removeFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** Returns a text as the name of a file, or an empty string if nothing is left. */
export function toFileName(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, "")
    .slice(0, 80);
}
