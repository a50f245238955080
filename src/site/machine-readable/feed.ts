// The RSS 2.0 feed of a page with updates. Each update is an item with its content.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { html } from "../../utils/html";
import { renderBlocks } from "../blocks/render-blocks";
import { getPlainText } from "../blocks/text";
import type { CacheableResponse } from "../cache/site-cache";
import { createPageReferences } from "../pages/block-context";
import { prepareBlocks } from "../pages/prepare-blocks";
import type { RequestContext } from "../request/request-context";
import { createMachineResponse, createPlainResponse, RSS } from "../responses/responses";
import { replaceMarkupUrls } from "./markup-urls";
import { toAbsoluteUrl, toFeedUrl } from "./page-urls";
import { removeInvalidXml, XML_HEAD } from "./xml";

const MAX_ITEMS = 50;

/** Renders the feed of a page. Returns undefined if the page was removed after its URL was resolved. */
export async function renderFeed(context: RequestContext, pageId: string): Promise<CacheableResponse | undefined> {
  const page = await context.getPage(pageId, "document");
  if (!page) return undefined;
  const updates = [...walkUpdates((page.document?.nodes ?? []) as Block[])].slice(0, MAX_ITEMS);
  if (updates.length === 0) return createPlainResponse(404, "This page has no updates, and so it has no feed.\n");
  const { customization, profile, language } = context;
  const pageUrl = toAbsoluteUrl(context, page.urls.published ?? context.url.href);
  const title = `${page.title} | ${customization.title ?? profile.site.title}`;
  const { blockContext } = await prepareBlocks(context, page, createPageReferences(page.references ?? [], context));

  const items = updates.map(({ key, data = {}, nodes = [] }) => {
    const { date, tags = [] } = data;
    const time = date === undefined ? Number.NaN : Date.parse(date);
    const blocks = nodes as Block[];
    // The first heading of an update is its title, and not repeated in its text.
    const heading = blocks.find(({ type }) => type.startsWith("heading-"));
    const itemTitle = heading && getPlainText((heading.nodes as Phrasing[]) ?? []).trim();
    const content = itemTitle ? blocks.filter((block) => block !== heading) : blocks;
    const description = replaceMarkupUrls(renderBlocks(content, blockContext).text, (href) =>
      href.startsWith("#") ? pageUrl + href : toAbsoluteUrl(context, href),
    );
    const itemUrl = date === undefined ? pageUrl : `${pageUrl}#${encodeURIComponent(date)}`;
    return html`<item>
<title>${removeInvalidXml(itemTitle || (date ?? "Update"))}</title>
<link>${removeInvalidXml(itemUrl)}</link>
<guid isPermaLink="false">${page.id} ${key ?? date}</guid>
${
  !Number.isNaN(time) &&
  html`<pubDate>${new Date(time).toUTCString()}</pubDate>
`
}${tags.map(
  (tag) => html`<category>${removeInvalidXml(tag)}</category>
`,
)}<description>${removeInvalidXml(description)}</description>
</item>
`;
  });

  const feed = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${removeInvalidXml(title)}</title>
<link>${removeInvalidXml(pageUrl)}</link>
<description>${removeInvalidXml(page.description ?? title)}</description>
<language>${language}</language>
<lastBuildDate>${new Date(page.updatedAt).toUTCString()}</lastBuildDate>
<atom:link href="${removeInvalidXml(toFeedUrl(pageUrl))}" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`;
  return createMachineResponse(context, XML_HEAD + feed.text, RSS, { "x-robots-tag": "noindex" });
}

const CONTAINERS = new Set<Block["type"]>(["updates", "columns", "column", "if"]);

/** Yields the updates of a page. A page has a feed if it has any. */
export function* walkUpdates(nodes: readonly Block[]): Generator<BlockOf<"update">> {
  for (const block of nodes) {
    if (block.type === "update") yield block;
    else if (CONTAINERS.has(block.type)) yield* walkUpdates((block.nodes as Block[]) ?? []);
  }
}
