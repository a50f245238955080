// Addresses of the forms that a page has for machines, and addresses with their host.

import { trimTrailingSlashes, tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";

/** The address of a page's Markdown: the same path with an ending. */
export function toMarkdownUrl(page: string): string {
  return addExtension(page, ".md");
}

/** The address of a page as PDF. */
export function toPdfUrl(page: string): string {
  return addExtension(page, ".pdf");
}

function addExtension(page: string, ending: string): string {
  return mapUrlPath(page, (path) => (path.endsWith("/") ? `${path}index${ending}` : path + ending));
}

/** The address of the feed of a page. */
export function toFeedUrl(page: string): string {
  return mapUrlPath(page, (path) => `${trimTrailingSlashes(path)}/rss.xml`);
}

/** A preview has its token behind the path. */
function mapUrlPath(address: string, change: (path: string) => string): string {
  const end = address.search(/[?#]/);
  return end < 0 ? change(address) : change(address.slice(0, end)) + address.slice(end);
}

/** The same address as the API knows it: a proxy, or another name of the machine, may have led to it. */
export function toPublishedUrl(
  { url, resolved, profile }: Pick<RequestContext, "url" | "resolved" | "profile">,
  address: URL,
): string {
  const root = profile.site.urls.published;
  const isHere = address.host === url.host && `${address.pathname}/`.startsWith(resolved.siteBasePath);
  if (!isHere || root === undefined) return address.href;
  return `${trimTrailingSlashes(root)}/${address.pathname.slice(resolved.siteBasePath.length)}${address.search}`;
}

/** An address of the site with its host, as this visitor reaches it. */
export function toAbsoluteUrl({ url, toLocalUrl }: Pick<RequestContext, "url" | "toLocalUrl">, href: string): string {
  return tryParseUrl(toLocalUrl(href), url)?.href ?? href;
}
