// Finds the content of a page: in the container that its generator or author marks as such, else in the block with most
// of the text outside of links. What stands beside that block is content too, unless it is the site around the page:
// navigation, headers, footers, sidebars.

import type { Steps } from "../../content/markdown/steps";
import { attribute, elementsIn, find, findAllInSteps, isNamed, walkInSteps, words } from "./looking";
import { isNoise } from "./noise";
import type { Element } from "./tree";

/** Containers of documentation generators and wikis, the most telling first, as `namesOf` writes them. */
const CONTAINERS: readonly ReadonlySet<string>[] = [
  words(
    "themedocmarkdown slmarkdowncontent vpdoc themedefaultcontent mdcontentinner mwparseroutput wikicontent notionpagecontent",
  ),
  words("bdarticle markdownsection markdownbody rstcontent articlebody entrycontent postcontent nextracontent"),
];
const LIKELY = words(
  "content maincontent main documentation document pagecontent articlecontent docscontent bodycontent",
);
/** Elements that can hold the content of a page. */
const HOLDERS = words("html body div section article main center form table tbody tr td");
/** Parts of tables: a table is content whole, or only arranges the page. */
const TABLE_PARTS = words("table thead tbody tfoot tr");
/** The share of the text that a block must hold for the search to go on in it. */
const MOST = 0.5;
/** The share of its text that a block has in links, if it is a list of them. */
const LINKS = 0.5;
/** So many characters of links are more than the way to the next page. */
const MANY_LINKS = 200;

/** Names of what stands around the content of a page, as `namesOf` writes them. */
const AROUND = words(`
  footer pagefooter sitefooter bottom colophon copyright legal credits header pageheader siteheader masthead topbar top
  banner navbar nav navigation menu mainmenu topmenu sitemenu submenu search searchform logo toolbar related sidebarwrapper
  quickview toplang bottomlang langbar languages path up preamblelinks nosearch
`);

/** How many elements are weighed in one step. */
const WEIGHED_AT_ONCE = 1000;

/** The content of a page. */
export interface MainContent {
  /** What holds it; children that belong to the site are left out. */
  readonly content: Element;
  /** The element in the page itself. */
  readonly element: Element;
}

/** Finds what a page says, step by step. */
export function* mainContentOf(root: Element): Steps<MainContent> {
  const body = find(root, ({ name }) => name === "body") ?? root;
  const weights = new Weights();
  const [marked, within] = yield* markedIn(body, weights);
  yield;
  const densest = marked ?? densestIn(body, weights);
  yield;
  return wholeAround(densest, within ?? body, weights);
}

/** Weighs elements by their text outside of noise, in links and outside of them. Each is looked at once. */
class Weights {
  readonly #texts = new Map<Element, number>();
  readonly #links = new Map<Element, number>();

  /** Weighs an element and all that count in it, step by step: the innermost ones first. */
  *take(element: Element): Steps<void> {
    const counted: Element[] = [];
    yield* walkInSteps(element, (each) => {
      if (isNoise(each)) this.#set(each, 0, 0);
      else counted.push(each);
      return !this.#texts.has(each);
    });
    for (let at = counted.length - 1; at >= 0; at--) {
      this.#add(counted[at]!);
      if (at % WEIGHED_AT_ONCE === 0) yield;
    }
  }

  /** The text outside of links. */
  text(element: Element): number {
    this.#weigh(element);
    return this.#texts.get(element)!;
  }

  /** The text in links. */
  links(element: Element): number {
    this.#weigh(element);
    return this.#links.get(element)!;
  }

  #weigh(element: Element): void {
    if (this.#texts.has(element)) return;
    if (isNoise(element)) this.#set(element, 0, 0);
    else this.#add(element);
  }

  #add(element: Element): void {
    let [text, links] = [0, 0];
    for (const child of element.children) {
      if (typeof child === "string") text += child.trim().length;
      else {
        text += this.text(child);
        links += this.links(child);
      }
    }
    this.#set(element, text, links);
  }

  #set(element: Element, text: number, links: number): void {
    const isLink = element.name === "a" && element.attributes.has("href");
    this.#texts.set(element, isLink ? 0 : text);
    this.#links.set(element, isLink ? text + links : links);
  }
}

