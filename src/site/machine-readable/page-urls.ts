// The URLs of the formats of a page, and URLs of the site with their origin. A page is requested as HTML, Markdown (`<page>.md` or the
// header `Accept`), PDF (`<page>.pdf`), or the feed of its updates (`<page>/rss.xml`). Slugs contain no dots, so no page has such a URL
// itself.

import { parseUrl, trimTrailingSlashes, tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";

/** Returns the URL of a page in another format, such as `.md` or `.pdf`: the same path with an extension. */
export function addExtension(page: string, extension: string): string {
  return changeUrlPath(page, (path) => (path.endsWith("/") ? `${path}index${extension}` : path + extension));
}

export function toFeedUrl(page: string): string {
  return changeUrlPath(page, (path) => `${trimTrailingSlashes(path)}/rss.xml`);
}

/** Returns a URL with another path, and the same query: the URL of a preview has a token there. */
function changeUrlPath(url: string, change: (path: string) => string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? change(url) : change(url.slice(0, end)) + url.slice(end);
}

/** Returns the published URL of a URL that this visitor uses: a proxy, or another name of the host, may be in between. */
export function toPublishedUrl(
  { url, resolved, profile }: Pick<RequestContext, "url" | "resolved" | "profile">,
  address: URL,
): string {
  const root = profile.site.urls.published;
  const isOnSite = address.host === url.host && `${address.pathname}/`.startsWith(resolved.siteBasePath);
  if (!isOnSite || root === undefined) return address.href;
  return `${trimTrailingSlashes(root)}/${address.pathname.slice(resolved.siteBasePath.length)}${address.search}`;
}

/** Returns the absolute URL of a page of the site, as this visitor reaches it. */
export function toAbsoluteUrl({ url, toLocalUrl }: Pick<RequestContext, "url" | "toLocalUrl">, href: string): string {
  return tryParseUrl(toLocalUrl(href), url)?.href ?? href;
}

export type PageFormat = "page" | "markdown" | "pdf" | "feed";

interface RequestedFormat {
  readonly format: PageFormat;
  /** The URLs of the page that the request may refer to, the most likely first. The last is the URL of the request. */
  readonly urls: readonly URL[];
}

const EXTENSIONS = [
  [".md", "markdown"],
  [".pdf", "pdf"],
] as const;

export function parseRequestedFormat(url: URL, accept: string | null): RequestedFormat {
  const path = url.pathname;
  const withPath = (pathname: string): URL => {
    const other = parseUrl(url.href);
    other.pathname = pathname === "" ? "/" : pathname;
    return other;
  };
  if (path.endsWith("/rss.xml")) return { format: "feed", urls: [withPath(path.slice(0, -"/rss.xml".length)), url] };
  for (const [extension, format] of EXTENSIONS) {
    if (!path.endsWith(extension)) continue;
    const pagePath = path.slice(0, -extension.length);
    // `guide/index.md` and `guide/readme.md` may be the Markdown of `guide`.
    const folder = /^(.*)\/(?:index|readme)$/i.exec(pagePath)?.[1];
    const paths = folder === undefined ? [pagePath] : [pagePath, folder];
    return { format, urls: [...paths.map(withPath), url] };
  }
  return { format: isMarkdownPreferred(accept) ? "markdown" : "page", urls: [url] };
}

/** Returns true if the header `Accept` contains Markdown, and does not prefer HTML. Browsers never send it. */
export function isMarkdownPreferred(accept: string | null): boolean {
  if (!accept?.includes("text/markdown")) return false;
  const weights = new Map(
    accept
      .slice(0, 1000)
      .split(",")
      .map((range): [type: string, weight: number] => {
        const [type = "", ...parameters] = range.split(";").map((it) => it.trim().toLowerCase());
        const weight = Number(parameters.find((it) => it.startsWith("q="))?.slice(2) ?? 1);
        return [type, Number.isNaN(weight) ? 0 : weight];
      }),
  );
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0);
}
