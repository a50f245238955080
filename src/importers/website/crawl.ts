// The crawl: from a first page along its links, inside a host and a path, as far as the site and the limits allow. An
// address is asked once, whatever its spelling. A page that names another canonical address is taken from there.

import type { Steps } from "../../content/markdown/steps";
import { runSteps } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { howToRaise, ImportRefused, reasonIfTooLong } from "../refused";
import type { Asking, Received } from "./answers";
import { type Outline, Outlines } from "./outline";
import { type SitePage, type Visited, visitPage } from "./page";
import { MAX_ROBOTS, type Robots, readRobots } from "./robots";
import { addressesInSitemaps } from "./sitemaps";
import type { Skips } from "./skips";
import { kindOf, Scope } from "./urls";

/** What a crawl found. */
export interface Crawled {
  readonly scope: Scope;
  readonly robots: Robots;
  /** Pages by the key of their address. */
  readonly pages: ReadonlyMap<string, SitePage>;
  /** The key of the first page. */
  readonly first: string;
  /** Keys of addresses that lead to a page, to the key of that page. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Places in the site's own order, by key. */
  readonly order: ReadonlyMap<string, number>;
  readonly outline: Outline;
}

interface Waiting {
  readonly url: string;
  readonly key: string;
  readonly depth: number;
}

const HTML = "text/html, application/xhtml+xml;q=0.9";

/** Crawls a site from a page of it. Throws `ImportRefused` when that page cannot be read. */
export async function crawl(asking: Asking, skips: Skips): Promise<Crawled> {
  const first = await askFirst(asking);
  const scope = new Scope(scopeUrl(asking.source.url, first.url));
  const robots = await robotsOf(asking, scope);
  if (!robots.allows(pathOf(first.url)))
    throw new ImportRefused(`The robots.txt of ${parseUrl(first.url).host} asks for ${first.url} not to be read.`);
  const listed = await sitemapOf(asking, scope, robots);
  return new Crawl(asking, skips, scope, robots, listed).run(first);
}

async function askFirst(asking: Asking): Promise<Received> {
  const { url } = asking.source;
  if (!/^https?:$/.test(tryParseUrl(url)?.protocol ?? ""))
    throw new ImportRefused("A website is imported from an address that begins with http: or https:.");
  const answer = await asking.ask(url, {
    accept: HTML,
    maxBytes: asking.limits.pageBytes,
    refuse: (last, type) =>
      isSameSite(url, last)
        ? notHtml(type)
        : `It leads to ${parseUrl(last).origin}, another site; that can be imported by its own address.`,
  });
  if (!answer.isReceived) throw new ImportRefused(`${url} could not be imported: ${answer.reason}`);
  return answer;
}

/** Whether a redirect only changes the spelling of the host. */
function isSameSite(from: string, to: string): boolean {
  const name = (url: string) => parseUrl(url).hostname.replace(/^www\./, "");
  return name(from) === name(to);
}

/** Where the scope of a crawl comes from: the requested address, on the host that answered, if the answer is inside
 * it. */
function scopeUrl(asked: string, answered: string): string {
  const { protocol, host } = parseUrl(answered);
  const wanted = parseUrl(asked);
  const moved = `${protocol}//${host}${wanted.pathname}`;
  return new Scope(moved).has(answered) ? moved : answered;
}

function notHtml(type: string): string | undefined {
  if (type === "" || type === "text/html" || type === "application/xhtml+xml") return undefined;
  return `It is ${type}, not a page.`;
}

async function robotsOf(asking: Asking, { origin }: Scope): Promise<Robots> {
  const answer = await asking.ask(`${origin}/robots.txt`, {
    accept: "text/plain, */*;q=0.1",
    maxBytes: 4 * MAX_ROBOTS,
  });
  if (answer.isReceived) return readRobots(new TextDecoder().decode(answer.bytes.subarray(0, MAX_ROBOTS)));
  // A site without rules says so. If its rules cannot be read, everything may be forbidden.
  if (answer.status !== undefined && answer.status < 500) return readRobots("");
  throw new ImportRefused(`${origin}/robots.txt could not be read, so nobody knows what may be: ${answer.reason}`);
}

async function sitemapOf(asking: Asking, scope: Scope, robots: Robots): Promise<string[]> {
  const usual = [...new Set([`${scope.origin}${scope.path}/sitemap.xml`, `${scope.origin}/sitemap.xml`])];
  const stated = robots.sitemaps.filter((url) => tryParseUrl(url)?.origin === scope.origin);
  const isOurs = (url: string) => tryParseUrl(url)?.host === parseUrl(scope.origin).host;
  return addressesInSitemaps(asking, stated.length > 0 ? stated : usual, isOurs, asking.limits.addresses);
}

