// Finds the files of an export that URLs on its pages lead to. URLs of pages that are not exported lead to the page "not found".
// Content files are copied into the export, because their own URLs expire within the hour.

import type { DocsApi } from "../../api/create-docs-api";
import type { VisitedUrl } from "../../api/internal-client";
import { sha256Hex } from "../../utils/sha256";
import { parseUrl, tryDecodeUriComponent, tryParseUrl } from "../../utils/url";
import { ASSETS_PATH } from "../appearance/assets";
import { getMarkdownFile, getPageFile } from "./file-paths";

export const NOT_FOUND = "404.html";

const HAS_HOST = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

export interface SiteExportContext {
  readonly api: DocsApi;
  readonly origin: string;
  /** The URL of the site, with a slash at its end. */
  readonly root: string;
  /** The pages that are written, by their paths below the site. */
  readonly pages: ReadonlySet<string>;
  /** The paths of site-spaces below the site, by id. */
  readonly siteSpaces: ReadonlyMap<string, string>;
  readonly resolve: (url: string) => Promise<VisitedUrl | undefined>;
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
}

/** Resolves URLs to files of the export. */
export class ExportedFiles {
  readonly #files = new Map<string, Promise<string | undefined>>();
  readonly #copied = new Set<string>();

  constructor(private readonly site: SiteExportContext) {}

  /** The number of content files that were copied. */
  get copiedCount(): number {
    return this.#copied.size;
  }

  /**
   * Returns the file that a URL leads to, and its anchor. Returns undefined if the URL leads out of the export, and so stays as
   * it is. `base` is the URL of the page that contains it.
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
    const promise = this.#files.get(url.href) ?? this.#findFile(url);
    this.#files.set(url.href, promise);
    // A URL without a host is meant for the site, even if it leads above it.
    const file = (await promise) ?? (HAS_HOST.test(address) ? undefined : NOT_FOUND);
    return file === undefined ? undefined : { file, anchor };
  }

  async #findFile(url: URL): Promise<string | undefined> {
    const { root, origin } = this.site;
    if (`${url.origin}${url.pathname}/`.startsWith(root)) return this.#findSiteFile(url);
    const isContentFile = url.origin === origin && url.pathname.includes("/v1/downloads/");
    return isContentFile ? ((await this.#copyContentFile(url)) ?? NOT_FOUND) : undefined;
  }

  async #findSiteFile(url: URL): Promise<string> {
    const { root, pages, siteSpaces, resolve } = this.site;
    const path = getSitePath(url, root);
    if (path.startsWith(ASSETS_PATH)) return `assets/${path.slice(ASSETS_PATH.length)}`;
    // The menu of variants leads to the same page of another site-space, if it has one.
    if (path === "~octavo/to") {
      const top = siteSpaces.get(url.searchParams.get("space") ?? "") ?? "";
      const page = [top, url.searchParams.get("path") ?? ""].filter((it) => it !== "").join("/");
      return getPageFile(pages.has(page) ? page : top);
    }
    if (pages.has(path)) return getPageFile(path);
    if (path.endsWith(".md") && pages.has(path.slice(0, -3))) return getMarkdownFile(path.slice(0, -3));
    if (path.endsWith("/rss.xml") && pages.has(path.slice(0, -"/rss.xml".length))) return path;
    const published = await resolve(url.href);
    const moved = published?.type === "redirect" ? tryParseUrl(published.redirect) : undefined;
    const movedPath = moved && `${moved.href}/`.startsWith(root) ? getSitePath(moved, root) : undefined;
    return movedPath !== undefined && pages.has(movedPath) ? getPageFile(movedPath) : NOT_FOUND;
  }

  /** Copies a content file, and returns its path. Returns undefined if the file is gone. */
  async #copyContentFile(url: URL): Promise<string | undefined> {
    const response = await this.site.api.fetch(new Request(url.href));
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const disposition = response.headers.get("content-disposition") ?? "";
    const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
    const [, plain] = /filename="([^"]+)"/i.exec(disposition) ?? [];
    const name = (encoded === undefined ? plain : tryDecodeUriComponent(encoded)) ?? "file";
    // Some file systems do not allow other characters, or dots at the end.
    const safe = name
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .slice(-100)
      .replace(/^[.-]+/, "")
      .replace(/(?<!\.)\.+$/, "");
    const path = `files/${sha256Hex(bytes).slice(0, 16)}-${safe || "file"}`;
    if (!this.#copied.has(path)) await this.site.write(path, bytes);
    this.#copied.add(path);
    return path;
  }
}

export function getSitePath(url: URL, root: string): string {
  return url.pathname.slice(parseUrl(root).pathname.length).replace(/(?<!\/)\/+$/, "");
}
