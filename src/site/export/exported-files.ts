// What the addresses on exported pages become: files of the export where there is one, else the page that says that there is
// nothing. Files of the content are copied, because their own addresses end within the hour.

import type { DocsApi } from "../../api/create-docs-api";
import { sha256Hex } from "../../utils/sha256";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { ASSETS_PATH } from "../appearance/assets";
import type { PublishedUrl } from "../request/request-context";
import { getMarkdownFile, getPageFile } from "./file-paths";

export const NOT_FOUND = "404.html";

const HAS_HOST = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** What is known of the site while it is written. */
export interface ExportContext {
  readonly api: DocsApi;
  /** The address of the API, without a path. */
  readonly origin: string;
  /** The address of the site, with a slash at its end. */
  readonly root: string;
  /** The pages that are written, by their paths below the site. */
  readonly pages: ReadonlySet<string>;
  /** By site-space: its path below the site. */
  readonly siteSpaces: ReadonlyMap<string, string>;
  readonly resolve: (url: string) => Promise<PublishedUrl | undefined>;
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
}

/** Finds the files of addresses. */
export class ExportedFiles {
  readonly #known = new Map<string, Promise<string | undefined>>();
  readonly #copied = new Set<string>();

  constructor(private readonly site: ExportContext) {}

  /** How many files of the content were copied. */
  get copiedCount(): number {
    return this.#copied.size;
  }

  /**
   * The file that an address leads to, with what stands behind `#`. Undefined: it leads elsewhere, and stays as it is. `base`
   * is where it stands.
   */
  async resolveFile(
    address: string,
    base: string,
  ): Promise<{ readonly file: string; readonly anchor: string } | undefined> {
    if (address === "" || address.startsWith("#")) return undefined;
    const url = tryParseUrl(address, base);
    if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
    const anchor = url.hash;
    url.hash = "";
    const known = this.#known.get(url.href) ?? this.#find(url);
    this.#known.set(url.href, known);
    // What stands on a page without a host is meant for the site, also where it leads above it.
    const file = (await known) ?? (HAS_HOST.test(address) ? undefined : NOT_FOUND);
    return file === undefined ? undefined : { file, anchor };
  }

  async #find(url: URL): Promise<string | undefined> {
    const { root, origin } = this.site;
    if (`${url.origin}${url.pathname}/`.startsWith(root)) return this.#onSite(url);
    const isFile = url.origin === origin && url.pathname.includes("/v1/downloads/");
    return isFile ? ((await this.#copy(url)) ?? NOT_FOUND) : undefined;
  }

  async #onSite(url: URL): Promise<string> {
    const { root, pages, siteSpaces, resolve } = this.site;
    const rest = getSitePath(url, root);
    if (rest.startsWith(ASSETS_PATH)) return `assets/${rest.slice(ASSETS_PATH.length)}`;
    if (rest === "~octavo/to") {
      const top = siteSpaces.get(url.searchParams.get("space") ?? "") ?? "";
      const path = [top, url.searchParams.get("path") ?? ""].filter((it) => it !== "").join("/");
      return getPageFile(pages.has(path) ? path : top);
    }
    if (pages.has(rest)) return getPageFile(rest);
    if (rest.endsWith(".md") && pages.has(rest.slice(0, -3))) return getMarkdownFile(rest.slice(0, -3));
    if (rest.endsWith("/rss.xml") && pages.has(rest.slice(0, -"/rss.xml".length))) return rest;
    const found = await resolve(url.href);
    const moved = found?.type === "redirect" ? tryParseUrl(found.redirect) : undefined;
    const there = moved && `${moved.href}/`.startsWith(root) ? getSitePath(moved, root) : undefined;
    return there !== undefined && pages.has(there) ? getPageFile(there) : NOT_FOUND;
  }

  /** Copies a file of the content; undefined where it is gone. */
  async #copy(url: URL): Promise<string | undefined> {
    const response = await this.site.api.fetch(new Request(url.href));
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const path = `files/${sha256Hex(bytes).slice(0, 16)}-${getDownloadName(response.headers)}`;
    if (!this.#copied.has(path)) await this.site.write(path, bytes);
    this.#copied.add(path);
    return path;
  }
}

/** The path of an address below the site. */
export function getSitePath(url: URL, root: string): string {
  return url.pathname.slice(parseUrl(root).pathname.length).replace(/(?<!\/)\/+$/, "");
}

/** What a file is called, as far as every disk can have it. */
function getDownloadName(headers: Headers): string {
  const disposition = headers.get("content-disposition") ?? "";
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, quoted] = /filename="([^"]+)"/i.exec(disposition) ?? [];
  const name = (encoded === undefined ? quoted : readable(encoded)) ?? "file";
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(-100);
  return plain.replace(/^[.-]+/, "").replace(/(?<!\.)\.+$/, "") || "file";
}

function readable(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
