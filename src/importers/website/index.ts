// A website as a book: its pages as Markdown, linked with each other as before, with their images.

import type { BookText } from "../../content/book/book";
import { createBook } from "../../content/book/book";
import { getRelativePath } from "../../content/book/paths";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import type { Steps } from "../../content/markdown/steps";
import { runSteps } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import type { Imported } from "../imported";
import { ImportRefused } from "../refused";
import { Asking, type WebSource } from "./answers";
import { type Crawled, crawl } from "./crawl";
import { FileShelf, withoutFragment } from "./files";
import { HeldText } from "./held-text";
import { leftOutOfAll } from "./left-out";
import { withDefaults } from "./limits";
import { Skips } from "./skips";
import { anchorsNamed, sitePageText } from "./text";
import { withTitles } from "./titles";
import { arrange } from "./tree";
import { kindOf } from "./urls";

export type { WebSource } from "./answers";
export type { WebLimits } from "./limits";

/** Imports a website from the page at a URL on. Throws `ImportRefused` when there is nothing to import. */
export async function crawlWebsite(source: WebSource): Promise<Imported> {
  const asking = new Asking(source, withDefaults(source.limits));
  const skips = new Skips();
  const site = await crawl(asking, skips);
  if (site.pages.size === 0)
    throw new ImportRefused(
      `Nothing could be imported from ${source.url}. ${skips.first ?? "No content was found in it."}`,
    );
  const shelf = new FileShelf(source.setAside);
  const isAllowed = (url: string) =>
    parseUrl(url).origin !== site.scope.origin || site.robots.allows(parseUrl(url).pathname);
  await shelf.fetchAll(asking, await runSteps(filesNamed(site)), skips, isAllowed);
  const pages = await runSteps(withTitles(site.pages, site.outline.labels));
  return bookOf({ ...site, pages }, shelf, skips);
}

/** Images of all pages, and the documents of the site that they link to, step by step. */
function* filesNamed({ pages, scope }: Crawled): Steps<Set<string>> {
  const named = new Set<string>();
  const seen = new Set<string>();
  for (const { images, links } of pages.values()) {
    for (const url of images) named.add(withoutFragment(url));
    for (const url of links.map(withoutFragment)) {
      if (seen.has(url)) continue;
      seen.add(url);
      if (scope.has(url) && kindOf(url) === "file") named.add(url);
    }
    yield;
  }
  return named;
}

async function bookOf(site: Crawled, shelf: FileShelf, skips: Skips): Promise<Imported> {
  const { chapters, paths } = await runSteps(arrange(site));
  const texts = new Map<string, BookText>();
  const addresses = new Map<string, string>();
  const left = new Map(site.pages);
  const ends = new LinkEnds(site);
  const linked = await runSteps(linkedAnchors(site, ends));
  let held = 0;
  for (const [key, page] of site.pages) {
    const path = paths.get(key)!;
    const link = (url: string) => linkFrom(path, url, ends, paths, shelf);
    const text = await runSteps(sitePageText(page, link, linked.get(key) ?? NONE));
    held += text.length;
    const address = addressOf(key, site);
    if (text.length <= MAX_TEXT_LENGTH) {
      texts.set(path, held <= MOST_HELD ? { text } : await heldLonger(text));
      if (address) addresses.set(path, address);
    } else {
      left.delete(key);
      skips.add(page.url, "Its text is longer than that of a page may be.");
    }
  }
  if (left.size === 0) throw new ImportRefused(`Nothing could be imported from ${site.scope.origin}. ${skips.first}`);
  // Links to a page that is left out are written again, to where it is now.
  if (left.size < site.pages.size) return bookOf({ ...site, pages: left }, shelf, skips);
  const book = createBook({
    chapters,
    texts,
    websitePaths: addresses,
    files: shelf.files,
    skipped: skips.list(site.scope.origin + site.scope.path),
    omittedParts: leftOutOfAll(site.pages.values()),
  });
  return { book, total: texts.size + shelf.files.size + skips.count };
}

/** The path that a page had, from the top of its site; undefined where a query is part of its address. */
function addressOf(key: string, { scope }: Crawled): string | undefined {
  const { pathname, search } = parseUrl(key);
  if (search !== "") return undefined;
  try {
    return decodeURIComponent(pathname.slice(scope.path.length + 1));
  } catch {
    return undefined;
  }
}

/** Characters of texts that are held as they are. */
const MOST_HELD = 8 * 1024 * 1024;

async function heldLonger(text: string): Promise<BookText> {
  const held = await runSteps(HeldText.of(text));
  return { text: "", readText: () => runSteps(held.read()) };
}

const NONE: ReadonlySet<string> = new Set();

/** The anchors of each page that a page of the site names, step by step. */
function* linkedAnchors(site: Crawled, ends: LinkEnds): Steps<Map<string, Set<string>>> {
  const links = new Map<string, string[]>();
  for (const [from, page] of site.pages) {
    yield;
    for (const url of page.links) {
      const hash = url.indexOf("#");
      if (hash < 0) continue;
      const key = hash === 0 ? from : ends.pageAt(url);
      if (key === undefined) continue;
      const named = links.get(key);
      if (named) named.push(url);
      else links.set(key, [url]);
    }
  }
  const named = new Map<string, Set<string>>();
  for (const [key, urls] of links) {
    named.set(key, anchorsNamed(urls));
    yield;
  }
  return named;
}

/** Finds where links lead in the end. A site repeats its addresses, so each is looked for once. */
class LinkEnds {
  readonly #known = new Map<string, string | undefined>();

  constructor(readonly site: Crawled) {}

  /** The key of the page that an address leads to; undefined for what is not one of the site's. */
  pageAt(url: string): string | undefined {
    const address = withoutFragment(url);
    if (!this.#known.has(address)) this.#known.set(address, this.#find(address));
    return this.#known.get(address);
  }

  #find(url: string): string | undefined {
    const { scope, aliases, pages } = this.site;
    if (!scope.has(url)) return undefined;
    let key = scope.keyOf(url);
    for (let steps = 0; steps < 10 && !pages.has(key) && aliases.has(key); steps++) key = aliases.get(key)!;
    return pages.has(key) ? key : undefined;
  }
}

/** How a page names what an address leads to: a page or a file of the book, else the address itself. */
function linkFrom(
  from: string,
  url: string,
  ends: LinkEnds,
  paths: ReadonlyMap<string, string>,
  shelf: FileShelf,
): string {
  const address = url.startsWith("#") ? undefined : tryParseUrl(url);
  if (!address) return url;
  const file = shelf.paths.get(withoutFragment(url));
  if (file !== undefined) return getRelativePath(from, file);
  const key = ends.pageAt(url);
  const path = key === undefined ? undefined : paths.get(key);
  if (path === undefined) return url;
  const { hash } = address;
  return path === from && hash !== "" ? hash : getRelativePath(from, path) + hash;
}
