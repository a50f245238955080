// Addresses of the forms that a page has for machines, and addresses with their host.

import { trimTrailingSlashes, tryParseUrl } from "../../utils/url";
import type { Visit } from "../visit";

/** The address of a page's Markdown: the same path with an ending. */
export function markdownAddress(page: string): string {
  return withEnding(page, ".md");
}

/** The address of a page as PDF. */
export function pdfAddress(page: string): string {
  return withEnding(page, ".pdf");
}

function withEnding(page: string, ending: string): string {
  return withPath(page, (path) => (path.endsWith("/") ? `${path}index${ending}` : path + ending));
}

/** The address of the feed of a page. */
export function feedAddress(page: string): string {
  return withPath(page, (path) => `${trimTrailingSlashes(path)}/rss.xml`);
}

/** A preview has its token behind the path. */
function withPath(address: string, change: (path: string) => string): string {
  const end = address.search(/[?#]/);
  return end < 0 ? change(address) : change(address.slice(0, end)) + address.slice(end);
}

/** The same address as the API knows it: a proxy, or another name of the machine, may have led to it. */
export function known({ url, found, profile }: Pick<Visit, "url" | "found" | "profile">, address: URL): string {
  const root = profile.site.urls.published;
  const isHere = address.host === url.host && `${address.pathname}/`.startsWith(found.siteBasePath);
  if (!isHere || root === undefined) return address.href;
  return `${trimTrailingSlashes(root)}/${address.pathname.slice(found.siteBasePath.length)}${address.search}`;
}

/** An address of the site with its host, as this visitor reaches it. */
export function absolute({ url, local }: Pick<Visit, "url" | "local">, href: string): string {
  return tryParseUrl(local(href), url)?.href ?? href;
}
