// Finds the content of a page: in the container that its generator or author marks as such, else in the block with most
// of the text outside of links.

import { attribute, elementsIn, find, findAll, isNamed, words } from "./looking";
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
/** The share of the text that a block must hold for the rest to be left out. */
const MOST = 0.8;

/** The element that holds what a page says. */
export function mainContentOf(root: Element): Element {
  const body = find(root, ({ name }) => name === "body") ?? root;
  const weigh = weigher();
  return marked(body, weigh) ?? densest(body, weigh);
}

type Weigh = (element: Element) => number;

/** Weighs elements by their text outside of links and noise. Each is looked at once. */
function weigher(): Weigh {
  const weights = new Map<Element, number>();
  const weigh: Weigh = (element) => {
    const known = weights.get(element);
    if (known !== undefined) return known;
    weights.set(element, 0);
    let weight = 0;
    if (element.name !== "a" && !isNoise(element)) {
      for (const child of element.children) weight += typeof child === "string" ? child.trim().length : weigh(child);
    }
    weights.set(element, weight);
    return weight;
  };
  return weigh;
}

/** The container that is marked as the content. */
function marked(body: Element, weigh: Weigh): Element | undefined {
  const whole = weigh(body);
  const isEnough = (element: Element | undefined, share: number) =>
    element !== undefined && (weigh(element) >= whole * share || weigh(element) > 1000);
  for (const names of CONTAINERS) {
    const found = only(findAll(body, (element) => isNamed(element, names)));
    if (isEnough(found, 0.1)) return found;
  }
  const main = heaviest(
    findAll(body, (element) => element.name === "main" || attribute(element, "role") === "main"),
    weigh,
  );
  if (main && (isEnough(main, 0.2) || find(main, ({ name }) => name === "h1"))) return articleIn(main, weigh) ?? main;
  const article = articleIn(body, weigh);
  if (article) return article;
  const stated = only(findAll(body, (element) => attribute(element, "itemprop") === "articleBody"));
  if (isEnough(stated, 0.2)) return stated;
  const likely = only(findAll(body, (element) => isNamed(element, LIKELY) && HOLDERS.has(element.name)));
  return isEnough(likely, 0.5) ? densest(likely!, weigh) : undefined;
}

function only(elements: readonly Element[]): Element | undefined {
  return elements.length === 1 ? elements[0] : undefined;
}

function heaviest(elements: readonly Element[], weigh: Weigh): Element | undefined {
  return elements.reduce<Element | undefined>(
    (best, each) => (best && weigh(best) >= weigh(each) ? best : each),
    undefined,
  );
}

/** The article that is most of an element. A page of many articles has none. */
function articleIn(element: Element, weigh: Weigh): Element | undefined {
  const article = heaviest(
    findAll(element, ({ name }) => name === "article"),
    weigh,
  );
  return article && weigh(article) >= weigh(element) * 0.5 ? article : undefined;
}

/** Goes down while one block holds most of the text. A table is searched down to a cell, or not at all. */
function densest(from: Element, weigh: Weigh): Element {
  let whole = from;
  for (let at = from; ; ) {
    if (!/^(?:table|tbody|tr)$/.test(at.name)) whole = at;
    const next = heaviest(
      elementsIn(at.children).filter(({ name }) => HOLDERS.has(name)),
      weigh,
    );
    if (!next || weigh(next) < weigh(at) * MOST || weigh(next) === 0) return whole;
    at = next;
  }
}
