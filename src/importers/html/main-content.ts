// Finds the content of a page: the container that its generator or author marks as such, or else the block with most of the
// text outside of links. Everything next to that block is content too, unless it is the site around the page: navigation,
// headers, footers, sidebars.

import type { Steps } from "../../utils/concurrency/steps";
import {
  filterElements,
  findElement,
  findElements,
  findPath,
  getAttribute,
  hasName,
  toWordSet,
  walkElementsInSteps,
} from "./elements";
import { isNoise } from "./noise";
import type { HtmlElement } from "./parse-html";

export interface MainContent {
  /** The element that holds it, without the children that belong to the site. */
  readonly content: HtmlElement;
  /** The same element in the page. */
  readonly element: HtmlElement;
}

/** Containers of documentation generators and wikis, as `getNames` returns them. The most specific ones come first. */
const CONTAINERS: readonly ReadonlySet<string>[] = [
  toWordSet(
    "themedocmarkdown slmarkdowncontent vpdoc themedefaultcontent mdcontentinner mwparseroutput wikicontent notionpagecontent",
  ),
  toWordSet("bdarticle markdownsection markdownbody rstcontent articlebody entrycontent postcontent nextracontent"),
];
const LIKELY_CONTAINERS = toWordSet(
  "content maincontent main documentation document pagecontent articlecontent docscontent bodycontent",
);
/** Elements that can hold the content of a page. */
const HOLDER_ELEMENTS = toWordSet("html body div section article main center form table tbody tr td");
/** Parts of tables. An entire table is content, or it only arranges the page. */
const TABLE_PARTS = toWordSet("table thead tbody tfoot tr");
/** Names of parts of the site around the content of a page, as `getNames` returns them. */
const SITE_PARTS = toWordSet(`
  footer pagefooter sitefooter bottom colophon copyright legal credits header pageheader siteheader masthead topbar top
  banner navbar nav navigation menu mainmenu topmenu sitemenu submenu search searchform logo toolbar related sidebarwrapper
  quickview toplang bottomlang langbar languages path up preamblelinks nosearch
`);
const TITLE = /^h[12]$/;

/** The share of the text that a block must hold for the search to go on in it. */
const MIN_TEXT_SHARE = 0.5;
/** The share of its text that a block has in links, if it is a list of them. */
const LINK_LIST_SHARE = 0.5;
/** A list of links with more characters than this is more than the way to the next page. */
const LONG_LINK_LIST = 200;
/** The number of elements between two yields to the event loop. */
const ELEMENTS_PER_YIELD = 1000;

export function* findMainContentInSteps(root: HtmlElement): Steps<MainContent> {
  const body = findElement(root, ({ name }) => name === "body") ?? root;
  const weights = new ElementWeights();
  const [container, limit] = yield* findContainer(body, weights);
  yield;
  let start = container ?? body;
  // Without a container, the search goes down while one block holds most of the text.
  while (!container) {
    const isHolder = (child: HtmlElement) => HOLDER_ELEMENTS.has(child.name) && !hasName(child, SITE_PARTS);
    const next = findHeaviest(filterElements(start.children).filter(isHolder), weights);
    if (!next || weights.getText(next) === 0) break;
    if (weights.getText(next) < weights.getText(start) * MIN_TEXT_SHARE) break;
    start = next;
  }
  yield;

  // Find the smallest element around the start that has nothing but the site next to it.
  const path = findPath(limit ?? body, start) ?? [start];
  const hasContentBeside = (parent: HtmlElement, contentChild: HtmlElement): boolean => {
    const siteParts = findSiteParts(parent, contentChild, weights);
    return parent.children.some((child) => {
      if (typeof child === "string") return /[\p{L}\p{N}]/u.test(child);
      if (child === contentChild || siteParts.has(child) || isNoise(child)) return false;
      return weights.getText(child) + weights.getLinks(child) > 0;
    });
  };
  let index = 0;
  while (index < path.length - 1 && !hasContentBeside(path[index]!, path[index + 1]!)) index++;
  // An entire table is content, or the content is in one of its cells.
  while (index > 0 && TABLE_PARTS.has(path[index]!.name)) index--;
  const element = path[index]!;
  const next = path[index + 1];
  if (!next) return { element, content: element };
  const siteParts = findSiteParts(element, next, weights);
  const children = element.children.filter((child) => typeof child === "string" || !siteParts.has(child));
  return { element, content: { ...element, children } };
}

/** Weighs elements by the length of their text outside of noise: in links, and outside of them. Each is weighed once. */
class ElementWeights {
  readonly #textLengths = new Map<HtmlElement, number>();
  readonly #linkLengths = new Map<HtmlElement, number>();

