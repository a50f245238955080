// Exports a site as static files: every page that a visitor without credentials can see, and everything that pages load. The files
// need no server, and links work from any folder, even with `file:` URLs. One page at a time is in memory.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { DocsApi } from "../../api/create-docs-api";
import { getApiInternals } from "../../api/internals";
import { ANONYMOUS } from "../../operation/actor";
import { formatOrganizationId, parsePartitionCode } from "../../storage/ids";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { assets } from "../appearance/assets";
import type { SearchIndexPage } from "../browser/search-results";
import { type CacheableResponse, SiteCache } from "../cache/site-cache";
import { renderFeed } from "../machine-readable/feed";
import {
  isIndexedPage,
  isIndexedSite,
  isOpenToAgents,
  type PageListing,
  switchSiteSpace,
  walkListedPages,
} from "../machine-readable/listed-pages";
import { renderContentsPart } from "../machine-readable/llms";
import { getPageMarkdown } from "../machine-readable/markdown";
import { toFeedUrl } from "../machine-readable/page-urls";
import { MAX_SITEMAP_URLS, renderSitemap } from "../machine-readable/sitemap";
import { renderContentPage } from "../pages/content-page";
import { createRequestContext, type RequestContext } from "../request/request-context";
import { findOriginSharing, type SiteContext } from "../request/site-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { ExportedFiles, getSitePath, NOT_FOUND } from "./exported-files";
import { getMarkdownFile, getPageFile, toRelativeUrl } from "./file-paths";
import { moveUrl, type RewriteContext, rewritePageLinks, rewriteTextLinks } from "./rewrite-links";
import { createSearchIndexPage, renderSearchIndex } from "./search-index";
import { SEARCH_INDEX_FILE } from "./search-index-file";

/** Writes a file of the export. The path has `/` between its parts, and never leaves the folder. */
export type WriteFile = (path: string, bytes: Uint8Array) => void | Promise<void>;

