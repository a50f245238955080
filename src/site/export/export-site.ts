// A site as files: every page that a visitor without credentials finds on it, with everything that pages load. Nothing of it needs
// a server, and links work from any folder, also by `file:`. One page at a time is in memory.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { DocsApi } from "../../api/create-docs-api";
import { getApiInternals } from "../../api/internals";
import { formatOrganizationId, parsePartitionCode } from "../../storage/ids";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { listAssets } from "../appearance/assets";
import { createProfileCache } from "../cache/profile-cache";
import type { CacheableResponse, SiteResponseCache } from "../cache/response-cache";
import { renderFeed } from "../machine-readable/feed";
import {
  areAgentsAllowed,
  isIndexedPage,
  isIndexedSite,
  type ListedPage,
  listPublishedPages,
  withSiteSpace,
} from "../machine-readable/listed-pages";
import { renderContentsPart } from "../machine-readable/llms";
import { getPageMarkdown } from "../machine-readable/markdown";
import { toFeedUrl } from "../machine-readable/page-urls";
import { MAX_SITEMAP_URLS, renderSitemap } from "../machine-readable/sitemap";
import { renderContentPage } from "../pages/content-page";
import { createSnapshotClient } from "../request/api-client";
import { findOriginSharing } from "../request/origins";
import { createRequestContext, type RequestContext, resolvePublishedUrl } from "../request/request-context";
import type { SiteContext } from "../request/site-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { type ExportContext, ExportedFiles, getSitePath, NOT_FOUND } from "./exported-files";
import { getMarkdownFile, getPageFile, toRelativeUrl } from "./file-paths";
import { moveUrl, type RewriteContext, rewritePageLinks, rewriteTextLinks } from "./rewrite-links";

/** Puts a file where the host wants it. The path has `/` between its parts, and never leads out of the folder. */
export type WriteFile = (path: string, bytes: Uint8Array) => void | Promise<void>;

export interface ExportOptions {
  /**
   * Where the files will be, such as `https://docs.example.org/guide/`. With it, pages say where they are at home, and there
   * are a sitemap and feeds, which must name addresses in full. Default: nobody knows.
   */
  readonly url?: string;
  /** Hears of every page that was written. */
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Ends the export early. It then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ExportProgress {
  readonly pages: number;
  /** How many pages there will be. */
  readonly of: number;
}

/** What was written. */
export interface ExportedSite {
  /** Where the site is published. */
  readonly url: string;
  readonly pages: number;
  /** Files of the content that pages show or offer. */
  readonly files: number;
}

/** Of one part of `llms-full.txt`, in UTF-16 units. Its last page may go beyond. */
const LONGEST_PART = 1_000_000;

/** Every page is drawn once. */
const NO_SHELF: SiteResponseCache = { find: async () => undefined, store: () => {} };

/**
 * Writes a published site as files. `site` is its id or its URL. Only sites that everybody may read can be exported: those that
 * are public or unlisted.
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
  { url: given, onProgress, signal }: ExportOptions = {},
): Promise<ExportedSite> {
  const inside = getApiInternals(api);
  const home = given === undefined ? undefined : parseTargetUrl(given);
  const siteContext: SiteContext = {
    internals: inside,
    options: {},
    canRunScripts: (url) =>
      findOriginSharing(inside.kernel.urls, home === undefined ? url : parseUrl(home)) === "nobody",
    pageCache: NO_SHELF,
    searchCache: NO_SHELF,
    profileCache: createProfileCache(inside),
    diagramAsset: undefined,
  };
  const find = (url: string) => resolvePublishedUrl(createSnapshotClient(inside), url);

  /** A visit of somebody of whom nothing is known. Where the address has moved, it is followed. */
  async function visitAt(address: string): Promise<RequestContext | undefined> {
    const client = createSnapshotClient(inside);
    const first = await resolvePublishedUrl(client, address);
    const target = first?.type === "redirect" && first.target === "content" ? first.redirect : address;
    const found = target === address ? first : await resolvePublishedUrl(client, target);
    if (found?.type !== "content") return undefined;
    const request = { method: "GET", url: target, headers: new Headers(), body: async () => new Uint8Array() };
    const url = parseUrl(target);
    return createRequestContext(siteContext, {
      request,
      url,
      client,
      resolved: found,
      credentials: undefined,
      isExport: true,
    });
  }