  /** Weighs an element and everything that counts in it, the innermost elements first. */
  *weighInSteps(element: HtmlElement): Steps<void> {
    const counted: HtmlElement[] = [];
    yield* walkElementsInSteps(element, (each) => {
      if (isNoise(each)) this.#set(each, 0, 0);
      else counted.push(each);
      return !this.#textLengths.has(each);
    });
    for (let i = counted.length - 1; i >= 0; i--) {
      this.#sumChildren(counted[i]!);
      if (i % ELEMENTS_PER_YIELD === 0) yield;
    }
  }

  /** Returns the length of the text outside of links. */
  getText(element: HtmlElement): number {
    this.#weigh(element);
    return this.#textLengths.get(element)!;
  }

  /** Returns the length of the text in links. */
  getLinks(element: HtmlElement): number {
    this.#weigh(element);
    return this.#linkLengths.get(element)!;
  }

  #weigh(element: HtmlElement): void {
    if (this.#textLengths.has(element)) return;
    if (isNoise(element)) this.#set(element, 0, 0);
    else this.#sumChildren(element);
  }

  #sumChildren(element: HtmlElement): void {
    let [text, links] = [0, 0];
    for (const child of element.children) {
      if (typeof child === "string") text += child.trim().length;
      else {
        text += this.getText(child);
        links += this.getLinks(child);
      }
    }
    this.#set(element, text, links);
  }

  #set(element: HtmlElement, text: number, links: number): void {
    const isLink = element.name === "a" && element.attributes.has("href");
    this.#textLengths.set(element, isLink ? 0 : text);
    this.#linkLengths.set(element, isLink ? text + links : links);
  }
}

/** Finds the container that is marked as the content, and the largest element that the content may grow to. */
function* findContainer(
  body: HtmlElement,
  weights: ElementWeights,
): Steps<[container?: HtmlElement, limit?: HtmlElement]> {
  yield* weights.weighInSteps(body);
  const bodyText = weights.getText(body);
  const isEnough = (element: HtmlElement | undefined, share: number) =>
    element !== undefined && (weights.getText(element) >= bodyText * share || weights.getText(element) > 1000);
  const findOnly = (test: (element: HtmlElement) => boolean) => {
    const found = findElements(body, test);
    return found.length === 1 ? found[0] : undefined;
  };

  const main = findHeaviest(
    findElements(body, (element) => element.name === "main" || getAttribute(element, "role") === "main"),
    weights,
  );
  for (const names of CONTAINERS) {
    yield;
    const container = findOnly((element) => hasName(element, names));
    if (!isEnough(container, 0.1)) continue;
    const isInMain = main && (main === container || findElement(main, (each) => each === container) !== undefined);
    return [container!, isInMain ? main : container!];
  }
  if (main && (isEnough(main, 0.2) || findElement(main, ({ name }) => name === "h1")))
    return [findLargestArticle(main, weights) ?? main, main];
  yield;
  const article = findLargestArticle(body, weights);
  if (article) return [article];
  yield;
  const articleBody = findOnly((element) => getAttribute(element, "itemprop") === "articleBody");
  if (isEnough(articleBody, 0.2)) return [articleBody!];
  yield;
  const likely = findOnly((element) => hasName(element, LIKELY_CONTAINERS) && HOLDER_ELEMENTS.has(element.name));
  return isEnough(likely, 0.5) ? [likely!] : [];
}

/** Returns the article that is most of an element. A page of many articles has none. */
function findLargestArticle(element: HtmlElement, weights: ElementWeights): HtmlElement | undefined {
  const article = findHeaviest(
    findElements(element, ({ name }) => name === "article"),
    weights,
  );
  return article && weights.getText(article) >= weights.getText(element) * 0.5 ? article : undefined;
}

/** Returns the element with most text outside of links, or undefined if there is no element. */
function findHeaviest(elements: readonly HtmlElement[], weights: ElementWeights): HtmlElement | undefined {
  return elements.reduce<HtmlElement | undefined>(
    (best, each) => (best && weights.getText(best) >= weights.getText(each) ? best : each),
    undefined,
  );
}

/** Returns the children next to the content that belong to the site, by their names or because they only lead elsewhere. */
function findSiteParts(element: HtmlElement, contentChild: HtmlElement, weights: ElementWeights): Set<HtmlElement> {
  const siteParts = new Set<HtmlElement>();
  let isBelowTitle = false;
  for (const child of filterElements(element.children)) {
    const holdsTitle = TITLE.test(child.name) || findElement(child, ({ name }) => TITLE.test(name)) !== undefined;
    if (child !== contentChild && !holdsTitle) {
      const [text, links] = [weights.getText(child), weights.getLinks(child)];
      const isLinkList = links > 0 && links >= (text + links) * LINK_LIST_SHARE;
      // Below the title, a long list of links is content.
      const isLongList = isBelowTitle && links > LONG_LINK_LIST;
      if (hasName(child, SITE_PARTS) || (isLinkList && !isLongList)) siteParts.add(child);
    }
    isBelowTitle ||= holdsTitle || child === contentChild;
  }
  return siteParts;
}