export interface ExportOptions {
  /**
   * The URL where the files will be published, such as `https://docs.example.org/guide/`. With it, pages have a canonical URL, and
   * there are a sitemap and feeds, which require absolute URLs. Default: unknown.
   */
  readonly url?: string;
  /** Called after each page that was written. */
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Aborts the export, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ExportProgress {
  readonly pages: number;
  readonly total: number;
}

export interface ExportedSite {
  /** The URL where the site is published. */
  readonly url: string;
  readonly pages: number;
  /** The number of content files that pages show or offer. */
  readonly files: number;
}

/** The length after which no page is added to a part of `llms-full.txt`, in UTF-16 units. */
const MAX_PART_LENGTH = 1_000_000;

/**
 * Writes a published site as files. `site` is its id or its URL. Only public and unlisted sites can be exported.
 *
 * ```ts
 * await exportSite(api, "https://docs.example.org", async (path, bytes) => {
 *   await bucket.put(path, bytes);
 * });
 * ```
 */
export async function exportSite(
  api: DocsApi,
  site: string,
  write: WriteFile,
  { url: targetUrl, onProgress, signal }: ExportOptions = {},
): Promise<ExportedSite> {
  const internals = getApiInternals(api);
  const target = targetUrl === undefined ? undefined : tryParseUrl(targetUrl);
  if (targetUrl !== undefined && (!target || !/^https?:$/.test(target.protocol)))
    throw new TypeError("Expected `url` to be an address such as https://docs.example.org/.");
  const home = target && `${target.origin}${target.pathname.replace(/\/?$/, "/")}`;

  const siteContext: SiteContext = {
    internals,
    options: {},
    canRunScripts: (url) =>
      findOriginSharing(internals.kernel.urls, home === undefined ? url : parseUrl(home)) === "nobody",
    // Every page is rendered once. Only the profile of the site is read many times.
    pageCache: new SiteCache(internals.kernel.store, 0),
    searchCache: new SiteCache(internals.kernel.store, 0),
    profileCache: new SiteCache(internals.kernel.store, 1),
    diagramAsset: undefined,
  };

  /** Returns the context of an anonymous visitor at a published URL. Redirects of moved content are followed. */
  async function visitUrl(address: string): Promise<RequestContext | undefined> {
    const client = internals.client.openSnapshot();
    const first = await client.visitUrl(address);
    const url = first?.type === "redirect" && first.target === "content" ? first.redirect : address;
    const resolved = url === address ? first : await client.visitUrl(url);
    if (resolved?.type !== "content") return undefined;
    return createRequestContext(siteContext, {
      request: { method: "GET", url, headers: new Headers(), body: async () => new Uint8Array() },
      url: parseUrl(url),
      client,
      resolved,
      credentials: undefined,
      isExport: true,
    });
  }

  let start: string | undefined;
  const code = parsePartitionCode("site", site);
  if (/^https?:/i.test(site)) start = tryParseUrl(site)?.href;
  else if (code !== undefined) {
    const params = { organizationId: formatOrganizationId(code), siteId: site };
    const profile = await internals.client.openSnapshot().callAs(ANONYMOUS)("getPublishedSite", { params });
    start = profile?.site.urls.published;
  }
  const front = start === undefined ? undefined : await visitUrl(start);
  const visibility = front?.profile.site.visibility;
  const published = front?.profile.site.urls.published;
  if (!front || published === undefined || (visibility !== "public" && visibility !== "unlisted"))
    throw new SiteExportError();
  const root = published.endsWith("/") ? published : `${published}/`;
  const pages: PageListing[] = [];
  for await (const listing of walkListedPages(front)) pages.push(listing);

  const toSitePath = (url: string) => getSitePath(parseUrl(url), root);
  const siteSpaces = front.siteSpaces.flatMap(({ id, urls }) =>
    urls.published === undefined ? [] : { id, url: urls.published },
  );
  const files = new ExportedFiles({
    api,
    origin: parseUrl(internals.origin).origin,
    root,
    pages: new Set([...pages, ...siteSpaces].map(({ url }) => toSitePath(url)).concat("")),
    siteSpaces: new Map(siteSpaces.map(({ id, url }) => [id, toSitePath(url)])),
    resolve: (url) => internals.client.openSnapshot().visitUrl(url),
    write: async (path, bytes) => write(path, bytes),
  });
  const writeText = async (path: string, text: string) => write(path, utf8ToBytes(text));
  const at = (url: string, file: string): RewriteContext => ({ files, root, home, url, file });
  const writePage = async (context: RequestContext, page: CacheableResponse, file: string) =>
    writeText(file, await rewritePageLinks(String(page.body), at(context.url.href, file)));
  // Links in texts for machines are absolute, if the URL of the export is known.
  const toHomeUrl = (from: string) => (file: string) =>
    home === undefined ? toRelativeUrl(from, file) : home + toRelativeUrl("", file).replace(/(^|\/)index\.html$/, "$1");

  // The URLs of the site and of its site-spaces show their first pages.
  for (const url of new Set([root.slice(0, -1), ...siteSpaces.map((it) => it.url)])) {
    signal?.throwIfAborted();
    const context = await visitUrl(url);
    const page = context?.resolved.page !== undefined && (await renderContentPage(context, context.resolved.page));
    if (context && page) await writePage(context, page, getPageFile(toSitePath(url)));
  }

  const searchIndex: SearchIndexPage[] = [];
  const llmsFull = new LlmsFullWriter(writeText);
  let done = 0;
  for (const listing of pages) {
    signal?.throwIfAborted();
    await yieldToEventLoop();
    await exportPage(listing);
    done++;
    onProgress?.({ pages: done, total: pages.length });
  }
  await llmsFull.end();
  await writeText(SEARCH_INDEX_FILE, renderSearchIndex(searchIndex));

  /** Writes a page as HTML and Markdown, with its feed. Nothing is written if it was removed in the meantime. */
  async function exportPage({ url, page, siteSpace }: PageListing): Promise<void> {
    const context = await visitUrl(url);
    const response = context && (await renderContentPage(context, page.id));
    const markdown = response && (await getPageMarkdown(switchSiteSpace(context, siteSpace), page.id));
    if (!response || !markdown) return;
    const pageFile = getPageFile(toSitePath(url));
    await writePage(context, response, pageFile);
    if (page.noIndex !== true) {
      const href = toRelativeUrl("", pageFile);
      searchIndex.push(createSearchIndexPage(String(response.body), page.title, href, siteSpace.title));
    }

    // Links in Markdown lead to the Markdown of other pages.
    const markdownFile = getMarkdownFile(toSitePath(url));
    const toMarkdownLink = (file: string) =>
      toRelativeUrl(markdownFile, file.replace(/\/index\.html$/, ".md").replace(/^index\.html$/, "index.md"));
    await writeText(markdownFile, await rewriteTextLinks(markdown.text, at(url, markdownFile), toMarkdownLink));
    if (isOpenToAgents(context) && isIndexedPage(page)) {
      const name = "llms-full.txt";
      await llmsFull.add(await rewriteTextLinks(markdown.text, at(url, name), toHomeUrl(name)));
    }

    if (home === undefined || !String(response.body).includes('type="application/rss+xml"')) return;
    const feed = await renderFeed(context, page.id);
    if (feed?.status !== 200) return;
    const feedFile = `${pageFile.replace(/index\.html$/, "")}rss.xml`;
    const text = String(feed.body).replaceAll(toFeedUrl(url), moveUrl(toFeedUrl(url), root, home));
    await writeText(feedFile, await rewriteTextLinks(text, at(url, feedFile), toHomeUrl(feedFile)));
  }

  // Static hosts serve this page at every path, so relative links on it would not work.
  const notFound = await renderNotFoundPage(front);
  const { pathname } = parseUrl(home ?? "http://localhost/");
  const toRootedUrl = home === undefined ? undefined : (file: string) => pathname + toRelativeUrl("", file);
  await writeText(NOT_FOUND, await rewritePageLinks(String(notFound.body), at(root, NOT_FOUND), toRootedUrl));

  const indexedPages = pages.filter(({ page }) => isIndexedPage(page));
  const isIndexed = isIndexedSite(front);
  const rules = isIndexed ? "Allow: /" : "Disallow: /";
  const sitemap = isIndexed && home !== undefined ? `Sitemap: ${home}sitemap.xml\n` : "";
  await writeText("robots.txt", `User-agent: *\n${rules}\n${sitemap}`);
  if (isIndexed && home !== undefined) {
    const walkPages = () =>
      iterateYielding(
        indexedPages.map(({ url, page }) => ({ url: moveUrl(url, root, home), updatedAt: page.updatedAt })),
      );
    await writeText("sitemap.xml", (await renderSitemap(walkPages(), home))!);
    for (let part = 1; indexedPages.length > MAX_SITEMAP_URLS; part++) {
      const text = await renderSitemap(walkPages(), home, part);
      if (text === undefined) break;
      await writeText(`sitemap-${part}.xml`, text);
    }
  }

  let from = 0;
  for (let part = 1; isOpenToAgents(front) && (part === 1 || from < indexedPages.length); part++) {
    const name = part === 1 ? "llms.txt" : `llms-${part}.txt`;
    const link = (url: string) => {
      const file = getMarkdownFile(toSitePath(url));
      return home === undefined ? toRelativeUrl(name, file) : home + toRelativeUrl("", file);
    };
    const { text, next } = await renderContentsPart(front, iterateYielding(indexedPages.slice(from)), link);
    from = next === undefined ? indexedPages.length : indexedPages.indexOf(next);
    await writeText(name, next === undefined ? text : `${text}\n[More pages](llms-${part + 1}.txt)\n`);
  }

  for (const [name, { body }] of assets)
    await write(`assets/${name}`, typeof body === "string" ? utf8ToBytes(body) : body);
  return { url: published, pages: done, files: files.copiedCount };
}

/** The site does not exist, or is not open to everybody. */
export class SiteExportError extends Error {
  constructor() {
    super(
      [
        "There is no published site here that everybody may read.",
        "Sites with share links, or for visitors who sign in, cannot be exported.",
      ].join(" "),
    );
  }
}

async function* iterateYielding<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    await yieldToEventLoop();
    yield item;
  }
}

/** Writes `llms-full.txt` in parts, each with a link to the next. */
class LlmsFullWriter {
  #texts: string[] = [];
  #length = 0;
  #part = 1;

  constructor(private readonly writeText: (path: string, text: string) => Promise<void>) {}

  async add(text: string): Promise<void> {
    if (this.#length >= MAX_PART_LENGTH) await this.#writePart(`\n[More pages](llms-full-${this.#part + 1}.txt)\n`);
    this.#texts.push(text);
    this.#length += text.length;
  }

  async end(): Promise<void> {
    if (this.#texts.length > 0) await this.#writePart("");
  }

  async #writePart(ending: string): Promise<void> {
    const name = this.#part === 1 ? "llms-full.txt" : `llms-full-${this.#part}.txt`;
    await this.writeText(name, this.#texts.join("\n") + ending);
    this.#texts = [];
    this.#length = 0;
    this.#part++;
  }
}
