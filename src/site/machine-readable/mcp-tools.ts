// The tools that agents have on a site: search, read a page, list pages. They see what the visitor sees and nothing else.

import * as v from "valibot";
import { toSingleLine } from "../../content/page-source/title";
import { createError } from "../../errors";
import { defineTool, type Tool } from "../../mcp/tools";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";
import { searchPages } from "../routes/search";
import { listPublishedPages, withSiteSpace } from "./listed-pages";
import { getPageMarkdown } from "./markdown";
import { toAbsoluteUrl, toPublishedUrl } from "./page-urls";

/** Of one answer, in UTF-16 units. */
const LONGEST_TEXT = 50_000;
const MOST_LISTED = 200;
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const Address = v.pipe(v.string(), v.minLength(1), v.maxLength(2048));

const SearchInput = v.strictObject({
  query: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(512),
    v.description("Words to look for. A few distinctive ones find more than a whole sentence."),
  ),
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50), v.description("How many pages to return at most.")),
    10,
  ),
});

const ReadInput = v.strictObject({
  page: v.pipe(
    Address,
    v.description(
      "The page: its `url` as `search` and `list_pages` return it, or its path below the site, such as `guides/setup`.",
    ),
  ),
  offset: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description(
        "Where to go on in a long page: `nextOffset` of the answer before. Leave it out for the beginning.",
      ),
    ),
    0,
  ),
});

const ListInput = v.strictObject({
  under: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(2048),
      v.description("List only pages at or below this URL or path. Leave it out for the whole site."),
    ),
  ),
  offset: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description("How many pages to pass over: `nextOffset` of the answer before. Leave it out for the beginning."),
    ),
    0,
  ),
});

/** The tools of a visit. */
export function createSiteTools(context: RequestContext): readonly Tool[] {
  return [
    defineTool({
      name: "search",
      title: "Search the documentation",
      description:
        "Finds pages of this documentation site by words. Use it first when you have a question and do not know which page answers it. It returns the best pages first, each with its title, its URL and the passages that match. Passages are short excerpts: call `read_page` with the URL before you rely on one. If nothing is found, try fewer or other words, or look at `list_pages`.",
      input: SearchInput,
      annotations: READS,
      call: async ({ query, limit }) => runSearchTool(context, query, limit),
    }),
    defineTool({
      name: "read_page",
      title: "Read a page",
      description:
        "Returns one page of this documentation site as Markdown. Links in it are absolute URLs; those on this site can be passed to `read_page` again. Blocks between `{% … %}` tags, such as hints and tabs, are part of the text. A long page comes in parts: when the answer has `nextOffset`, call again with it as `offset`. If the page does not exist, the answer says so: use `search` or `list_pages` to find the right URL, and do not guess.",
      input: ReadInput,
      annotations: READS,
      call: async ({ page, offset }) => runReadPageTool(context, page, offset),
    }),
    defineTool({
      name: "list_pages",
      title: "List pages",
      description:
        "Returns the table of contents of this documentation site: titles, URLs and one-line descriptions of its pages, in the order of reading, with indentation for pages below others. Use it to learn what the site covers, or what stands near a page. A long list comes in parts: when the answer has `nextOffset`, call again with it as `offset`. For a question about a certain thing, `search` is faster.",
      input: ListInput,
      annotations: READS,
      call: async ({ under, offset }) => runListPagesTool(context, under, offset),
    }),
  ];
}

async function runSearchTool(context: RequestContext, query: string, limit: number) {
  const pages = (await searchPages(context, query)).slice(0, limit).map(({ title, space, urls, sections }) => ({
    title,
    url: toAbsoluteUrl(context, urls.published ?? ""),
    space,
    passages: sections.map((it) => ({
      title: it.title,
      url: toAbsoluteUrl(context, it.urls.published ?? ""),
      text: it.body,
    })),
  }));
  const lines = pages.map(({ title, url, passages }) =>
    [
      `- [${title}](${url})`,
      ...passages.map((it) => `  - ${toSingleLine(it.title) ?? ""}: ${toSingleLine(it.text) ?? ""}`),
    ].join("\n"),
  );
  const text = pages.length === 0 ? "No page of this site matches these words." : lines.join("\n");
  return { text, structured: { pages } };
}

async function runReadPageTool(context: RequestContext, page: string, offset: number) {
  const found = await resolvePage(context, page);
  const siteSpace = context.siteSpaces.find(({ id }) => id === found?.siteSpace);
  const made =
    siteSpace && found?.page !== undefined && (await getPageMarkdown(withSiteSpace(context, siteSpace), found.page));
  if (!made) throw createError("page_not_found");
  const { title, updatedAt, urls } = made.page;
  const markdown = made.text.slice(offset, offset + LONGEST_TEXT);
  const nextOffset = offset + LONGEST_TEXT < made.text.length ? offset + LONGEST_TEXT : undefined;
  const more =
    nextOffset === undefined ? "" : `\n\n(The page goes on: call read_page again with offset ${nextOffset}.)`;
  const url = toAbsoluteUrl(context, urls.published ?? "");
  return {
    text: markdown + more,
    structured: { title, url, updatedAt, markdown, ...omitUndefined({ nextOffset }) },
  };
}

/** What is at an address of this site, or at a path below it. Where it has moved, it is followed. */
async function resolvePage(context: RequestContext, page: string) {
  const address = parsePageUrl(context, page);
  const first = address && (await context.resolveUrl(toPublishedUrl(context, address)));
  const moved = first?.type === "redirect" && first.target === "content" ? first.redirect : undefined;
  const found = moved === undefined ? first : await context.resolveUrl(moved);
  return found?.type === "content" && found.site === context.resolved.site && found.complete ? found : undefined;
}

/** An address without what names its form or a place on the page. */
function parsePageUrl(context: RequestContext, page: string): URL | undefined {
  const isAddress = /^https?:\/\//i.test(page);
  const below = toAbsoluteUrl(context, context.toSiteUrl(""));
  const address = tryParseUrl(isAddress ? page : below.replace(/\/?(\?|$)/, `/${page.replace(/^\/+/, "")}$1`));
  if (address) {
    address.hash = "";
    address.pathname = address.pathname.replace(/\.md$/, "");
  }
  return address;
}

async function runListPagesTool(context: RequestContext, under: string | undefined, offset: number) {
  const top = under === undefined || under === "" ? undefined : parsePageUrl(context, under)?.href.replace(/\/$/, "");
  const pages: { title: string; url: string; description?: string; depth: number; space: string }[] = [];
  let passed = 0;
  let isMore = false;
  for await (const { page, siteSpace, url, depth } of listPublishedPages(context)) {
    const address = toAbsoluteUrl(context, url);
    if (top !== undefined && address !== top && !address.startsWith(`${top}/`)) continue;
    if (passed++ < offset) continue;
    if (pages.length === MOST_LISTED) {
      isMore = true;
      break;
    }
    const description = toSingleLine(page.description ?? "");
    const about = description === undefined ? {} : { description };
    pages.push({ title: page.title, url: address, ...about, depth, space: siteSpace.title });
  }
  const lines = pages.map(
    ({ title, url, description, depth }) =>
      `${"  ".repeat(depth)}- [${title}](${url})${description === undefined ? "" : `: ${description}`}`,
  );
  const nextOffset = isMore ? offset + pages.length : undefined;
  if (nextOffset !== undefined) lines.push(`(There are more: call list_pages again with offset ${nextOffset}.)`);
  const text = pages.length === 0 ? "There are no pages here." : lines.join("\n");
  return { text, structured: { pages, ...omitUndefined({ nextOffset }) } };
}