  const start = await findPublishedUrl(api, site);
  const front = start === undefined ? undefined : await visitAt(start);
  const published = front?.profile.site.urls.published;
  if (!front || published === undefined || !isExportable(front)) throw new SiteNotExported();
  const root = published.endsWith("/") ? published : `${published}/`;
  const pages: ListedPage[] = [];
  for await (const listed of listPublishedPages(front)) pages.push(listed);

  const restIn = (url: string) => getSitePath(parseUrl(url), root);
  const tops = front.siteSpaces.flatMap(({ id, urls }) =>
    urls.published === undefined ? [] : { id, url: urls.published },
  );
  const written: ExportContext = {
    api,
    origin: parseUrl(inside.origin).origin,
    root,
    pages: new Set([...pages, ...tops].map(({ url }) => restIn(url)).concat("")),
    siteSpaces: new Map(tops.map(({ id, url }) => [id, restIn(url)])),
    resolve: find,
    write: async (path, bytes) => write(path, bytes),
  };
  const places = new ExportedFiles(written);
  const put = async (path: string, text: string) => write(path, utf8ToBytes(text));
  const at = (url: string, file: string): RewriteContext => ({ files: places, root, home, url, file });

  async function putPage(context: RequestContext, answer: CacheableResponse, file: string): Promise<void> {
    await put(file, await rewritePageLinks(String(answer.body), at(context.url.href, file)));
  }

  // The front of the site and of its site-spaces show their first pages.
  for (const url of new Set([root.slice(0, -1), ...tops.map((it) => it.url)])) {
    signal?.throwIfAborted();
    const context = await visitAt(url);
    const shown = context?.resolved.page !== undefined && (await renderContentPage(context, context.resolved.page));
    if (context && shown) await putPage(context, shown, getPageFile(restIn(url)));
  }

  const texts = new LlmsFullWriter(put);
  let done = 0;
  for (const listed of pages) {
    signal?.throwIfAborted();
    await yieldToEventLoop();
    await putListed(listed);
    done++;
    onProgress?.({ pages: done, of: pages.length });
  }
  await texts.end();

  async function putListed({ url, page, siteSpace }: ListedPage): Promise<void> {
    const context = await visitAt(url);
    const shown = context && (await renderContentPage(context, page.id));
    const markdown = shown && (await getPageMarkdown(withSiteSpace(context, siteSpace), page.id));
    // It went away meanwhile.
    if (!shown || !markdown) return;
    await putPage(context, shown, getPageFile(restIn(url)));
    const file = getMarkdownFile(restIn(url));
    await put(file, await rewriteTextLinks(markdown.text, at(url, file), markdownLink(file)));
    if (areAgentsAllowed(context) && isIndexedPage(page))
      await texts.add(await rewriteTextLinks(markdown.text, at(url, "llms-full.txt"), homeLink("llms-full.txt")));
    if (home !== undefined && String(shown.body).includes('type="application/rss+xml"'))
      await putFeed(context, page.id, url);
  }

  async function putFeed(context: RequestContext, page: string, url: string): Promise<void> {
    const feed = await renderFeed(context, page);
    if (feed?.status !== 200) return;
    const file = `${getPageFile(restIn(url)).replace(/index\.html$/, "")}rss.xml`;
    const text = String(feed.body).replaceAll(toFeedUrl(url), moveUrl(toFeedUrl(url), root, home!));
    await put(file, await rewriteTextLinks(text, at(url, file), homeLink(file)));
  }

  /** Markdown leads to Markdown. */
  function markdownLink(file: string) {
    return (target: string) =>
      toRelativeUrl(file, target.replace(/\/index\.html$/, ".md").replace(/^index\.html$/, "index.md"));
  }

  /** In full where that is known, else relative. */
  function homeLink(file: string) {
    return (target: string) =>
      home === undefined
        ? toRelativeUrl(file, target)
        : home + toRelativeUrl("", target).replace(/(^|\/)index\.html$/, "$1");
  }

  async function putNotFound(): Promise<void> {
    const answer = await renderNotFoundPage(front!);
    // Hosts of files show it at every path, so a relative link would lead anywhere.
    const { pathname } = parseUrl(home ?? "http://localhost/");
    const link = home === undefined ? undefined : (file: string) => pathname + toRelativeUrl("", file);
    await put(NOT_FOUND, await rewritePageLinks(String(answer.body), at(root, NOT_FOUND), link));
  }

