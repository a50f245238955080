// The URLs of the formats of a page, and URLs of the site with their origin.

import { trimTrailingSlashes, tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";

/** Returns the URL of a page in another format, such as `.md` or `.pdf`: the same path with an extension. */
export function addExtension(page: string, extension: string): string {
  return changeUrlPath(page, (path) => (path.endsWith("/") ? `${path}index${extension}` : path + extension));
}

/** Returns the URL of the feed of a page. */
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
