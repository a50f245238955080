// One page of a site: its content, and the targets of its links.

import type { Block, Phrasing } from "../../content/document";
import { createTextNode } from "../../content/markdown/document-parts";
import { stringifyJsonInSteps } from "../../utils/concurrency/json-steps";
import type { Steps } from "../../utils/concurrency/steps";
import { tryParseUrl } from "../../utils/url";
import { createParagraph } from "../html/block-context";
import { decodeHtml } from "../html/decode-html";
import { findElementsInSteps, getAttribute, toWordSet, walkElementsInSteps } from "../html/elements";
import { addRobotsRules, resolveBaseUrl } from "../html/head";
import type { OmittedHtmlPart } from "../html/omitted-parts";
import { type HtmlElement, parseHtmlInSteps } from "../html/parse-html";
import { type HtmlDocument, readHtmlInSteps } from "../html/read-html";
import { CompressedText } from "./compressed-text";
import { isNavigation, type PageContents, type ResolveHref, readPageContentsInSteps } from "./page-contents";
import type { FetchedResource } from "./web-client";

export interface SitePage {
  readonly url: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Its blocks as JSON text. As a tree they would take many times the memory until all pages are known. */
  readonly nodes: CompressedText;
  readonly isEmpty: boolean;
  readonly images: readonly string[];
  readonly links: readonly string[];
  readonly titleAnchors: readonly string[];
  /** The parts that were left out as the site around it. */
  readonly omittedParts: readonly OmittedHtmlPart[];
  /** The title in its head, if nothing else gives it a title. */
  readonly headTitle: string | undefined;
}

/** A page with everything that only the crawl needs. */
export interface PageVisit {
  /** Undefined if it has no content. */
  readonly page: SitePage | undefined;
  readonly canonicalUrl: string | undefined;
  readonly noIndex: boolean;
  /** The targets of the links of the entire page, as far as robots may follow them. */
  readonly outgoingUrls: readonly string[];
  /** The links of its navigation, in order. */
  readonly navigation: readonly string[];
  readonly contents: PageContents | undefined;
}

const MAX_LINKS = 5000;
/** Elements with links. Frames count too, because some sites have their navigation in one. */
const LINK_ELEMENTS = toWordSet("a area frame iframe");

export function* visitPageInSteps({ bytes, url, headers }: FetchedResource): Steps<PageVisit> {
  const root = yield* parseHtmlInSteps(decodeHtml(bytes, headers.get("content-type") ?? ""));
  const document = yield* readHtmlInSteps(root, { baseUrl: url });
  const { head, canonicalUrl } = document;
  const rules = new Set<string>();
  addRobotsRules((headers.get("x-robots-tag") ?? "").replace(/\b(?:octavo|\*)\s*:/gi, ""), rules);
  const noFollow = head.noFollow || rules.has("nofollow") || rules.has("none");
  const noIndex = head.noIndex || rules.has("noindex") || rules.has("none");
  // Each href is resolved once, because a page repeats those of its navigation.
  const baseUrl = resolveBaseUrl(head, url) ?? url;
  const resolved = new Map<string, string | undefined>();
  const resolve: ResolveHref = (href) => {
    if (!resolved.has(href)) {
      const target = tryParseUrl(href, baseUrl);
      const isWeb = target?.protocol === "http:" || target?.protocol === "https:";
      if (isWeb) target.hash = "";
      resolved.set(href, isWeb ? target.href : undefined);
    }
    return resolved.get(href);
  };
  yield;
  const contents = noFollow ? undefined : yield* readPageContentsInSteps(root, resolve);
  yield;

  let page: SitePage | undefined;
  if (document.document.nodes.length > 0) page = yield* createSitePageInSteps(document, url);
  else if (document.title !== undefined) {
    // The content of a page may be a list of the pages below it.
    const items: Block[] = [];
    const links: string[] = [];
    for (const { url: href, title, parentIndex } of contents?.inText ?? []) {
      if (parentIndex >= 0 || href === undefined || title === "") continue;
      const data = { ref: { kind: "url" as const, url: href } };
      const link: Phrasing = { object: "inline", type: "link", isVoid: false, data, nodes: [createTextNode(title)] };
      items.push({ object: "block", type: "list-item", isVoid: false, data: {}, nodes: [createParagraph([link])] });
      links.push(href);
    }
    if (items.length > 0) {
      const list: Block = { object: "block", type: "list-unordered", isVoid: false, data: {}, nodes: items };
      const listDocument = { ...document.document, nodes: [list] };
      page = yield* createSitePageInSteps({ ...document, document: listDocument, links }, url);
    }
  }
  yield;

  const outgoingUrls = noFollow ? [] : yield* listLinks(root, resolve);
  yield;
  const navigation: string[] = [];
  if (!noFollow) {
    const parts: string[][] = [];
    for (const part of yield* findElementsInSteps(root, isNavigation)) parts.push(yield* listLinks(part, resolve));
    // The part with most links is the table of contents, so it comes first.
    const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), [] as string[]);
    for (const link of new Set([...longest, ...parts.flat()])) navigation.push(link);
  }
  return { page, canonicalUrl, noIndex, outgoingUrls, navigation, contents };
}

/** Creates a page from a document, with its blocks in compressed form. */
export function* createSitePageInSteps(htmlDocument: HtmlDocument, url: string): Steps<SitePage> {
  const { document, title, description, images, links, titleAnchors, headTitle, omittedParts } = htmlDocument;
  const text = yield* stringifyJsonInSteps(document.nodes);
  const nodes = yield* CompressedText.compressInSteps(text);
  const isEmpty = document.nodes.length === 0;
  return { url, title, description, nodes, isEmpty, images, links, titleAnchors, headTitle, omittedParts };
}

/** Lists the targets of links, in order, without those that robots are not to follow. */
function* listLinks(root: HtmlElement, resolve: ResolveHref): Steps<string[]> {
  const urls = new Set<string>();
  yield* walkElementsInSteps(root, (element) => {
    if (!LINK_ELEMENTS.has(element.name)) return true;
    const href = (getAttribute(element, "href") || getAttribute(element, "src")).trim();
    const isFollowed = !/(?:^|\s)nofollow(?:\s|$)/i.test(getAttribute(element, "rel"));
    const url = isFollowed && href !== "" && !href.startsWith("#") ? resolve(href) : undefined;
    if (url !== undefined && urls.size < MAX_LINKS) urls.add(url);
    return true;
  });
  return [...urls];
}