  async function putLists(): Promise<void> {
    const isIndexed = isIndexedSite(front!);
    const indexed = pages.filter(({ page }) => isIndexedPage(page));
    const isMapped = isIndexed && home !== undefined;
    const rules = isIndexed ? "Allow: /" : "Disallow: /";
    await put("robots.txt", `User-agent: *\n${rules}\n${isMapped ? `Sitemap: ${home}sitemap.xml\n` : ""}`);
    if (isMapped) await putSitemap(indexed, home);
    if (!areAgentsAllowed(front!)) return;
    for (let [from, part] = [0, 1]; from < indexed.length || part === 1; part++) {
      const name = part === 1 ? "llms.txt" : `llms-${part}.txt`;
      const link = (url: string) => {
        const file = getMarkdownFile(restIn(url));
        return home === undefined ? toRelativeUrl(name, file) : home + toRelativeUrl("", file);
      };
      const { text, next } = await renderContentsPart(front!, iterateYielding(indexed.slice(from)), link);
      from = next === undefined ? indexed.length : indexed.indexOf(next);
      await put(name, next === undefined ? text : `${text}\n[More pages](llms-${part + 1}.txt)\n`);
    }
  }

  async function putSitemap(indexed: readonly ListedPage[], home: string): Promise<void> {
    const mapped = () =>
      iterateYielding(indexed.map(({ url, page }) => ({ url: moveUrl(url, root, home), updatedAt: page.updatedAt })));
    await put("sitemap.xml", (await renderSitemap(mapped(), home))!);
    for (let part = 1; indexed.length > MAX_SITEMAP_URLS; part++) {
      const text = await renderSitemap(mapped(), home, part);
      if (text === undefined) return;
      await put(`sitemap-${part}.xml`, text);
    }
  }

  await putNotFound();
  await putLists();
  for (const [name, body] of listAssets())
    await write(`assets/${name}`, typeof body === "string" ? utf8ToBytes(body) : body);
  return { url: published, pages: done, files: places.copiedCount };
}

/** There is no such site, or it is not for everybody. */
export class SiteNotExported extends Error {
  constructor() {
    super(
      "There is no published site here that everybody may read. Sites with share links, or for visitors who sign in, cannot be exported.",
    );
  }
}

function isExportable({ profile }: RequestContext): boolean {
  return profile.site.visibility === "public" || profile.site.visibility === "unlisted";
}

/** Where a site is published; undefined where nobody without credentials sees it. */
async function findPublishedUrl(api: DocsApi, site: string): Promise<string | undefined> {
  if (/^https?:/i.test(site)) return tryParseUrl(site)?.href;
  const code = parsePartitionCode("site", site);
  if (code === undefined) return undefined;
  const params = { organizationId: formatOrganizationId(code), siteId: site };
  const profile = await createSnapshotClient(getApiInternals(api)).callAnonymously("getPublishedSite", { params });
  return profile?.site.urls.published;
}

/** Where the files will be, with a slash at its end. */
function parseTargetUrl(url: string): string {
  const address = tryParseUrl(url);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new TypeError("Expected `url` to be an address such as https://docs.example.org/.");
  return `${address.origin}${address.pathname.replace(/\/?$/, "/")}`;
}

async function* iterateYielding<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    await yieldToEventLoop();
    yield item;
  }
}

/** `llms-full.txt` in parts, each of which leads to the next. */
class LlmsFullWriter {
  #texts: string[] = [];
  #length = 0;
  #part = 1;

  constructor(private readonly put: (path: string, text: string) => Promise<void>) {}

  async add(text: string): Promise<void> {
    if (this.#length >= LONGEST_PART) {
      const next = `llms-full-${this.#part + 1}.txt`;
      await this.#write(`\n[More pages](${next})\n`);
    }
    this.#texts.push(text);
    this.#length += text.length;
  }

  async end(): Promise<void> {
    if (this.#texts.length > 0) await this.#write("");
  }

  async #write(more: string): Promise<void> {
    await this.put(this.#part === 1 ? "llms-full.txt" : `llms-full-${this.#part}.txt`, this.#texts.join("\n") + more);
    this.#texts = [];
    this.#length = 0;
    this.#part++;
  }
}
