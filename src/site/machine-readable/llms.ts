// `llms.txt`, the contents of a site for models with links to the Markdown of its pages, and `llms-full.txt`, the pages
// themselves. Both are bounded. They are cut between two pages, and lead on with an address that names the next page.

import { loadMarkdownReader } from "../../content/lazy";
import { toSingleLine } from "../../content/page-source/title";
import { runSteps } from "../../utils/concurrency/event-loop";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { areAgentsAllowed, type ListedPage, listIndexedPages, withSiteSpace } from "./listed-pages";
import { getPageMarkdown } from "./markdown";
import { toAbsoluteUrl, toMarkdownUrl } from "./page-urls";
import { createMachineNotFound, createMachineResponse, PLAIN } from "./text-responses";

const MOST_LINKS = 2_000;
const MOST_PAGES = 200;
/** Where a part ends, in UTF-16 units. Its last page may go beyond. */
const LONGEST_PART = 1_000_000;
/** Of a description. */
const LONGEST_NOTE = 300;

/** A part of a list: its text, and where the next one begins. */
export interface ListPart {
  readonly text: string;
  readonly next?: ListedPage;
}

export async function renderLlmsText(context: RequestContext): Promise<CacheableResponse> {
  return createPartResponse(context, "llms.txt", (pages) => renderContentsPart(context, pages));
}

export async function renderLlmsFullText(context: RequestContext): Promise<CacheableResponse> {
  return createPartResponse(context, "llms-full.txt", (pages) => renderTextsPart(context, pages));
}

async function createPartResponse(
  context: RequestContext,
  name: string,
  part: (pages: AsyncIterable<ListedPage>) => Promise<ListPart>,
): Promise<CacheableResponse> {
  if (!areAgentsAllowed(context)) return createMachineNotFound("This site is not for agents.");
  const from = context.url.searchParams.get("from");
  const { text, next } = await part(from === null ? listIndexedPages(context) : skipToPage(context, from));
  const more =
    next === undefined
      ? ""
      : `\n[More pages](${toAbsoluteUrl(context, context.toSiteUrl(`${name}?from=${getPageKey(next)}`))})\n`;
  return createMachineResponse(context, text + more, PLAIN, { "x-robots-tag": "noindex" });
}

/** A page is named with its site-space: translations have the ids of what they translate. */
function getPageKey({ siteSpace, page }: ListedPage): string {
  return `${siteSpace.id}.${page.id}`;
}

/** The pages from one on. If it is gone, there are none. */
async function* skipToPage(context: RequestContext, name: string): AsyncGenerator<ListedPage> {
  let isBehind = false;
  for await (const listed of listIndexedPages(context)) {
    isBehind ||= getPageKey(listed) === name;
    if (isBehind) yield listed;
  }
}

/** Links to pages, under the titles of their site-spaces. `link` gives the address of a page's Markdown. */
export async function renderContentsPart(
  context: RequestContext,
  pages: AsyncIterable<ListedPage>,
  link: (url: string) => string = (url) => toAbsoluteUrl(context, toMarkdownUrl(url)),
): Promise<ListPart> {
  const lines = [renderLlmsHead(context)];
  let siteSpace: string | undefined;
  let count = 0;
  for await (const listed of pages) {
    if (count++ === MOST_LINKS) return { text: lines.join(""), next: listed };
    if (siteSpace !== listed.siteSpace.id) lines.push(`\n## ${toSingleLine(listed.siteSpace.title) ?? ""}\n\n`);
    siteSpace = listed.siteSpace.id;
    lines.push(renderContentsLine(listed, link(listed.url)));
  }
  return { text: lines.join("") };
}

/** The name of the site and its summary, as llmstxt.org has them. A site without a description has one in general terms. */
function renderLlmsHead({ customization, profile }: RequestContext): string {
  const title = toSingleLine(customization.title ?? profile.site.title) ?? "";
  const summary =
    toSingleLine(customization.socialPreview.description ?? "") ?? `The pages of ${title}, as links to their Markdown.`;
  return `# ${title}\n\n> ${summary}\n`;
}

function renderContentsLine({ page, depth }: ListedPage, address: string): string {
  const title = (toSingleLine(page.title) ?? "").replace(/[[\]\\]/g, "\\$&");
  const note = toSingleLine(page.description ?? "")?.slice(0, LONGEST_NOTE);
  return `${"  ".repeat(depth)}- [${title}](${address})${note === undefined ? "" : `: ${note}`}\n`;
}

/** The texts of pages, one after the other. */
export async function renderTextsPart(context: RequestContext, pages: AsyncIterable<ListedPage>): Promise<ListPart> {
  const texts: string[] = [];
  let length = 0;
  for await (const listed of pages) {
    if (texts.length === MOST_PAGES || length >= LONGEST_PART) return { text: texts.join("\n"), next: listed };
    const made = await getPageMarkdown(withSiteSpace(context, listed.siteSpace), listed.page.id);
    if (!made) continue;
    const { replaceTagsInSteps } = await loadMarkdownReader();
    const plain = await runSteps(replaceTagsInSteps(made.text));
    const [title = "", ...body] = plain.split("\n");
    const text = [title, "", `Source: ${toAbsoluteUrl(context, listed.url)}`, ...body].join("\n");
    texts.push(text);
    length += text.length;
  }
  return { text: texts.join("\n") };
}
