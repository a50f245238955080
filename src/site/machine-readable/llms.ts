// `llms.txt`, the table of contents of a site with links to the Markdown of its pages, and `llms-full.txt`, the pages themselves.
// Both are limited in size: a part ends between two pages, with a link to the next part that names its first page.

import { loadMarkdownReader } from "../../content/lazy";
import { toSingleLine } from "../../content/page-source/title";
import { runSteps } from "../../utils/concurrency/event-loop";
import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { createMachineResponse, createPlainResponse, PLAIN } from "../responses/responses";
import { isIndexedPage, isOpenToAgents, type PageListing, switchSiteSpace, walkListedPages } from "./listed-pages";
import { getPageMarkdown } from "./markdown";
import { addExtension, toAbsoluteUrl } from "./page-urls";

const MAX_LINKS = 2_000;
const MAX_PAGES = 200;
/** The length after which no page is added to a part of `llms-full.txt`, in UTF-16 units. */
const MAX_PART_LENGTH = 1_000_000;
const MAX_DESCRIPTION_LENGTH = 300;

/** A part of a list: its text, and the page that the next part begins with. */
export interface ListPart {
  readonly text: string;
  readonly next?: PageListing;
}

/**
 * Responds with a part of `llms.txt` or `llms-full.txt`: that which begins at the page that the request names. If the page is gone,
 * the part is empty.
 */
export async function createLlmsResponse(
  context: RequestContext,
  name: "llms.txt" | "llms-full.txt",
): Promise<CacheableResponse> {
  if (!isOpenToAgents(context)) return createPlainResponse(404, "This site is not for agents.\n");
  // Translations have the ids of the pages that they translate, so a key contains the site-space.
  const getKey = ({ siteSpace, page }: PageListing) => `${siteSpace.id}.${page.id}`;
  const from = context.url.searchParams.get("from");
  async function* walkRemainingPages(): AsyncGenerator<PageListing> {
    let isReached = from === null;
    for await (const listing of walkListedPages(context)) {
      if (!isIndexedPage(listing.page)) continue;
      isReached ||= getKey(listing) === from;
      if (isReached) yield listing;
    }
  }
  const renderPart = name === "llms.txt" ? renderContentsPart : renderTextsPart;
  const { text, next } = await renderPart(context, walkRemainingPages());
  const nextUrl = next && toAbsoluteUrl(context, context.toSiteUrl(`${name}?from=${getKey(next)}`));
  const more = nextUrl === undefined ? "" : `\n[More pages](${nextUrl})\n`;
  return createMachineResponse(context, text + more, PLAIN, { "x-robots-tag": "noindex" });
}

/**
 * Renders links to pages under the titles of their site-spaces, in the format of llmstxt.org. `link` returns the URL of a page's
 * Markdown.
 */
export async function renderContentsPart(
  context: RequestContext,
  pages: AsyncIterable<PageListing>,
  link: (url: string) => string = (url) => toAbsoluteUrl(context, addExtension(url, ".md")),
): Promise<ListPart> {
  const { customization, profile } = context;
  const siteTitle = toSingleLine(customization.title ?? profile.site.title) ?? "";
  const summary =
    toSingleLine(customization.socialPreview.description ?? "") ??
    `The pages of ${siteTitle}, as links to their Markdown.`;
  const lines = [`# ${siteTitle}\n\n> ${summary}\n`];
  let siteSpaceId: string | undefined;
  let count = 0;
  for await (const listing of pages) {
    const { siteSpace, page, url, depth } = listing;
    if (count++ === MAX_LINKS) return { text: lines.join(""), next: listing };
    if (siteSpaceId !== siteSpace.id) lines.push(`\n## ${toSingleLine(siteSpace.title) ?? ""}\n\n`);
    siteSpaceId = siteSpace.id;
    const title = (toSingleLine(page.title) ?? "").replace(/[[\]\\]/g, "\\$&");
    const description = toSingleLine(page.description ?? "")?.slice(0, MAX_DESCRIPTION_LENGTH);
    const note = description === undefined ? "" : `: ${description}`;
    lines.push(`${"  ".repeat(depth)}- [${title}](${link(url)})${note}\n`);
  }
  return { text: lines.join("") };
}

/** Renders the full texts of pages, one after another. */
async function renderTextsPart(context: RequestContext, pages: AsyncIterable<PageListing>): Promise<ListPart> {
  const texts: string[] = [];
  let length = 0;
  for await (const listing of pages) {
    if (texts.length === MAX_PAGES || length >= MAX_PART_LENGTH) return { text: texts.join("\n"), next: listing };
    const markdown = await getPageMarkdown(switchSiteSpace(context, listing.siteSpace), listing.page.id);
    if (!markdown) continue;
    const { replaceTagsInSteps } = await loadMarkdownReader();
    const plain = await runSteps(replaceTagsInSteps(markdown.text));
    const [title = "", ...body] = plain.split("\n");
    const text = [title, "", `Source: ${toAbsoluteUrl(context, listing.url)}`, ...body].join("\n");
    texts.push(text);
    length += text.length;
  }
  return { text: texts.join("\n") };
}
