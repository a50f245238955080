// The tools that a site offers to agents: search, read a page, and list pages. They see what the visitor sees and nothing else.

import * as v from "valibot";
import { toSingleLine } from "../../content/page-source/title";
import { createError } from "../../errors";
import { defineTool, type Tool } from "../../mcp/tools";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import type { RequestContext } from "../request/request-context";
import { searchPages } from "../routes/search";
import { switchSiteSpace, walkListedPages } from "./listed-pages";
import { getPageMarkdown } from "./markdown";
import { toAbsoluteUrl, toPublishedUrl } from "./page-urls";

/** The most UTF-16 units of a page that one call returns. */
const MAX_TEXT_LENGTH = 50_000;
const MAX_LISTED_PAGES = 200;
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const PageAddress = v.pipe(v.string(), v.minLength(1), v.maxLength(2048));

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
    PageAddress,
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

export function createSiteTools(context: RequestContext): readonly Tool[] {
  return [
    defineTool({
      name: "search",
      title: "Search the documentation",
      description:
        "Finds pages of this documentation site by words. Use it first when you have a question and do not know " +
        "which page answers it. It returns the best pages first, each with its title, its URL and the passages " +
        "that match. Passages are short excerpts: call `read_page` with the URL before you rely on one. If nothing " +
        "is found, try fewer or other words, or look at `list_pages`.",
      input: SearchInput,
      annotations: READ_ONLY,
      async call({ query, limit }) {
        const results = (await searchPages(context, query)).slice(0, limit);
        const pages = results.map(({ title, space, urls, sections }) => ({
          title,
          url: toAbsoluteUrl(context, urls.published ?? ""),
          space,
          passages: sections.map((section) => ({
            title: section.title,
            url: toAbsoluteUrl(context, section.urls.published ?? ""),
            text: section.body,
          })),
        }));
        const lines = pages.flatMap(({ title, url, passages }) => [
          `- [${title}](${url})`,
          ...passages.map((it) => `  - ${toSingleLine(it.title) ?? ""}: ${toSingleLine(it.text) ?? ""}`),
        ]);
        const text = pages.length === 0 ? "No page of this site matches these words." : lines.join("\n");
        return { text, structured: { pages } };
      },
    }),
    defineTool({
      name: "read_page",
      title: "Read a page",
      description:
        "Returns one page of this documentation site as Markdown. Links in it are absolute URLs; those on this " +
        "site can be passed to `read_page` again. Blocks between `{% … %}` tags, such as hints and tabs, are part " +
        "of the text. A long page comes in parts: when the answer has `nextOffset`, call again with it as " +
        "`offset`. If the page does not exist, the answer says so: use `search` or `list_pages` to find the right " +
        "URL, and do not guess.",
      input: ReadInput,
      annotations: READ_ONLY,
      async call({ page: address, offset }) {
        const url = parsePageUrl(context, address);
        let found = url && (await context.resolveUrl(toPublishedUrl(context, url)));
        // A page that has moved is followed to its new URL.
        if (found?.type === "redirect" && found.target === "content") found = await context.resolveUrl(found.redirect);
        if (found?.type !== "content" || found.site !== context.resolved.site || !found.isFound)
          throw createError("page_not_found");
        const { siteSpace: siteSpaceId, page: pageId } = found;
        const siteSpace = context.siteSpaces.find(({ id }) => id === siteSpaceId);
        const result =
          siteSpace && pageId !== undefined && (await getPageMarkdown(switchSiteSpace(context, siteSpace), pageId));
        if (!result) throw createError("page_not_found");

        const { title, updatedAt, urls } = result.page;
        const markdown = result.text.slice(offset, offset + MAX_TEXT_LENGTH);
        const nextOffset = offset + MAX_TEXT_LENGTH < result.text.length ? offset + MAX_TEXT_LENGTH : undefined;
        const more =
          nextOffset === undefined ? "" : `\n\n(The page goes on: call read_page again with offset ${nextOffset}.)`;
        const publishedUrl = toAbsoluteUrl(context, urls.published ?? "");
        return {
          text: markdown + more,
          structured: { title, url: publishedUrl, updatedAt, markdown, ...omitUndefined({ nextOffset }) },
        };
      },
    }),
    defineTool({
      name: "list_pages",
      title: "List pages",
      description:
        "Returns the table of contents of this documentation site: titles, URLs and one-line descriptions of its " +
        "pages, in the order of reading, with indentation for pages below others. Use it to learn what the site " +
        "covers, or what stands near a page. A long list comes in parts: when the answer has `nextOffset`, call " +
        "again with it as `offset`. For a question about a certain thing, `search` is faster.",
      input: ListInput,
      annotations: READ_ONLY,
      async call({ under, offset }) {
        const top =
          under === undefined || under === "" ? undefined : parsePageUrl(context, under)?.href.replace(/\/$/, "");
        const pages: { title: string; url: string; description?: string; depth: number; space: string }[] = [];
        let skipped = 0;
        let hasMore = false;
        for await (const { page, siteSpace, url: publishedUrl, depth } of walkListedPages(context)) {
          const url = toAbsoluteUrl(context, publishedUrl);
          if (top !== undefined && url !== top && !url.startsWith(`${top}/`)) continue;
          if (skipped++ < offset) continue;
          if (pages.length === MAX_LISTED_PAGES) {
            hasMore = true;
            break;
          }
          const description = toSingleLine(page.description ?? "");
          pages.push({ title: page.title, url, ...omitUndefined({ description }), depth, space: siteSpace.title });
        }
        const lines = pages.map(
          ({ title, url, description, depth }) =>
            `${"  ".repeat(depth)}- [${title}](${url})${description === undefined ? "" : `: ${description}`}`,
        );
        const nextOffset = hasMore ? offset + pages.length : undefined;
        if (nextOffset !== undefined) lines.push(`(There are more: call list_pages again with offset ${nextOffset}.)`);
        const text = pages.length === 0 ? "There are no pages here." : lines.join("\n");
        return { text, structured: { pages, ...omitUndefined({ nextOffset }) } };
      },
    }),
  ];
}

/** Parses a URL, or a path below the site, without an anchor and the extension of Markdown. */
function parsePageUrl(context: RequestContext, address: string): URL | undefined {
  const isAbsolute = /^https?:\/\//i.test(address);
  const root = toAbsoluteUrl(context, context.toSiteUrl(""));
  const url = tryParseUrl(isAbsolute ? address : root.replace(/\/?(\?|$)/, `/${address.replace(/^\/+/, "")}$1`));
  if (url) {
    url.hash = "";
    url.pathname = url.pathname.replace(/\.md$/, "");
  }
  return url;
}
