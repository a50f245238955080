// A site as files: every page that a visitor without credentials finds on it, with everything that pages load. Nothing of it needs
// a server, and links work from any folder, also by `file:`. One page at a time is in memory.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { DocsApi } from "../../api/create-docs-api";
import { getApiInternals } from "../../api/internals";
import { formatOrganizationId, parsePartitionCode } from "../../storage/ids";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { beginAsking } from "../asking";
import { allAssets } from "../assets";
import type { SiteContext } from "../house";
import { feedAddress } from "../machines/addresses";
import { feedOf } from "../machines/feed";
import { isForAgents, isIndexedPage, isIndexedSite, type Listed, listedPages, visitIn } from "../machines/listed";
import { contentsPart } from "../machines/llms";
import { markdownOf } from "../machines/markdown";
import { MOST_ADDRESSES, sitemapOf } from "../machines/sitemap";
import { notFoundPage } from "../not-found";
import { findOriginSharing } from "../origins";
import { contentPage } from "../page";
import { createProfiles } from "../profiles";
import type { KeptResponse, Shelf } from "../shelf";
import { beginVisit, resolve, type Visit } from "../visit";
import { markdownFile, pageFile, relative } from "./paths";
import { NOT_FOUND, Places, restOf, type Written } from "./places";
import { moved, type Rewriting, rewrittenPage, rewrittenText } from "./rewrite";

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
const NO_SHELF: Shelf = { find: async () => undefined, keep: () => {} };

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
  const home = given === undefined ? undefined : homeOf(given);
  const house: SiteContext = {
    inside,
    options: {},
    runsScripts: (url) => findOriginSharing(inside.kernel.urls, home === undefined ? url : parseUrl(home)) === "nobody",
    shelf: NO_SHELF,
    answers: NO_SHELF,
    profiles: createProfiles(inside),
    diagramAsset: undefined,
  };
  const find = (url: string) => resolve(beginAsking(inside), url);

  /** A visit of somebody of whom nothing is known. Where the address has moved, it is followed. */
  async function visitAt(address: string): Promise<Visit | undefined> {
    const asking = beginAsking(inside);
    const first = await resolve(asking, address);
    const target = first?.type === "redirect" && first.target === "content" ? first.redirect : address;
    const found = target === address ? first : await resolve(asking, target);
    if (found?.type !== "content") return undefined;
    const request = { method: "GET", url: target, headers: new Headers(), body: async () => new Uint8Array() };
    const url = parseUrl(target);
    return beginVisit(house, { request, url, asking, found, credentials: undefined, isFile: true });
  }

  const start = await publishedUrl(api, site);
  const front = start === undefined ? undefined : await visitAt(start);
  const published = front?.profile.site.urls.published;
  if (!front || published === undefined || !isOpen(front)) throw new SiteNotExported();
  const root = published.endsWith("/") ? published : `${published}/`;
  const pages: Listed[] = [];
  for await (const listed of listedPages(front)) pages.push(listed);

  const restIn = (url: string) => restOf(parseUrl(url), root);
  const tops = front.siteSpaces.flatMap(({ id, urls }) =>
    urls.published === undefined ? [] : { id, url: urls.published },
  );
  const written: Written = {
    api,
    origin: parseUrl(inside.origin).origin,
    root,
    pages: new Set([...pages, ...tops].map(({ url }) => restIn(url)).concat("")),
    siteSpaces: new Map(tops.map(({ id, url }) => [id, restIn(url)])),
    resolve: find,
    write: async (path, bytes) => write(path, bytes),
  };
  const places = new Places(written);
  const put = async (path: string, text: string) => write(path, utf8ToBytes(text));
  const at = (url: string, file: string): Rewriting => ({ places, root, home, url, file });

  async function putPage(visit: Visit, answer: KeptResponse, file: string): Promise<void> {
    await put(file, await rewrittenPage(String(answer.body), at(visit.url.href, file)));
  }

  // The front of the site and of its site-spaces show their first pages.
  for (const url of new Set([root.slice(0, -1), ...tops.map((it) => it.url)])) {
    signal?.throwIfAborted();
    const visit = await visitAt(url);
    const shown = visit?.found.page !== undefined && (await contentPage(visit, visit.found.page));
    if (visit && shown) await putPage(visit, shown, pageFile(restIn(url)));
  }

  const texts = new Texts(put);
  let done = 0;
  for (const listed of pages) {
    signal?.throwIfAborted();
    await yieldToEventLoop();
    await putListed(listed);
    done++;
    onProgress?.({ pages: done, of: pages.length });
  }
  await texts.end();

  async function putListed({ url, page, siteSpace }: Listed): Promise<void> {
    const visit = await visitAt(url);
    const shown = visit && (await contentPage(visit, page.id));
    const markdown = shown && (await markdownOf(visitIn(visit, siteSpace), page.id));
    // It went away meanwhile.
    if (!shown || !markdown) return;
    await putPage(visit, shown, pageFile(restIn(url)));
    const file = markdownFile(restIn(url));
    await put(file, await rewrittenText(markdown.text, at(url, file), markdownLink(file)));
    if (isForAgents(visit) && isIndexedPage(page))
      await texts.add(await rewrittenText(markdown.text, at(url, "llms-full.txt"), homeLink("llms-full.txt")));
    if (home !== undefined && String(shown.body).includes('type="application/rss+xml"'))
      await putFeed(visit, page.id, url);
  }

  async function putFeed(visit: Visit, page: string, url: string): Promise<void> {
    const feed = await feedOf(visit, page);
    if (feed?.status !== 200) return;
    const file = `${pageFile(restIn(url)).replace(/index\.html$/, "")}rss.xml`;
    const text = String(feed.body).replaceAll(feedAddress(url), moved(feedAddress(url), root, home!));
    await put(file, await rewrittenText(text, at(url, file), homeLink(file)));
  }

  /** Markdown leads to Markdown. */
  function markdownLink(file: string) {
    return (target: string) =>
      relative(file, target.replace(/\/index\.html$/, ".md").replace(/^index\.html$/, "index.md"));
  }

  /** In full where that is known, else relative. */
  function homeLink(file: string) {
    return (target: string) =>
      home === undefined ? relative(file, target) : home + relative("", target).replace(/(^|\/)index\.html$/, "$1");
  }

  async function putNotFound(): Promise<void> {
    const answer = await notFoundPage(front!);
    // Hosts of files show it at every path, so a relative link would lead anywhere.
    const { pathname } = parseUrl(home ?? "http://localhost/");
    const link = home === undefined ? undefined : (file: string) => pathname + relative("", file);
    await put(NOT_FOUND, await rewrittenPage(String(answer.body), at(root, NOT_FOUND), link));
  }

  async function putLists(): Promise<void> {
    const isIndexed = isIndexedSite(front!);
    const indexed = pages.filter(({ page }) => isIndexedPage(page));
    const isMapped = isIndexed && home !== undefined;
    const rules = isIndexed ? "Allow: /" : "Disallow: /";
    await put("robots.txt", `User-agent: *\n${rules}\n${isMapped ? `Sitemap: ${home}sitemap.xml\n` : ""}`);
    if (isMapped) await putSitemap(indexed, home);
    if (!isForAgents(front!)) return;
    for (let [from, part] = [0, 1]; from < indexed.length || part === 1; part++) {
      const name = part === 1 ? "llms.txt" : `llms-${part}.txt`;
      const link = (url: string) => {
        const file = markdownFile(restIn(url));
        return home === undefined ? relative(name, file) : home + relative("", file);
      };
      const { text, next } = await contentsPart(front!, inTurn(indexed.slice(from)), link);
      from = next === undefined ? indexed.length : indexed.indexOf(next);
      await put(name, next === undefined ? text : `${text}\n[More pages](llms-${part + 1}.txt)\n`);
    }
  }

  async function putSitemap(indexed: readonly Listed[], home: string): Promise<void> {
    const mapped = () =>
      inTurn(indexed.map(({ url, page }) => ({ url: moved(url, root, home), updatedAt: page.updatedAt })));
    await put("sitemap.xml", (await sitemapOf(mapped(), home))!);
    for (let part = 1; indexed.length > MOST_ADDRESSES; part++) {
      const text = await sitemapOf(mapped(), home, part);
      if (text === undefined) return;
      await put(`sitemap-${part}.xml`, text);
    }
  }

  await putNotFound();
  await putLists();
  for (const [name, body] of allAssets())
    await write(`assets/${name}`, typeof body === "string" ? utf8ToBytes(body) : body);
  return { url: published, pages: done, files: places.copied };
}