/** The container that is marked as the content, and what it may be grown to at most. */
function* markedIn(body: Element, weights: Weights): Steps<[content?: Element, within?: Element]> {
  yield* weights.take(body);
  const whole = weights.text(body);
  const isEnough = (element: Element | undefined, share: number) =>
    element !== undefined && (weights.text(element) >= whole * share || weights.text(element) > 1000);
  const main = heaviest(
    yield* findAllInSteps(body, (element) => element.name === "main" || attribute(element, "role") === "main"),
    weights,
  );
  for (const names of CONTAINERS) {
    const found = only(yield* findAllInSteps(body, (element) => isNamed(element, names)));
    if (isEnough(found, 0.1)) return [found!, main && holds(main, found!) ? main : found!];
  }
  if (main && (isEnough(main, 0.2) || find(main, ({ name }) => name === "h1")))
    return [(yield* articleIn(main, weights)) ?? main, main];
  const article = yield* articleIn(body, weights);
  if (article) return [article];
  const stated = only(yield* findAllInSteps(body, (element) => attribute(element, "itemprop") === "articleBody"));
  if (isEnough(stated, 0.2)) return [stated!];
  const likely = only(yield* findAllInSteps(body, (element) => isNamed(element, LIKELY) && HOLDERS.has(element.name)));
  return isEnough(likely, 0.5) ? [likely!] : [];
}

function only(elements: readonly Element[]): Element | undefined {
  return elements.length === 1 ? elements[0] : undefined;
}

function holds(element: Element, inner: Element): boolean {
  return element === inner || find(element, (each) => each === inner) !== undefined;
}

function heaviest(elements: readonly Element[], weights: Weights): Element | undefined {
  return elements.reduce<Element | undefined>(
    (best, each) => (best && weights.text(best) >= weights.text(each) ? best : each),
    undefined,
  );
}

/** The article that is most of an element. A page of many articles has none. */
function* articleIn(element: Element, weights: Weights): Steps<Element | undefined> {
  const article = heaviest(yield* findAllInSteps(element, ({ name }) => name === "article"), weights);
  return article && weights.text(article) >= weights.text(element) * 0.5 ? article : undefined;
}

/** Goes down while one block holds most of the text. */
function densestIn(from: Element, weights: Weights): Element {
  for (let at = from; ; ) {
    const next = heaviest(
      elementsIn(at.children).filter((child) => HOLDERS.has(child.name) && !isNamed(child, AROUND)),
      weights,
    );
    if (!next || weights.text(next) < weights.text(at) * MOST || weights.text(next) === 0) return at;
    at = next;
  }
}

/** The smallest element around some content that has nothing but the site beside it. */
function wholeAround(content: Element, within: Element, weights: Weights): MainContent {
  const way = wayTo(content, within);
  let at = 0;
  while (at < way.length - 1 && !hasContentBeside(way[at]!, way[at + 1]!, weights)) at++;
  // A table is content whole, or is left behind for one of its cells.
  while (at > 0 && TABLE_PARTS.has(way[at]!.name)) at--;
  const element = way[at]!;
  const next = way[at + 1];
  if (!next) return { element, content: element };
  const site = siteBeside(element, next, weights);
  const children = element.children.filter((child) => typeof child === "string" || !site.has(child));
  return { element, content: { ...element, children } };
}

function hasContentBeside(element: Element, next: Element, weights: Weights): boolean {
  const site = siteBeside(element, next, weights);
  return element.children.some((child) => {
    if (typeof child === "string") return /[\p{L}\p{N}]/u.test(child);
    return child !== next && !site.has(child) && !isNoise(child) && weights.text(child) + weights.links(child) > 0;
  });
}

/** What stands beside content and belongs to the site: by its name, or because it only leads elsewhere. */
function siteBeside(element: Element, next: Element, weights: Weights): Set<Element> {
  const site = new Set<Element>();
  let isBelowTitle = false;
  for (const child of elementsIn(element.children)) {
    const holdsTitle = TITLE.test(child.name) || find(child, ({ name }) => TITLE.test(name)) !== undefined;
    if (child !== next && !holdsTitle && isSite(child, weights, isBelowTitle)) site.add(child);
    isBelowTitle ||= holdsTitle || child === next;
  }
  return site;
}

const TITLE = /^h[12]$/;

/** The elements from one down to another in it, with both. */
function wayTo(element: Element, from: Element): Element[] {
  const way: Element[] = [];
  const search = (at: Element): boolean => {
    way.push(at);
    if (at === element || elementsIn(at.children).some(search)) return true;
    way.pop();
    return false;
  };
  return search(from) ? way : [element];
}

/** Whether an element is a part of the site around a page. Below the title, a long list of links is what the page says. */
function isSite(element: Element, weights: Weights, isBelowTitle: boolean): boolean {
  if (isNamed(element, AROUND)) return true;
  const [text, links] = [weights.text(element), weights.links(element)];
  return links > 0 && links >= (text + links) * LINKS && !(isBelowTitle && links > MANY_LINKS);
}
