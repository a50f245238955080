// `sitemap.xml`: the pages that search engines may list, as a visitor sees them. Beyond 50,000 it is an index of parts,
// `sitemap-1.xml` and so on, as the protocol of sitemaps wants it.

import { html, type Markup } from "../../utils/html";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { isIndexedSite, listIndexedPages } from "./listed-pages";
import { createMachineNotFound, createMachineResponse, XML } from "./text-responses";
import { removeInvalidXml, XML_HEAD } from "./xml";

/** The most addresses of one file. */
export const MAX_SITEMAP_URLS = 50_000;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** A page in a sitemap. */
export interface SitemapPage {
  readonly url: string;
  readonly updatedAt: string;
}

/** `sitemap.xml`, or with a number one of its parts. */
export async function createSitemapResponse(context: RequestContext, part?: number): Promise<CacheableResponse> {
  const root = context.profile.site.urls.published;
  if (!isIndexedSite(context) || root === undefined) return createMachineNotFound("This site has no sitemap.");
  const text = await renderSitemap(listSitemapPages(context), root.replace(/\/?$/, "/"), part);
  return text === undefined
    ? createMachineNotFound("The sitemap has no such part.")
    : createMachineResponse(context, text, XML, { "x-robots-tag": "noindex" });
}

async function* listSitemapPages(context: RequestContext): AsyncGenerator<SitemapPage> {
  for await (const { page, url } of listIndexedPages(context)) yield { url, updatedAt: page.updatedAt };
}

/** The text of a sitemap: whole, as an index, or one of its parts. Undefined: there is no such part. */
export async function renderSitemap(
  pages: AsyncIterable<SitemapPage>,
  root: string,
  part?: number,
  most = MAX_SITEMAP_URLS,
): Promise<string | undefined> {
  const first = part === undefined ? 0 : (part - 1) * most;
  const shown: Markup[] = [];
  let count = 0;
  for await (const page of pages) {
    if (count >= first && count < first + most) shown.push(renderSitemapEntry(page));
    count++;
    if (part !== undefined && count >= first + most) break;
  }
  if (part !== undefined) return shown.length === 0 ? undefined : renderUrlSet(shown);
  return count <= most ? renderUrlSet(shown) : renderSitemapIndex(root, Math.ceil(count / most));
}

function renderSitemapEntry({ url, updatedAt }: SitemapPage): Markup {
  return html`<url><loc>${removeInvalidXml(url)}</loc><lastmod>${updatedAt}</lastmod></url>
`;
}

function renderUrlSet(entries: readonly Markup[]): string {
  return `${XML_HEAD}<urlset xmlns="${NAMESPACE}">\n${entries.map(({ text }) => text).join("")}</urlset>\n`;
}

function renderSitemapIndex(root: string, parts: number): string {
  const entries = Array.from(
    { length: parts },
    (_, i) =>
      html`<sitemap><loc>${removeInvalidXml(root)}sitemap-${i + 1}.xml</loc></sitemap>
`.text,
  );
  return `${XML_HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join("")}</sitemapindex>\n`;
}
