// Addresses of a site: which of them are one page, and which of them belong to what is imported.

import { parseUrl, trimTrailingSlashes, tryParseUrl } from "../../utils/url";

/** Parameters that say where a reader came from, or who it is, and not what is shown. */
const TRACKING =
  /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|twclid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|phpsessid|jsessionid|sessionid|sid)$/i;
/** Endings of what is a page, or may be one. */
const PAGE_ENDINGS = /^(?:html?|xhtml|php\d?|aspx?|jspx?|cfm|cgi|pl|do|action|shtml)$/i;
/** Endings of documents that a page offers to be downloaded. */
const FILE_ENDINGS = /^(?:pdf|docx|xlsx|pptx|odt|ods|odp|csv)$/i;
const MAX_LENGTH = 1024;
const MAX_SEGMENTS = 24;
/** A name that comes so often in one path is one of a maze. */
const MAX_REPEATS = 3;

/** The part of a site that is imported: a host, and what is at a path or below it. */
export class Scope {
  readonly origin: string;
  readonly #host: string;
  /** Without a slash at its end; the root is empty. */
  readonly path: string;

  /** Of a first page. A page with an ending stands in its folder; any other is the top itself. */
  constructor(url: string) {
    const { origin, host, pathname } = parseUrl(url);
    const clean = withoutIndex(pathname);
    const isFile = endingOf(clean) !== undefined;
    this.origin = origin;
    this.#host = host;
    this.path = trimTrailingSlashes(isFile ? clean.slice(0, clean.lastIndexOf("/")) : clean);
  }

  /** Whether an address is part of it. */
  has(url: string): boolean {
    const address = tryParseUrl(url);
    if (address?.host !== this.#host) return false;
    const path = withoutIndex(address.pathname);
    return path === this.path || path.startsWith(`${this.path}/`);
  }

  /** The one form of an address of the site: without fragment, tracking, the name of an index and a slash at its end. */
  keyOf(url: string): string {
    const address = parseUrl(url);
    const path = withoutIndex(address.pathname).replace(/\/{2,}/g, "/");
    const query = [...address.searchParams]
      .filter(([name]) => !TRACKING.test(name))
      .map(([name, value]) =>
        value === "" ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      )
      .sort();
    const host = address.host === this.#host ? this.origin : address.origin;
    return host + (path.length > 1 ? path.replace(/\/$/, "") : path) + (query.length > 0 ? `?${query.join("&")}` : "");
  }
}

function withoutIndex(path: string): string {
  return path.replace(/\/(?:index|default)\.(?:html?|php|aspx?)$/i, "/");
}

/** The ending of the last name of a path; a version such as `v1.2` has none. */
function endingOf(path: string): string | undefined {
  return /\.([A-Za-z][A-Za-z0-9]{1,4})$/.exec(path.slice(path.lastIndexOf("/") + 1))?.[1];
}

/** What an address of a site is likely to be, by how it looks; "maze" is one that repeats itself without end. */
export function kindOf(url: string): "page" | "file" | "other" | "maze" {
  const { pathname, username, password } = parseUrl(url);
  if (username !== "" || password !== "") return "other";
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  if (url.length > MAX_LENGTH || segments.length > MAX_SEGMENTS || Math.max(0, ...counts.values()) > MAX_REPEATS)
    return "maze";
  const ending = endingOf(pathname);
  if (ending === undefined || PAGE_ENDINGS.test(ending)) return "page";
  return FILE_ENDINGS.test(ending) ? "file" : "other";
}
