// `sitemap.xml`: the pages that search engines may index, as the visitor sees them. With more than 50,000 pages it is an index of
// `sitemap-1.xml` and so on, as the sitemap protocol requires.

import { html } from "../../utils/html";
import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { createMachineResponse, createPlainResponse, XML } from "../responses/responses";
import { isIndexedPage, isIndexedSite, walkListedPages } from "./listed-pages";
import { removeInvalidXml, XML_HEAD } from "./xml";

/** The most URLs of one file. */
export const MAX_SITEMAP_URLS = 50_000;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export interface SitemapPage {
  readonly url: string;
  readonly updatedAt: string;
}

/** Responds with `sitemap.xml`, or with the part of this number. */
export async function createSitemapResponse(context: RequestContext, part?: number): Promise<CacheableResponse> {
  const root = context.profile.site.urls.published;
  if (!isIndexedSite(context) || root === undefined) return createPlainResponse(404, "This site has no sitemap.\n");
  async function* walkSitemapPages(): AsyncGenerator<SitemapPage> {
    for await (const { page, url } of walkListedPages(context))
      if (isIndexedPage(page)) yield { url, updatedAt: page.updatedAt };
  }
  const text = await renderSitemap(walkSitemapPages(), root.replace(/\/?$/, "/"), part);
  return text === undefined
    ? createPlainResponse(404, "The sitemap has no such part.\n")
    : createMachineResponse(context, text, XML, { "x-robots-tag": "noindex" });
}

/**
 * Renders a sitemap: all pages, or an index if there are more than `maxUrls`, or the part of a number. Returns undefined if there
 * is no such part.
 */
export async function renderSitemap(
  pages: AsyncIterable<SitemapPage>,
  root: string,
  part?: number,
  maxUrls = MAX_SITEMAP_URLS,
): Promise<string | undefined> {
  const first = part === undefined ? 0 : (part - 1) * maxUrls;
  const entries: string[] = [];
  let count = 0;
  for await (const { url, updatedAt } of pages) {
    if (count >= first && count < first + maxUrls)
      entries.push(html`<url><loc>${removeInvalidXml(url)}</loc><lastmod>${updatedAt}</lastmod></url>\n`.text);
    count++;
    if (part !== undefined && count >= first + maxUrls) break;
  }
  if (part !== undefined && entries.length === 0) return undefined;
  if (part !== undefined || count <= maxUrls)
    return `${XML_HEAD}<urlset xmlns="${NAMESPACE}">\n${entries.join("")}</urlset>\n`;
  const parts = Array.from(
    { length: Math.ceil(count / maxUrls) },
    (_, i) => html`<sitemap><loc>${removeInvalidXml(root)}sitemap-${i + 1}.xml</loc></sitemap>\n`.text,
  );
  return `${XML_HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${parts.join("")}</sitemapindex>\n`;
}
