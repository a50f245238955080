// Images and other files that pages name: fetched once for each address, kept once for each content.

import type { BookFile } from "../../content/book/book";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";
import { parseUrl } from "../../utils/url";
import { UniquePaths } from "../page-paths";
import { howToRaise } from "../refused";
import type { SetAside } from "../set-aside";
import type { Asking } from "./answers";
import type { Skips } from "./skips";

/** The folder of a book that its files are in. */
const FOLDER = "assets";
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["image/png", ".png"],
  ["image/jpeg", ".jpg"],
  ["image/gif", ".gif"],
  ["image/webp", ".webp"],
  ["image/avif", ".avif"],
  ["image/svg+xml", ".svg"],
  ["application/pdf", ".pdf"],
]);

/** Bytes of files that are held. Further ones are set aside, where the caller can. */
const MOST_HELD = 8 * 1024 * 1024;

/** Collects files for a book. */
export class FileShelf {
  readonly files = new Map<string, BookFile>();
  /** Paths in the book by the address of the file. */
  readonly paths = new Map<string, string>();
  readonly #byContent = new Map<string, string>();
  readonly #names = new UniquePaths();
  #held = 0;

  /** `setAside` is for what is too much to be held. Default: everything is held. */
  constructor(readonly setAside?: SetAside | undefined) {}

  /** Puts a file on the shelf, unless one with the same bytes is there; says where it is. */
  put(bytes: Uint8Array, contentType: string, url: string, held: Held = { bytes }): string {
    const hash = sha256Hex(bytes);
    const known = this.#byContent.get(hash);
    if (known !== undefined) return known;
    const { stem, ending } = nameOf(url, contentType);
    const path = this.#names.free(`${FOLDER}/${stem}`, ending);
    this.#byContent.set(hash, path);
    this.files.set(path, { ...held, ...omitUndefined({ contentType: contentType === "" ? undefined : contentType }) });
    return path;
  }

  /** How the bytes of a file are kept until the book is complete. */
  async #keep(bytes: Uint8Array): Promise<Held> {
    this.#held += bytes.length;
    return this.setAside && this.#held > MOST_HELD ? { readBytes: await this.setAside(bytes) } : { bytes };
  }

  /** Fetches files and puts them on the shelf. `isAllowed` says whether a site lets an address be read. */
  async fetchAll(
    asking: Asking,
    urls: Iterable<string>,
    skips: Skips,
    isAllowed: (url: string) => boolean,
  ): Promise<void> {
    const waiting = [...new Set(Array.from(urls, withoutFragment))].filter((url) => /^https?:/i.test(url));
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < waiting.length) await this.#fetch(asking, waiting[next++]!, skips, isAllowed);
    };
    await Promise.all(Array.from({ length: Math.max(1, asking.limits.concurrency) }, work));
  }

  async #fetch(asking: Asking, url: string, skips: Skips, isAllowed: (url: string) => boolean): Promise<void> {
    if (!isAllowed(url)) {
      skips.add(url, "The site's robots.txt asks for it not to be read.");
      return;
    }
    if (this.files.size >= asking.limits.files) {
      skips.add(url, `An import takes ${asking.limits.files} files at the most. ${howToRaise("maxFiles")}`);
      return;
    }
    const answer = await asking.ask(url, {
      accept: "image/*, */*;q=0.5",
      maxBytes: asking.limits.fileBytes,
      refuse: (_, type) => (/^text\/html|xhtml/.test(type) ? `It is ${type}, not a file.` : undefined),
    });
    if (!answer.isReceived) skips.add(url, answer.reason);
    else if (answer.bytes.length === 0) skips.add(url, "It is empty.");
    else this.paths.set(url, this.put(answer.bytes, answer.type, answer.url, await this.#keep(answer.bytes)));
  }
}

type Held = Pick<BookFile, "bytes" | "readBytes">;

/** The address of a file without its fragment. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** A name for a file, from its address and, where that has no ending, its type. */
function nameOf(url: string, contentType: string): { stem: string; ending: string } {
  const last = decoded(parseUrl(url).pathname.split("/").at(-1) ?? "");
  const [, name = last, ending = ""] = /^(.*?)(\.[A-Za-z0-9]{1,8})$/.exec(last) ?? [];
  const stem = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, "")
    .slice(0, 80);
  return { stem: stem || "file", ending: ending.toLowerCase() || (ENDINGS.get(contentType) ?? "") };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
