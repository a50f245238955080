// `sitemap.xml`: the pages that search engines may list, as a visitor sees them. Beyond 50,000 it is an index of parts,
// `sitemap-1.xml` and so on, as the protocol of sitemaps wants it.

import { html, type Markup } from "../../utils/html";
import type { KeptResponse } from "../shelf";
import type { Visit } from "../visit";
import { indexedPages, isIndexedSite } from "./listed";
import { machineAnswer, machineNothing, XML } from "./text-answer";
import { XML_HEAD, xmlText } from "./xml";

/** The most addresses of one file. */
export const MOST_ADDRESSES = 50_000;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** A page in a sitemap. */
export interface MappedPage {
  readonly url: string;
  readonly updatedAt: string;
}

/** `sitemap.xml`, or with a number one of its parts. */
export async function sitemap(visit: Visit, part?: number): Promise<KeptResponse> {
  const root = visit.profile.site.urls.published;
  if (!isIndexedSite(visit) || root === undefined) return machineNothing("This site has no sitemap.");
  const text = await sitemapOf(mappedPages(visit), root.replace(/\/?$/, "/"), part);
  return text === undefined
    ? machineNothing("The sitemap has no such part.")
    : machineAnswer(visit, text, XML, { "x-robots-tag": "noindex" });
}

async function* mappedPages(visit: Visit): AsyncGenerator<MappedPage> {
  for await (const { page, url } of indexedPages(visit)) yield { url, updatedAt: page.updatedAt };
}

/** The text of a sitemap: whole, as an index, or one of its parts. Undefined: there is no such part. */
export async function sitemapOf(
  pages: AsyncIterable<MappedPage>,
  root: string,
  part?: number,
  most = MOST_ADDRESSES,
): Promise<string | undefined> {
  const first = part === undefined ? 0 : (part - 1) * most;
  const shown: Markup[] = [];
  let count = 0;
  for await (const page of pages) {
    if (count >= first && count < first + most) shown.push(entry(page));
    count++;
    if (part !== undefined && count >= first + most) break;
  }
  if (part !== undefined) return shown.length === 0 ? undefined : urlSet(shown);
  return count <= most ? urlSet(shown) : index(root, Math.ceil(count / most));
}

function entry({ url, updatedAt }: MappedPage): Markup {
  return html`<url><loc>${xmlText(url)}</loc><lastmod>${updatedAt}</lastmod></url>
`;
}

function urlSet(entries: readonly Markup[]): string {
  return `${XML_HEAD}<urlset xmlns="${NAMESPACE}">\n${entries.map(({ text }) => text).join("")}</urlset>\n`;
}

function index(root: string, parts: number): string {
  const entries = Array.from(
    { length: parts },
    (_, i) =>
      html`<sitemap><loc>${xmlText(root)}sitemap-${i + 1}.xml</loc></sitemap>
`.text,
  );
  return `${XML_HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join("")}</sitemapindex>\n`;
}