function pathOf(url: string): string {
  const { pathname, search } = parseUrl(url);
  return pathname + search;
}

/** Whether a page is the table of contents of the site, and not a page above others. */
function isContentsPage(key: string, page: SitePage | undefined): boolean {
  const name = parseUrl(key).pathname.split("/").at(-1)!;
  return (
    /^(?:contents?|toc|sitemap|summary)(?:\.\w+)?$/i.test(name) || /^(?:table of )?contents$/i.test(page?.title ?? "")
  );
}

class Crawl {
  readonly #known = new Set<string>();
  readonly #waiting: Waiting[] = [];
  readonly #pages = new Map<string, SitePage>();
  readonly #aliases = new Map<string, string>();
  /** Keys of pages by what they say. */
  readonly #said = new Map<string, string>();
  /** Pages that name another canonical address, by that address. If there is no page there, they are taken after
   * all. */
  readonly #deferred = new Map<string, { key: string; page: SitePage }>();
  readonly #navigations = new Map<string, readonly string[]>();
  readonly #inNavigation = new Set<string>();
  readonly #keys = new Map<string, string | undefined>();
  readonly #outlines = new Outlines((url) => this.#keyWithin(url));
  #longest = 0;
  #hasMore = false;

  constructor(
    readonly asking: Asking,
    readonly skips: Skips,
    readonly scope: Scope,
    readonly robots: Robots,
    readonly listed: readonly string[],
  ) {}

