// The feed of a page with updates, RSS 2.0: each update is an item with its text.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { drawBlocks } from "../blocks/blocks";
import { plainText } from "../blocks/text";
import { referencesOf } from "../references";
import type { RenderContext } from "../scene";
import { setScene } from "../set-scene";
import type { KeptResponse } from "../shelf";
import type { Visit } from "../visit";
import { absolute, feedAddress } from "./addresses";
import { withAttributes } from "./attributes";
import { machineAnswer, machineNothing, RSS } from "./text-answer";
import { updatesIn } from "./updates";
import { XML_HEAD, xmlText } from "./xml";

const MOST_ITEMS = 50;

/** The feed of the page that was found; undefined where the page went away meanwhile. */
export async function feedOf(visit: Visit, pageId: string): Promise<KeptResponse | undefined> {
  const page = await visit.page(pageId, "document");
  if (!page) return undefined;
  const nodes = (page.document?.nodes ?? []) as Block[];
  const updates = [...updatesIn(nodes)].slice(0, MOST_ITEMS);
  if (updates.length === 0) return machineNothing("This page has no updates, and so it has no feed.");
  const { look, profile, language } = visit;
  const link = absolute(visit, page.urls.published ?? visit.url.href);
  const title = `${page.title} | ${look.title ?? profile.site.title}`;
  const { scene } = await setScene(visit, page, referencesOf(page.references ?? [], visit));
  const items = updates.map((update) => item(visit, update, scene, { link, page: page.id }));
  const text = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(title)}</title>
<link>${xmlText(link)}</link>
<description>${xmlText(page.description ?? title)}</description>
<language>${language}</language>
<lastBuildDate>${new Date(page.updatedAt).toUTCString()}</lastBuildDate>
<atom:link href="${xmlText(feedAddress(link))}" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`;
  return machineAnswer(visit, XML_HEAD + text.text, RSS, { "x-robots-tag": "noindex" });
}

/** An update. Its first heading is its title. */
function item(
  visit: Visit,
  { key, data = {}, nodes = [] }: BlockOf<"update">,
  scene: RenderContext,
  { link, page }: { readonly link: string; readonly page: string },
): Markup {
  const { date, tags = [] } = data;
  const time = date === undefined ? Number.NaN : Date.parse(date);
  const blocks = nodes as Block[];
  const heading = blocks.find(({ type }) => type.startsWith("heading-"));
  const title = heading && plainText((heading.nodes as Phrasing[]) ?? []).trim();
  const rest = title ? blocks.filter((block) => block !== heading) : blocks;
  const drawn = drawBlocks(rest, scene).text;
  const text = withAttributes(drawn, (href) => (href.startsWith("#") ? link + href : absolute(visit, href)));
  const place = date === undefined ? link : `${link}#${encodeURIComponent(date)}`;
  return html`<item>
<title>${xmlText(title || (date ?? "Update"))}</title>
<link>${xmlText(place)}</link>
<guid isPermaLink="false">${page} ${key ?? date}</guid>
${
  !Number.isNaN(time) &&
  html`<pubDate>${new Date(time).toUTCString()}</pubDate>
`
}${tags.map(
  (tag) => html`<category>${xmlText(tag)}</category>
`,
)}<description>${xmlText(text)}</description>
</item>
`;
}
