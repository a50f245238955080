// Crawls a site: from a first page along its links, inside of a host and a path, as far as the site and the limits allow. A URL
// is requested once, whatever its spelling. A page that names another canonical URL is taken from there.

import { pauseUntilNextTurn, runSteps } from "../../utils/concurrency/event-loop";
import type { Steps } from "../../utils/concurrency/steps";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { describeLimitOption, getTooLongReason, ImportError } from "../errors";
import { CrawlScope, classifyUrl } from "./crawl-scope";
import { type Outline, OutlineBuilder } from "./outline";
import { MAX_ROBOTS_BYTES, parseRobots, type RobotsRules } from "./robots";
import { type PageVisit, type SitePage, visitPageInSteps } from "./site-page";
import { readSitemaps } from "./sitemaps";
import type { SkippedResources } from "./skipped-resources";
import type { FetchedResource, WebClient } from "./web-client";

export interface CrawledSite {
  readonly scope: CrawlScope;
  readonly robots: RobotsRules;
  /** Pages by the key of their URL. */
  readonly pages: ReadonlyMap<string, SitePage>;
  /** The key of the first page. */
  readonly firstKey: string;
  /** The keys of URLs that lead to a page, with the key of that page. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The positions in the site's own order, by key. */
  readonly order: ReadonlyMap<string, number>;
  readonly outline: Outline;
}

interface QueuedUrl {
  readonly url: string;
  readonly key: string;
  /** The number of links from the first page. */
  readonly depth: number;
}

const ACCEPT_HTML = "text/html, application/xhtml+xml;q=0.9";
const DISALLOWED = "The robots.txt file of the site disallows it.";
/** The most redirects and canonical URLs that are followed one after the other. */
const MAX_ALIAS_HOPS = 10;

/** Crawls a site from one of its pages. Throws `ImportError` if that page cannot be read. */
export async function crawlSite(client: WebClient, skipped: SkippedResources): Promise<CrawledSite> {
  const { url } = client.source;
  if (!/^https?:$/.test(tryParseUrl(url)?.protocol ?? ""))
    throw new ImportError("The URL of a website must begin with http: or https:.");
  const getHostName = (it: string) => parseUrl(it).hostname.replace(/^www\./, "");
  const first = await client.get(url, {
    accept: ACCEPT_HTML,
    maxBytes: client.limits.maxPageBytes,
    // A redirect may only change the spelling of the host.
    findProblem: (lastUrl, type) =>
      getHostName(url) === getHostName(lastUrl)
        ? findTypeProblem(type)
        : `It redirects to ${parseUrl(lastUrl).origin}. To import that site, use its own URL.`,
  });
  if (!first.isOk) throw new ImportError(`${url} could not be imported: ${first.reason}`);

  // The scope comes from the requested URL on the host that answered, if the response is inside of it.
  const { protocol, host } = parseUrl(first.url);
  const movedUrl = `${protocol}//${host}${parseUrl(url).pathname}`;
  const scope = new CrawlScope(new CrawlScope(movedUrl).has(first.url) ? movedUrl : first.url);

  const robotsUrl = `${scope.origin}/robots.txt`;
  const robotsFile = await client.get(robotsUrl, { accept: "text/plain, */*;q=0.1", maxBytes: 4 * MAX_ROBOTS_BYTES });
  // A site without rules answers with 404 or a similar status. If the rules cannot be read, everything may be forbidden.
  if (!robotsFile.isOk && (robotsFile.status === undefined || robotsFile.status >= 500))
    throw new ImportError(
      `${robotsUrl} couldn't be read, so the pages that may be crawled are unknown: ${robotsFile.reason}`,
    );
  const robots = parseRobots(
    robotsFile.isOk ? new TextDecoder().decode(robotsFile.bytes.subarray(0, MAX_ROBOTS_BYTES)) : "",
  );
  if (!robots.allows(getPathAndQuery(first.url)))
    throw new ImportError(`The robots.txt file of ${parseUrl(first.url).host} disallows ${first.url}.`);

  const usualSitemaps = [...new Set([`${scope.origin}${scope.path}/sitemap.xml`, `${scope.origin}/sitemap.xml`])];
  const statedSitemaps = robots.sitemaps.filter((it) => tryParseUrl(it)?.origin === scope.origin);
  const sitemapUrls = await readSitemaps(
    client,
    statedSitemaps.length > 0 ? statedSitemaps : usualSitemaps,
    (it) => tryParseUrl(it)?.host === parseUrl(scope.origin).host,
    client.limits.maxUrls,
  );
  return new SiteCrawl(client, skipped, scope, robots, sitemapUrls).run(first);
}

/** Returns why a resource of a type is not a page, or undefined if it may be one. */
function findTypeProblem(type: string): string | undefined {
  if (type === "" || type === "text/html" || type === "application/xhtml+xml") return undefined;
  return `It is ${type}, not a page.`;
}

function getPathAndQuery(url: string): string {
  const { pathname, search } = parseUrl(url);
  return pathname + search;
}

