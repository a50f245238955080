// One page of a site: what it says, and where its links lead.

import type { Block, Phrasing } from "../../content/document";
import { textNode } from "../../content/markdown/reader/leaves";
import type { Steps } from "../../content/markdown/steps";
import { pauseUntilNextTurn, runSteps } from "../../utils/concurrency/event-loop";
import { stringifyJsonInSteps } from "../../utils/concurrency/json-steps";
import { tryParseUrl } from "../../utils/url";
import { decodeHtml, type HtmlDocument, readHtml } from "../html";
import { addRules, baseOf } from "../html/head";
import type { LeftOutPart } from "../html/left-out";
import { attribute, findAllInSteps, walkInSteps, words } from "../html/looking";
import { paragraph } from "../html/reading-blocks";
import { type Element, parseInSteps } from "../html/tree";
import type { Received } from "./answers";
import { type ContentsLine, contentsOf, isNavigation, type PageContents, type ResolveHref } from "./contents";
import { HeldText } from "./held-text";

/** A page that was read. */
export interface SitePage {
  readonly url: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Its blocks as JSON text. As a tree they would take many times the memory until all pages are known. */
  readonly nodes: HeldText;
  readonly isEmpty: boolean;
  readonly images: readonly string[];
  /** Links of the content. */
  readonly links: readonly string[];
  /** Anchors that lead to its title. */
  readonly titleAnchors: readonly string[];
  /** What was left out of it as the site around it. */
  readonly leftOut: readonly LeftOutPart[];
  /** What its head calls it, if nothing else gives it a title. */
  readonly headTitle: string | undefined;
}

/** A page with what only the crawl needs. */
export interface Visited {
  /** Undefined when it says nothing. */
  readonly page: SitePage | undefined;
  readonly canonical: string | undefined;
  readonly noIndex: boolean;
  /** Where links of the whole page lead, as far as robots may follow them. */
  readonly outgoing: readonly string[];
  /** The links of its navigation, in order. */
  readonly navigation: readonly string[];
  readonly contents: PageContents | undefined;
}

const MAX_LINKS = 5000;
/** Frames too: some sites have their navigation in one. */
const LINKING = words("a area frame iframe");

/** Reads an answer as a page of a site, with turns for others. */
export async function visitPage(received: Received): Promise<Visited> {
  // Several answers may have come at the same time.
  await pauseUntilNextTurn();
  return runSteps(visit(received));
}

function* visit({ bytes, url, headers }: Received): Steps<Visited> {
  const root = yield* parseInSteps(decodeHtml(bytes, headers.get("content-type") ?? ""));
  const read = yield* readHtml(root, { base: url });
  const { head } = read;
  const rules = new Set<string>();
  addRules((headers.get("x-robots-tag") ?? "").replace(/\b(?:octavo|\*)\s*:/gi, ""), rules);
  const resolve = resolver(baseOf(head, url) ?? url);
  const isClosed = head.noFollow || rules.has("nofollow") || rules.has("none");
  yield;
  const contents = isClosed ? undefined : yield* contentsOf(root, resolve);
  yield;
  const page = yield* pageOrContents(read, contents, url);
  yield;
  const outgoing = isClosed ? [] : yield* linksIn(root, resolve);
  yield;
  const navigation = isClosed ? [] : yield* navigationIn(root, resolve);
  const noIndex = head.noIndex || rules.has("noindex") || rules.has("none");
  return { page, canonical: read.canonical, noIndex, outgoing, navigation, contents };
}

/** A page that says something, if only what is below it. */
function* pageOrContents(
  read: HtmlDocument,
  contents: PageContents | undefined,
  url: string,
): Steps<SitePage | undefined> {
  if (read.document.nodes.length > 0) return yield* pageOf(read, url);
  const lines = (contents?.below ?? []).filter((line) => line.above < 0 && line.url !== undefined && line.title !== "");
  if (lines.length === 0 || read.title === undefined) return undefined;
  const document = { ...read.document, nodes: [listOfLinks(lines as (ContentsLine & { url: string })[])] };
  return yield* pageOf({ ...read, document, links: lines.map((line) => line.url!) }, url);
}

function listOfLinks(lines: readonly (ContentsLine & { readonly url: string })[]): Block {
  const nodes = lines.map(({ url, title }): Block => {
    const ref = { kind: "url" as const, url };
    const link: Phrasing = { object: "inline", type: "link", isVoid: false, data: { ref }, nodes: [textNode(title)] };
    return { object: "block", type: "list-item", isVoid: false, data: {}, nodes: [paragraph([link])] };
  });
  return { object: "block", type: "list-unordered", isVoid: false, data: {}, nodes };
}

/** What was read of a page, as it is kept, step by step. */
export function* pageOf(read: HtmlDocument, url: string): Steps<SitePage> {
  const { document, title, description, images, links, titleAnchors, headTitle, leftOut } = read;
  const text = yield* stringifyJsonInSteps(document.nodes);
  const nodes = yield* HeldText.of(text);
  const held = { nodes, isEmpty: document.nodes.length === 0 };
  return { url, title, description, ...held, images, links, titleAnchors, headTitle, leftOut };
}

/** Resolves addresses, each once: a page repeats those of its navigation. */
function resolver(base: string): ResolveHref {
  const known = new Map<string, string | undefined>();
  return (href) => {
    if (!known.has(href)) known.set(href, resolved(href, base));
    return known.get(href);
  };
}

function resolved(href: string, base: string): string | undefined {
  const url = tryParseUrl(href, base);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  url.hash = "";
  return url.href;
}

/** Where links lead, in order; those that robots are not to follow are left out. */
function* linksIn(root: Element, resolve: ResolveHref): Steps<string[]> {
  const found = new Set<string>();
  yield* walkInSteps(root, (element) => {
    if (!LINKING.has(element.name)) return true;
    const href = (attribute(element, "href") || attribute(element, "src")).trim();
    const isOpen = !/(?:^|\s)nofollow(?:\s|$)/i.test(attribute(element, "rel"));
    const url = isOpen && href !== "" && !href.startsWith("#") ? resolve(href) : undefined;
    if (url !== undefined && found.size < MAX_LINKS) found.add(url);
    return true;
  });
  return [...found];
}

/** Links of the navigation: the part with most of them first, for that is the table of contents. */
function* navigationIn(root: Element, resolve: ResolveHref): Steps<string[]> {
  const parts: string[][] = [];
  for (const part of yield* findAllInSteps(root, isNavigation)) parts.push(yield* linksIn(part, resolve));
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), [] as string[]);
  return [...new Set([...longest, ...parts.flat()])];
}
