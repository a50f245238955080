// Imports a website as a book: its pages as Markdown, linked with each other as before, with their images.

import { type BookText, createBook } from "../../content/book/book";
import { decodePercent, getRelativePath } from "../../content/book/paths";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { runSteps } from "../../utils/concurrency/event-loop";
import type { Steps } from "../../utils/concurrency/steps";
import { parseUrl, tryDecodeUriComponent, tryParseUrl } from "../../utils/url";
import { ImportError } from "../errors";
import type { ImportedBook } from "../imported-book";
import { arrangeSiteInSteps } from "./arrange-site";
import { assignTitlesInSteps } from "./assign-titles";
import { CompressedText } from "./compressed-text";
import { classifyUrl } from "./crawl-scope";
import { type CrawledSite, crawlSite } from "./crawl-site";
import { DownloadedFiles, removeFragment } from "./downloaded-files";
import { DEFAULT_LIMITS } from "./limits";
import { SkippedResources } from "./skipped-resources";
import { sumOmittedParts } from "./sum-omitted-parts";
import { WebClient, type WebSource } from "./web-client";
import { writeSitePageInSteps } from "./write-site-page";

/** The length of the texts that stay in memory as they are. Further ones are compressed. */
const MAX_LENGTH_IN_MEMORY = 8 * 1024 * 1024;
/** The most redirects and canonical URLs that are followed one after the other. */
const MAX_ALIAS_HOPS = 10;

/** Imports a website, from the page at a URL on. Throws `ImportError` if there is nothing to import. */
export async function importWebsite(source: WebSource): Promise<ImportedBook> {
  const client = new WebClient(source, { ...DEFAULT_LIMITS, ...source.limits });
  const skipped = new SkippedResources();
  const site = await crawlSite(client, skipped);
  if (site.pages.size === 0)
    throw new ImportError(
      `Nothing could be imported from ${source.url}. ${skipped.firstReason ?? "No content was found in it."}`,
    );

  const files = new DownloadedFiles(source.spillBytes);
  const isAllowed = (url: string) => {
    const { origin, pathname } = parseUrl(url);
    return origin !== site.scope.origin || site.robots.allows(pathname);
  };
  await files.download(client, await runSteps(listNamedFiles(site)), skipped, isAllowed);
  const pages = await runSteps(assignTitlesInSteps(site.pages, site.outline.labels));
  return createSiteBook({ ...site, pages }, files, skipped);
}

/** Lists the images of all pages, and the documents of the site that they link to. */
function* listNamedFiles({ pages, scope }: CrawledSite): Steps<Set<string>> {
  const files = new Set<string>();
  const seen = new Set<string>();
  for (const { images, links } of pages.values()) {
    for (const url of images) files.add(removeFragment(url));
    for (const url of links.map(removeFragment)) {
      if (seen.has(url)) continue;
      seen.add(url);
      if (scope.has(url) && classifyUrl(url) === "file") files.add(url);
    }
    yield;
  }
  return files;
}

async function createSiteBook(
  site: CrawledSite,
  files: DownloadedFiles,
  skipped: SkippedResources,
): Promise<ImportedBook> {
  const { scope } = site;
  const { chapters, paths } = await runSteps(arrangeSiteInSteps(site));
  const texts = new Map<string, BookText>();
  const websitePaths = new Map<string, string>();
  const takenPages = new Map(site.pages);
  const links = new LinkResolver(site, paths, files);
  const linkedAnchors = await runSteps(links.listAnchorsInSteps());
  let totalLength = 0;
  for (const [key, page] of site.pages) {
    const path = paths.get(key)!;
    const mapLink = (url: string) => links.mapLink(path, url);
    const text = await runSteps(writeSitePageInSteps(page, mapLink, linkedAnchors.get(key) ?? new Set()));
    totalLength += text.length;
    if (text.length > MAX_TEXT_LENGTH) {
      takenPages.delete(key);
      skipped.add(page.url, "Its text is too long for a page.");
      continue;
    }

    if (totalLength <= MAX_LENGTH_IN_MEMORY) texts.set(path, { text });
    else {
      const compressed = await runSteps(CompressedText.compressInSteps(text));
      texts.set(path, { text: "", readText: () => runSteps(compressed.readInSteps()) });
    }
    // The former path of a page begins at the top of its site. A page whose URL has a query or a malformed escape has none.
    const { pathname, search } = parseUrl(key);
    const websitePath = search === "" ? tryDecodeUriComponent(pathname.slice(scope.path.length + 1)) : undefined;
    if (websitePath) websitePaths.set(path, websitePath);
  }
  if (takenPages.size === 0)
    throw new ImportError(`Nothing could be imported from ${scope.origin}. ${skipped.firstReason}`);
  // If pages are left out, links to them are written again.
  if (takenPages.size < site.pages.size) return createSiteBook({ ...site, pages: takenPages }, files, skipped);

  const book = createBook({
    chapters,
    texts,
    websitePaths,
    files: files.files,
    skipped: skipped.list(scope.origin + scope.path),
    omittedParts: sumOmittedParts(site.pages.values()),
  });
  return { book, foundCount: texts.size + files.files.size + skipped.count };
}

/** Finds the targets of links in the book. A site repeats its URLs, so each is looked up once. */
class LinkResolver {
  readonly #keysByUrl = new Map<string, string | undefined>();

  constructor(
    readonly site: CrawledSite,
    readonly paths: ReadonlyMap<string, string>,
    readonly files: DownloadedFiles,
  ) {}

  /** Returns what a URL becomes in a page: the path of a page or a file of the book, or else the URL itself. */
  mapLink(from: string, url: string): string {
    const parsed = url.startsWith("#") ? undefined : tryParseUrl(url);
    if (!parsed) return url;
    const file = this.files.paths.get(removeFragment(url));
    if (file !== undefined) return getRelativePath(from, file);
    const key = this.#findPage(url);
    const path = key === undefined ? undefined : this.paths.get(key);
    if (path === undefined) return url;
    return path === from && parsed.hash !== "" ? parsed.hash : getRelativePath(from, path) + parsed.hash;
  }

  /** Lists the anchors of each page, by its key, that a page of the site names. */
  *listAnchorsInSteps(): Steps<Map<string, Set<string>>> {
    const urlsByKey = new Map<string, string[]>();
    for (const [from, page] of this.site.pages) {
      yield;
      for (const url of page.links) {
        const hash = url.indexOf("#");
        if (hash < 0) continue;
        const key = hash === 0 ? from : this.#findPage(url);
        if (key === undefined) continue;
        const urls = urlsByKey.get(key);
        if (urls) urls.push(url);
        else urlsByKey.set(key, [url]);
      }
    }
    const anchors = new Map<string, Set<string>>();
    for (const [key, urls] of urlsByKey) {
      anchors.set(key, new Set(urls.map((url) => decodePercent(url.slice(url.indexOf("#") + 1)))));
      yield;
    }
    return anchors;
  }

  /** Returns the key of the page that a URL leads to, or undefined if it is not a page of the site. */
  #findPage(url: string): string | undefined {
    const address = removeFragment(url);
    if (this.#keysByUrl.has(address)) return this.#keysByUrl.get(address);
    const { scope, aliases, pages } = this.site;
    let key: string | undefined;
    if (scope.has(address)) {
      key = scope.getUrlKey(address);
      for (let hops = 0; hops < MAX_ALIAS_HOPS && !pages.has(key) && aliases.has(key); hops++) key = aliases.get(key)!;
      if (!pages.has(key)) key = undefined;
    }
    this.#keysByUrl.set(address, key);
    return key;
  }
}