  async run(first: Received): Promise<Crawled> {
    const key = this.scope.keyOf(first.url);
    this.#known.add(key);
    this.#aliases.set(this.scope.keyOf(this.asking.source.url), key);
    await this.#visit({ url: first.url, key, depth: 0 }, first);
    for (const url of this.listed) this.#find(url, 1);
    await this.#work();
    for (const [target, { key, page }] of this.#deferred) if (!this.#pages.has(target)) this.#take(key, page);
    if (this.#hasMore)
      this.skips.add(
        this.scope.origin,
        `More than ${this.asking.limits.addresses} addresses were found; the others were not looked at.`,
      );
    const home = this.#resolved(key);
    const outline = await runSteps(
      this.#outlines.finish(
        (it) => this.#resolved(it),
        (it) => it === home || isContentsPage(it, this.#pages.get(it)),
      ),
    );
    return {
      scope: this.scope,
      robots: this.robots,
      pages: this.#pages,
      first: home,
      aliases: this.#aliases,
      order: await runSteps(this.#order(key, outline)),
      outline,
    };
  }

  /** Asks what waits, several at once, until nothing waits any more; one at a time where the site asks for a pause. */
  async #work(): Promise<void> {
    const { concurrency, crawlDelay } = this.asking.limits;
    const delay = Math.min(this.robots.crawlDelay * 1000, crawlDelay);
    const most = delay > 0 ? 1 : concurrency;
    const busy = new Set<Promise<void>>();
    for (let next = 0; next < this.#waiting.length || busy.size > 0; ) {
      while (next < this.#waiting.length && busy.size < most) {
        const waiting = this.#waiting[next++]!;
        const isFull = this.#pages.size + busy.size >= this.asking.limits.pages;
        // A page under way may turn out to be a copy of another.
        if (isFull && busy.size > 0 && this.#pages.size < this.asking.limits.pages) {
          next--;
          break;
        }
        if (isFull) {
          this.skips.add(
            waiting.url,
            `An import takes ${this.asking.limits.pages} pages at the most. ${howToRaise("maxPages")}`,
          );
          continue;
        }
        if (delay > 0 && !this.asking.isOver) await this.asking.wait(delay);
        const task: Promise<void> = this.#ask(waiting).finally(() => busy.delete(task));
        busy.add(task);
      }
      if (busy.size > 0) await Promise.race(busy);
      this.asking.source.told?.(next - busy.size, this.#waiting.length);
    }
  }

  async #ask(waiting: Waiting): Promise<void> {
    const answer = await this.asking.ask(waiting.url, {
      accept: HTML,
      maxBytes: this.asking.limits.pageBytes,
      refuse: (last, type) =>
        this.scope.has(last) ? notHtml(type) : "It leads out of the part of the site that is imported.",
    });
    if (!answer.isReceived) this.skips.add(waiting.url, answer.reason);
    else await this.#visit(waiting, answer);
  }

  async #visit(waiting: Waiting, answer: Received): Promise<void> {
    const key = this.scope.keyOf(answer.url);
    if (key !== waiting.key) {
      this.#aliases.set(waiting.key, key);
      if (this.#known.has(key)) return;
      this.#known.add(key);
      if (!this.robots.allows(pathOf(answer.url))) {
        this.skips.add(answer.url, "The site's robots.txt asks for it not to be read.");
        return;
      }
    }
    const visited = await visitPage(answer).catch(reasonIfTooLong);
    if (typeof visited === "string") {
      this.skips.add(answer.url, visited);
      return;
    }
    for (const url of visited.outgoing) this.#find(url, waiting.depth + 1);
    this.#remember(key, visited.navigation);
    if (visited.contents) this.#outlines.add(key, visited.contents);
    this.#keep(key, answer.url, waiting.depth, visited);
  }

  /** Keeps a page, or leaves it to its canonical address. */
  #keep(key: string, url: string, depth: number, { page, canonical, noIndex }: Visited): void {
    if (noIndex) this.skips.add(url, "The page asks for not being kept by machines.");
    else if (!page) this.skips.add(url, "No content was found in it.");
    else {
      const home = (canonical && this.#keyWithin(canonical)) ?? key;
      const isElsewhere = home !== key && this.#resolved(home) !== key;
      if (!isElsewhere) this.#take(key, page);
      else {
        this.#aliases.set(key, home);
        if (!this.#deferred.has(home)) this.#deferred.set(home, { key, page });
        this.#find(canonical!, depth);
      }
    }
  }

  #take(key: string, page: SitePage): void {
    this.#aliases.delete(key);
    const same = this.#said.get(page.nodes.hash);
    if (same !== undefined && this.#pages.get(same)?.title === page.title) this.#aliases.set(key, same);
    else if (this.#pages.size >= this.asking.limits.pages)
      this.skips.add(
        page.url,
        `An import takes ${this.asking.limits.pages} pages at the most. ${howToRaise("maxPages")}`,
      );
    else {
      this.#said.set(page.nodes.hash, key);
      this.#pages.set(key, page);
    }
  }

  /** Takes note of an address that was found. */
  #find(url: string, depth: number): void {
    const key = this.#keyWithin(url);
    if (key === undefined || this.#known.has(key)) return;
    const kind = kindOf(url);
    if (kind === "file" || kind === "other") return;
    if (this.#known.size >= this.asking.limits.addresses) {
      this.#hasMore = true;
      return;
    }
    this.#known.add(key);
    if (kind === "maze") this.skips.add(url, "Its address repeats itself, as those of a site without an end do.");
    else if (depth > this.asking.limits.depth)
      this.skips.add(url, `It is more than ${this.asking.limits.depth} links away from the first page.`);
    else if (!this.robots.allows(pathOf(url))) this.skips.add(url, "The site's robots.txt asks for it not to be read.");
    else this.#waiting.push({ url, key, depth });
  }

  /** Where an address leads in the end. */
  #resolved(key: string): string {
    let at = key;
    for (let steps = 0; steps < 10 && !this.#pages.has(at) && this.#aliases.has(at); steps++)
      at = this.#aliases.get(at)!;
    return at;
  }

  /** The key of an address, undefined when it lies outside. Sites repeat their addresses on every page. */
  #keyWithin(url: string): string | undefined {
    if (this.#keys.has(url)) return this.#keys.get(url);
    const key = this.scope.has(url) ? this.scope.keyOf(url) : undefined;
    if (this.#keys.size < this.asking.limits.addresses) this.#keys.set(url, key);
    return key;
  }

  /** Keeps a navigation only if it has something new or more links: on most sites all pages have the same. */
  #remember(key: string, navigation: readonly string[]): void {
    const keys = navigation.flatMap((url) => this.#keyWithin(url) ?? []);
    const isNew = keys.length > this.#longest || keys.some((it) => !this.#inNavigation.has(it));
    if (!isNew) return;
    this.#longest = Math.max(this.#longest, keys.length);
    for (const it of keys) this.#inNavigation.add(it);
    this.#navigations.set(key, keys);
  }

  /** The site's own order: that in which readers turn its pages, of its longest navigation, of the others, and of its
   * sitemap. */
  *#order(first: string, { sequence }: Outline): Steps<Map<string, number>> {
    const order = new Map<string, number>();
    const place = (key: string) => {
      const at = this.#resolved(key);
      if (!order.has(at)) order.set(at, order.size);
    };
    place(first);
    if (sequence.filter((it) => this.#pages.has(it)).length >= this.#pages.size / 2) sequence.forEach(place);
    const isFirst = (source: string) => (source === first ? 0 : 1);
    const sources = [...this.#navigations].sort(
      ([a, inA], [b, inB]) => inB.length - inA.length || isFirst(a) - isFirst(b) || (a < b ? -1 : 1),
    );
    for (const [, keys] of sources) {
      yield;
      for (const key of keys) place(key);
    }
    yield;
    for (const key of this.listed.flatMap((url) => this.#keyWithin(url) ?? [])) place(key);
    return order;
  }
}