/** There is no such site, or it is not for everybody. */
export class SiteNotExported extends Error {
  constructor() {
    super(
      "There is no published site here that everybody may read. Sites with share links, or for visitors who sign in, cannot be exported.",
    );
  }
}

function isOpen({ profile }: Visit): boolean {
  return profile.site.visibility === "public" || profile.site.visibility === "unlisted";
}

/** Where a site is published; undefined where nobody without credentials sees it. */
async function publishedUrl(api: DocsApi, site: string): Promise<string | undefined> {
  if (/^https?:/i.test(site)) return tryParseUrl(site)?.href;
  const code = parsePartitionCode("site", site);
  if (code === undefined) return undefined;
  const params = { organizationId: formatOrganizationId(code), siteId: site };
  const profile = await beginAsking(getApiInternals(api)).ask("getPublishedSite", { params });
  return profile?.site.urls.published;
}

/** Where the files will be, with a slash at its end. */
function homeOf(url: string): string {
  const address = tryParseUrl(url);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new TypeError("Expected `url` to be an address such as https://docs.example.org/.");
  return `${address.origin}${address.pathname.replace(/\/?$/, "/")}`;
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    await yieldToEventLoop();
    yield item;
  }
}

/** `llms-full.txt` in parts, each of which leads to the next. */
class Texts {
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
