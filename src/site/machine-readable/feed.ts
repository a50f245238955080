// The feed of a page with updates, RSS 2.0: each update is an item with its text.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { renderBlocks } from "../blocks/render-blocks";
import { getPlainText } from "../blocks/text";
import type { CacheableResponse } from "../cache/response-cache";
import type { BlockContext } from "../pages/block-context";
import { prepareBlocks } from "../pages/create-block-context";
import { createPageReferences } from "../pages/references";
import type { RequestContext } from "../request/request-context";
import { replaceMarkupUrls } from "./markup-urls";
import { toAbsoluteUrl, toFeedUrl } from "./page-urls";
import { createMachineNotFound, createMachineResponse, RSS } from "./text-responses";
import { walkUpdates } from "./updates";
import { removeInvalidXml, XML_HEAD } from "./xml";

const MOST_ITEMS = 50;

/** The feed of the page that was found; undefined where the page went away meanwhile. */
export async function renderFeed(context: RequestContext, pageId: string): Promise<CacheableResponse | undefined> {
  const page = await context.getPage(pageId, "document");
  if (!page) return undefined;
  const nodes = (page.document?.nodes ?? []) as Block[];
  const updates = [...walkUpdates(nodes)].slice(0, MOST_ITEMS);
  if (updates.length === 0) return createMachineNotFound("This page has no updates, and so it has no feed.");
  const { customization, profile, language } = context;
  const link = toAbsoluteUrl(context, page.urls.published ?? context.url.href);
  const title = `${page.title} | ${customization.title ?? profile.site.title}`;
  const { blockContext } = await prepareBlocks(context, page, createPageReferences(page.references ?? [], context));
  const items = updates.map((update) => renderFeedItem(context, update, blockContext, { link, page: page.id }));
  const text = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${removeInvalidXml(title)}</title>
<link>${removeInvalidXml(link)}</link>
<description>${removeInvalidXml(page.description ?? title)}</description>
<language>${language}</language>
<lastBuildDate>${new Date(page.updatedAt).toUTCString()}</lastBuildDate>
<atom:link href="${removeInvalidXml(toFeedUrl(link))}" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`;
  return createMachineResponse(context, XML_HEAD + text.text, RSS, { "x-robots-tag": "noindex" });
}

/** An update. Its first heading is its title. */
function renderFeedItem(
  context: RequestContext,
  { key, data = {}, nodes = [] }: BlockOf<"update">,
  blockContext: BlockContext,
  { link, page }: { readonly link: string; readonly page: string },
): Markup {
  const { date, tags = [] } = data;
  const time = date === undefined ? Number.NaN : Date.parse(date);
  const blocks = nodes as Block[];
  const heading = blocks.find(({ type }) => type.startsWith("heading-"));
  const title = heading && getPlainText((heading.nodes as Phrasing[]) ?? []).trim();
  const rest = title ? blocks.filter((block) => block !== heading) : blocks;
  const drawn = renderBlocks(rest, blockContext).text;
  const text = replaceMarkupUrls(drawn, (href) => (href.startsWith("#") ? link + href : toAbsoluteUrl(context, href)));
  const place = date === undefined ? link : `${link}#${encodeURIComponent(date)}`;
  return html`<item>
<title>${removeInvalidXml(title || (date ?? "Update"))}</title>
<link>${removeInvalidXml(place)}</link>
<guid isPermaLink="false">${page} ${key ?? date}</guid>
${
  !Number.isNaN(time) &&
  html`<pubDate>${new Date(time).toUTCString()}</pubDate>
`
}${tags.map(
  (tag) => html`<category>${removeInvalidXml(tag)}</category>
`,
)}<description>${removeInvalidXml(text)}</description>
</item>
`;
}