class SiteCrawl {
  readonly #knownKeys = new Set<string>();
  readonly #queue: QueuedUrl[] = [];
  readonly #pages = new Map<string, SitePage>();
  readonly #aliases = new Map<string, string>();
  /** Keys of pages by the hash of their content. */
  readonly #keysByHash = new Map<string, string>();
  /** Pages that name another canonical URL, by its key. If there is no page at that URL, they are taken after all. */
  readonly #deferredPages = new Map<string, { key: string; page: SitePage }>();
  readonly #navigations = new Map<string, readonly string[]>();
  readonly #navigationKeys = new Set<string>();
  readonly #cachedKeys = new Map<string, string | undefined>();
  readonly #outline = new OutlineBuilder((url) => this.#findKey(url));
  readonly #pageLimitReason: string;
  #longestNavigation = 0;
  #hasTooManyUrls = false;

  constructor(
    readonly client: WebClient,
    readonly skipped: SkippedResources,
    readonly scope: CrawlScope,
    readonly robots: RobotsRules,
    readonly sitemapUrls: readonly string[],
  ) {
    this.#pageLimitReason = `An import can have at most ${client.limits.maxPages} pages. ${describeLimitOption("maxPages")}`;
  }

  async run(first: FetchedResource): Promise<CrawledSite> {
    const { scope, robots } = this;
    const key = scope.getUrlKey(first.url);
    this.#knownKeys.add(key);
    this.#aliases.set(scope.getUrlKey(this.client.source.url), key);
    await this.#visit({ url: first.url, key, depth: 0 }, first);
    for (const url of this.sitemapUrls) this.#enqueue(url, 1);
    await this.#processQueue();
    for (const [target, { key: from, page }] of this.#deferredPages)
      if (!this.#pages.has(target)) this.#addPage(from, page);
    if (this.#hasTooManyUrls)
      this.skipped.add(
        scope.origin,
        `More than ${this.client.limits.maxUrls} URLs were found. The others were skipped.`,
      );

    const firstKey = this.#resolveKey(key);
    const isContentsPage = (it: string) => {
      const name = parseUrl(it).pathname.split("/").at(-1)!;
      const title = this.#pages.get(it)?.title ?? "";
      return /^(?:contents?|toc|sitemap|summary)(?:\.\w+)?$/i.test(name) || /^(?:table of )?contents$/i.test(title);
    };
    const outline = await runSteps(
      this.#outline.buildInSteps(
        (it) => this.#resolveKey(it),
        (it) => it === firstKey || isContentsPage(it),
      ),
    );
    const order = await runSteps(this.#orderPages(key, outline));
    return { scope, robots, pages: this.#pages, firstKey, aliases: this.#aliases, order, outline };
  }

  /** Requests the URLs in the queue until it is empty: several at once, or one at a time if the site asks for a pause. */
  async #processQueue(): Promise<void> {
    const { concurrency, maxCrawlDelayMs, maxPages } = this.client.limits;
    const delayMs = Math.min(this.robots.crawlDelaySeconds * 1000, maxCrawlDelayMs);
    const maxRunning = delayMs > 0 ? 1 : concurrency;
    const running = new Set<Promise<void>>();
    for (let next = 0; next < this.#queue.length || running.size > 0; ) {
      while (next < this.#queue.length && running.size < maxRunning) {
        const queued = this.#queue[next]!;
        const isFull = this.#pages.size + running.size >= maxPages;
        // A page that is being read may turn out to be a copy of another.
        if (isFull && running.size > 0 && this.#pages.size < maxPages) break;
        next++;
        if (isFull) {
          this.skipped.add(queued.url, this.#pageLimitReason);
          continue;
        }
        if (delayMs > 0 && !this.client.stopReason) await this.client.sleep(delayMs);
        const task: Promise<void> = this.#request(queued).finally(() => running.delete(task));
        running.add(task);
      }
      if (running.size > 0) await Promise.race(running);
      this.client.source.onProgress?.(next - running.size, this.#queue.length);
    }
  }

  async #request(queued: QueuedUrl): Promise<void> {
    const resource = await this.client.get(queued.url, {
      accept: ACCEPT_HTML,
      maxBytes: this.client.limits.maxPageBytes,
      findProblem: (lastUrl, type) =>
        this.scope.has(lastUrl) ? findTypeProblem(type) : "It is outside the imported part of the site.",
    });
    if (!resource.isOk) this.skipped.add(queued.url, resource.reason);
    else await this.#visit(queued, resource);
  }

  async #visit(queued: QueuedUrl, resource: FetchedResource): Promise<void> {
    const { url } = resource;
    const key = this.scope.getUrlKey(url);
    if (key !== queued.key) {
      this.#aliases.set(queued.key, key);
      if (this.#knownKeys.has(key)) return;
      this.#knownKeys.add(key);
      if (!this.robots.allows(getPathAndQuery(url))) {
        this.skipped.add(url, DISALLOWED);
        return;
      }
    }
    // Several resources may have arrived at the same time.
    await pauseUntilNextTurn();
    const visit = await runSteps(visitPageInSteps(resource)).catch(getTooLongReason);
    if (typeof visit === "string") {
      this.skipped.add(url, visit);
      return;
    }
    for (const outgoingUrl of visit.outgoingUrls) this.#enqueue(outgoingUrl, queued.depth + 1);

    // A navigation counts only if it has something new or more links: on most sites all pages have the same.
    const keys = visit.navigation.flatMap((it) => this.#findKey(it) ?? []);
    if (keys.length > this.#longestNavigation || keys.some((it) => !this.#navigationKeys.has(it))) {
      this.#longestNavigation = Math.max(this.#longestNavigation, keys.length);
      for (const it of keys) this.#navigationKeys.add(it);
      this.#navigations.set(key, keys);
    }
    if (visit.contents) this.#outline.add(key, visit.contents);
    this.#takeVisit(key, url, queued.depth, visit);
  }

  /** Takes a page, or leaves it to its canonical URL. */
  #takeVisit(key: string, url: string, depth: number, { page, canonicalUrl, noIndex }: PageVisit): void {
    if (noIndex) this.skipped.add(url, "The page has a noindex or noarchive directive.");
    else if (!page) this.skipped.add(url, "No content was found in it.");
    else {
      const canonicalKey = (canonicalUrl && this.#findKey(canonicalUrl)) ?? key;
      const isElsewhere = canonicalKey !== key && this.#resolveKey(canonicalKey) !== key;
      if (!isElsewhere) this.#addPage(key, page);
      else {
        this.#aliases.set(key, canonicalKey);
        if (!this.#deferredPages.has(canonicalKey)) this.#deferredPages.set(canonicalKey, { key, page });
        this.#enqueue(canonicalUrl!, depth);
      }
    }
  }

  /** Adds a page, unless there is one with the same content and title. */
  #addPage(key: string, page: SitePage): void {
    this.#aliases.delete(key);
    const sameKey = this.#keysByHash.get(page.nodes.hash);
    if (sameKey !== undefined && this.#pages.get(sameKey)?.title === page.title) this.#aliases.set(key, sameKey);
    else if (this.#pages.size >= this.client.limits.maxPages) this.skipped.add(page.url, this.#pageLimitReason);
    else {
      this.#keysByHash.set(page.nodes.hash, key);
      this.#pages.set(key, page);
    }
  }

  /** Adds a URL to the queue, if it is new and may be a page. */
  #enqueue(url: string, depth: number): void {
    const key = this.#findKey(url);
    if (key === undefined || this.#knownKeys.has(key)) return;
    const kind = classifyUrl(url);
    if (kind === "file" || kind === "other") return;
    const { maxUrls, maxDepth } = this.client.limits;
    if (this.#knownKeys.size >= maxUrls) {
      this.#hasTooManyUrls = true;
      return;
    }
    this.#knownKeys.add(key);
    if (kind === "maze") this.skipped.add(url, "Its URL repeats the same segments, as in an endless loop of links.");
    else if (depth > maxDepth) this.skipped.add(url, `It is more than ${maxDepth} links away from the first page.`);
    else if (!this.robots.allows(getPathAndQuery(url))) this.skipped.add(url, DISALLOWED);
    else this.#queue.push({ url, key, depth });
  }

  /** Returns the key of the page that a key leads to in the end. */
  #resolveKey(key: string): string {
    let resolved = key;
    for (let hops = 0; hops < MAX_ALIAS_HOPS && !this.#pages.has(resolved) && this.#aliases.has(resolved); hops++)
      resolved = this.#aliases.get(resolved)!;
    return resolved;
  }

  /** Returns the key of a URL, or undefined if it is outside of the scope. Sites repeat their URLs on every page. */
  #findKey(url: string): string | undefined {
    if (this.#cachedKeys.has(url)) return this.#cachedKeys.get(url);
    const key = this.scope.has(url) ? this.scope.getUrlKey(url) : undefined;
    if (this.#cachedKeys.size < this.client.limits.maxUrls) this.#cachedKeys.set(url, key);
    return key;
  }

  /** Returns the site's own order: the reading order, then its longest navigation, the other ones, and its sitemap. */
  *#orderPages(firstKey: string, { sequence }: Outline): Steps<Map<string, number>> {
    const order = new Map<string, number>();
    const append = (key: string) => {
      const resolved = this.#resolveKey(key);
      if (!order.has(resolved)) order.set(resolved, order.size);
    };
    append(firstKey);
    if (sequence.filter((it) => this.#pages.has(it)).length >= this.#pages.size / 2) sequence.forEach(append);
    const rank = (source: string) => (source === firstKey ? 0 : 1);
    const navigations = [...this.#navigations].sort(
      ([a, keysOfA], [b, keysOfB]) => keysOfB.length - keysOfA.length || rank(a) - rank(b) || (a < b ? -1 : 1),
    );
    for (const [, keys] of navigations) {
      yield;
      for (const key of keys) append(key);
    }
    yield;
    for (const key of this.sitemapUrls.flatMap((url) => this.#findKey(url) ?? [])) append(key);
    return order;
  }
}
