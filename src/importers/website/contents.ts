// Tables of contents that pages of a site have: nested lists of links, in the navigation or in the text, and the links to
// the page above and the next one.

import type { Steps } from "../../content/markdown/steps";
import {
  attribute,
  elementsIn,
  find,
  findAll,
  findAllInSteps,
  isNamed,
  lineOf,
  oneLine,
  walkInSteps,
  words,
} from "../html/looking";
import type { Element } from "../html/tree";

/** A line of a table of contents. */
export interface ContentsLine {
  /** Where it leads; undefined for a heading over others. */
  readonly url: string | undefined;
  readonly title: string;
  /** The number of the line that it stands below; -1 for the first level. */
  readonly above: number;
}

/** The tables of contents of one page. */
export interface PageContents {
  /** Those in its text: they list what is below the page. */
  readonly below: readonly ContentsLine[];
  /** The one in its navigation: it lists the whole site, or a part of it. */
  readonly site: readonly ContentsLine[];
  readonly up: string | undefined;
  readonly next: string | undefined;
}

export type ResolveHref = (href: string) => string | undefined;

const MAX_LINES = 5000;
const MAX_TITLE = 200;
/** How deep lists may stand inside one another. */
const MAX_DEPTH = 12;
const LISTS = words("ul ol dl menu dir");
const IN_TEXT = words("toctreewrapper toc contents tableofcontents booktoc");
const NAVIGATION = words(
  "sidebar sidenav sphinxsidebar bdsidebar mdsidebar menu themedocsidebarmenu wymenu wymenuvertical booksummary summary navigation navtree docsnav mdnav chapter",
);

/** Whether an element is a table of contents in the text of a page. */
function isInText(element: Element): boolean {
  return element.name !== "nav" && element.name !== "body" && isNamed(element, IN_TEXT);
}

/** Whether an element is a navigation of the site. */
export function isNavigation(element: Element): boolean {
  if (element.name === "nav" || element.name === "aside" || attribute(element, "role") === "navigation") return true;
  if (element.name === "body" || element.name === "html") return false;
  return isNamed(element, NAVIGATION) || isInText(element);
}

/** Reads the tables of contents of a page, step by step. */
export function* contentsOf(root: Element, resolve: ResolveHref): Steps<PageContents> {
  const inText = (yield* findAllInSteps(root, (element) => isInText(element) || element.name === "nav")).filter(
    isInText,
  );
  let site: ContentsLine[] = [];
  for (const part of yield* findAllInSteps(root, (element) => isNavigation(element) && !isInText(element))) {
    const lines = yield* linesIn([part], resolve);
    if (lines.length > site.length) site = lines;
  }
  return { below: yield* linesIn(inText, resolve), site, ...(yield* neighboursIn(root, resolve)) };
}

function* linesIn(parts: readonly Element[], resolve: ResolveHref): Steps<ContentsLine[]> {
  const lines: ContentsLine[] = [];
  for (const part of parts) {
    const lists = LISTS.has(part.name) ? [part] : yield* findAllInSteps(part, ({ name }) => LISTS.has(name));
    for (const list of lists) yield* readList(list, -1, 0, lines, resolve);
  }
  return lines;
}

function* readList(
  list: Element,
  above: number,
  depth: number,
  lines: ContentsLine[],
  resolve: ResolveHref,
): Steps<void> {
  if (depth > MAX_DEPTH) return;
  yield;
  let last = above;
  for (const item of elementsIn(list.children)) {
    if (lines.length >= MAX_LINES) return;
    const isBelow = item.name === "dd";
    const lists = LISTS.has(item.name) ? [item] : findAll(item, ({ name }) => LISTS.has(name));
    if (!isBelow && !LISTS.has(item.name)) last = addLine(item, lists.length > 0, above, lines, resolve);
    for (const each of lists) yield* readList(each, last, depth + 1, lines, resolve);
  }
}

/** Adds what an item says, and gives the number of the line that stands for it. */
function addLine(
  item: Element,
  isHeading: boolean,
  above: number,
  lines: ContentsLine[],
  resolve: ResolveHref,
): number {
  const link = find(withoutLists(item), (each) => each.name === "a" && attribute(each, "href").trim() !== "");
  const href = link ? attribute(link, "href").trim() : "";
  if (href.startsWith("#")) return above;
  const url = href === "" ? undefined : resolve(href);
  const isPart = url !== undefined && above >= 0 && lines[above]!.url === url;
  if (isPart || (url === undefined && !isHeading)) return above;
  const title = oneLine(lineOf(link ?? withoutLists(item))).slice(0, MAX_TITLE);
  lines.push({ url, title, above });
  return lines.length - 1;
}

/** An item without the lists in it. */
function withoutLists(element: Element, depth = 0): Element {
  if (depth > MAX_DEPTH) return { ...element, children: [] };
  const children = element.children
    .filter((child) => typeof child === "string" || !LISTS.has(child.name))
    .map((child) => (typeof child === "string" ? child : withoutLists(child, depth + 1)));
  return { ...element, children };
}

/** The page above and the next one, as `<link rel>` or a link with a usual key names them. */
function* neighboursIn(root: Element, resolve: ResolveHref): Steps<Pick<PageContents, "up" | "next">> {
  let up: string | undefined;
  let next: string | undefined;
  yield* walkInSteps(root, (element) => {
    if (element.name !== "link" && element.name !== "a") return element.name !== "svg";
    const rel = ` ${attribute(element, "rel").toLowerCase()} `;
    const key = element.name === "a" ? attribute(element, "accesskey").toLowerCase() : "";
    const href = attribute(element, "href").trim();
    if (href === "" || href.startsWith("#")) return true;
    if (rel.includes(" up ") || rel.includes(" parent ") || key === "u") up ??= resolve(href);
    if (rel.includes(" next ") || key === "n") next ??= resolve(href);
    return true;
  });
  return { up, next };
}
