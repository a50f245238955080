// The URLs of a site: which of them are one page, and which of them belong to the part that is imported.

import { parseUrl, trimTrailingSlashes, tryParseUrl } from "../../utils/url";

/** Parameters that say where a reader came from, or who the reader is, and not what is shown. */
const TRACKING_PARAMETER =
  /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|twclid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|phpsessid|jsessionid|sessionid|sid)$/i;
const PAGE_EXTENSION = /^(?:html?|xhtml|php\d?|aspx?|jspx?|cfm|cgi|pl|do|action|shtml)$/i;
/** Extensions of documents that a page offers to download. */
const FILE_EXTENSION = /^(?:pdf|docx|xlsx|pptx|odt|ods|odp|csv)$/i;
/** The name of an index, which the path of its folder leads to as well. */
const INDEX_NAME = /\/(?:index|default)\.(?:html?|php|aspx?)$/i;
const MAX_PAGE_URL_LENGTH = 1024;
const MAX_SEGMENTS = 24;
/** A path that repeats a name more often is part of a maze. */
const MAX_REPEATS = 3;

/** The part of a site that is imported: a host, and everything at a path or below it. */
export class CrawlScope {
  readonly origin: string;
  readonly #host: string;
  /** Without a slash at its end. The root is empty. */
  readonly path: string;

  /** Takes the URL of the first page. If it has an extension, the scope is its folder, or else the page and all below it. */
  constructor(url: string) {
    const { origin, host, pathname } = parseUrl(url);
    const path = pathname.replace(INDEX_NAME, "/");
    const isFile = getExtension(path) !== undefined;
    this.origin = origin;
    this.#host = host;
    this.path = trimTrailingSlashes(isFile ? path.slice(0, path.lastIndexOf("/")) : path);
  }

  has(url: string): boolean {
    const parsed = tryParseUrl(url);
    if (parsed?.host !== this.#host) return false;
    const path = parsed.pathname.replace(INDEX_NAME, "/");
    return path === this.path || path.startsWith(`${this.path}/`);
  }

  /** Returns the one form of the URLs of a page: without fragment, tracking, the name of an index and a slash at its end. */
  getUrlKey(url: string): string {
    const parsed = parseUrl(url);
    const path = parsed.pathname.replace(INDEX_NAME, "/").replace(/\/{2,}/g, "/");
    const query = [...parsed.searchParams]
      .filter(([name]) => !TRACKING_PARAMETER.test(name))
      .map(([name, value]) =>
        value === "" ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      )
      .sort();
    const origin = parsed.host === this.#host ? this.origin : parsed.origin;
    const search = query.length > 0 ? `?${query.join("&")}` : "";
    return origin + (path.length > 1 ? path.replace(/\/$/, "") : path) + search;
  }
}

/** Returns the extension of the last name of a path. A version such as `v1.2` has none. */
function getExtension(path: string): string | undefined {
  return /\.([A-Za-z][A-Za-z0-9]{1,4})$/.exec(path.slice(path.lastIndexOf("/") + 1))?.[1];
}

/** Returns what a URL of a site is likely to be, by its form. A "maze" repeats itself without end. */
export function classifyUrl(url: string): "page" | "file" | "other" | "maze" {
  const { pathname, username, password } = parseUrl(url);
  if (username !== "" || password !== "") return "other";
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  const maxRepeats = Math.max(0, ...counts.values());
  if (url.length > MAX_PAGE_URL_LENGTH || segments.length > MAX_SEGMENTS || maxRepeats > MAX_REPEATS) return "maze";
  const extension = getExtension(pathname);
  if (extension === undefined || PAGE_EXTENSION.test(extension)) return "page";
  return FILE_EXTENSION.test(extension) ? "file" : "other";
}
