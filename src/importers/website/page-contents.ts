// The tables of contents in the pages of a site: nested lists of links, in the navigation or in the text, and the links to the
// parent page and the next one.

import type { Steps } from "../../utils/concurrency/steps";
import {
  collapseWhitespace,
  filterElements,
  findElement,
  findElements,
  findElementsInSteps,
  getAttribute,
  getTextLine,
  hasName,
  toWordSet,
  walkElementsInSteps,
} from "../html/elements";
import type { HtmlElement } from "../html/parse-html";

export interface ContentsEntry {
  /** Undefined for a heading over other entries. */
  readonly url: string | undefined;
  readonly title: string;
  /** The index of the entry above it. -1 for the first level. */
  readonly parentIndex: number;
}

export interface PageContents {
  /** Those in its text, which list the pages below it. */
  readonly inText: readonly ContentsEntry[];
  /** The one in its navigation, which lists the entire site or a part of it. */
  readonly inNavigation: readonly ContentsEntry[];
  /** The URL of the parent page. */
  readonly up: string | undefined;
  readonly next: string | undefined;
}

/** Returns the URL that an href leads to, or undefined if it leads to no page. */
export type ResolveHref = (href: string) => string | undefined;

const MAX_ENTRIES = 5000;
const MAX_ENTRY_TITLE_LENGTH = 200;
/** The deepest nesting of lists. */
const MAX_LIST_DEPTH = 12;
const LISTS = toWordSet("ul ol dl menu dir");
const TEXT_CONTENTS = toWordSet("toctreewrapper toc contents tableofcontents booktoc");
const NAVIGATION = toWordSet(`
  sidebar sidenav sphinxsidebar bdsidebar mdsidebar menu themedocsidebarmenu wymenu wymenuvertical booksummary
  summary navigation navtree docsnav mdnav chapter
`);

export function isNavigation(element: HtmlElement): boolean {
  const { name } = element;
  if (name === "nav" || name === "aside" || getAttribute(element, "role") === "navigation") return true;
  if (name === "body" || name === "html") return false;
  return hasName(element, NAVIGATION) || isTextContents(element);
}

function isTextContents(element: HtmlElement): boolean {
  return element.name !== "nav" && element.name !== "body" && hasName(element, TEXT_CONTENTS);
}

export function* readPageContentsInSteps(root: HtmlElement, resolve: ResolveHref): Steps<PageContents> {
  const candidates = yield* findElementsInSteps(root, (element) => isTextContents(element) || element.name === "nav");
  let inNavigation: ContentsEntry[] = [];
  for (const part of yield* findElementsInSteps(root, (each) => isNavigation(each) && !isTextContents(each))) {
    const reader = new ContentsReader(resolve);
    reader.readPart(part);
    yield;
    if (reader.entries.length > inNavigation.length) inNavigation = reader.entries;
  }
  const textReader = new ContentsReader(resolve);
  for (const part of candidates.filter(isTextContents)) {
    textReader.readPart(part);
    yield;
  }

  // The parent page and the next one, as `<link rel>` or a link with a usual access key names them.
  let up: string | undefined;
  let next: string | undefined;
  yield* walkElementsInSteps(root, (element) => {
    if (element.name !== "link" && element.name !== "a") return element.name !== "svg";
    const rel = ` ${getAttribute(element, "rel").toLowerCase()} `;
    const key = element.name === "a" ? getAttribute(element, "accesskey").toLowerCase() : "";
    const href = getAttribute(element, "href").trim();
    if (href === "" || href.startsWith("#")) return true;
    if (rel.includes(" up ") || rel.includes(" parent ") || key === "u") up ??= resolve(href);
    if (rel.includes(" next ") || key === "n") next ??= resolve(href);
    return true;
  });
  return { inText: textReader.entries, inNavigation, up, next };
}

/** Reads nested lists of links into entries. */
class ContentsReader {
  readonly entries: ContentsEntry[] = [];

  constructor(readonly resolve: ResolveHref) {}

  readPart(part: HtmlElement): void {
    const lists = LISTS.has(part.name) ? [part] : findElements(part, ({ name }) => LISTS.has(name));
    for (const list of lists) this.#readList(list, -1, 0);
  }

  #readList(list: HtmlElement, parentIndex: number, depth: number): void {
    if (depth > MAX_LIST_DEPTH) return;
    let lastIndex = parentIndex;
    for (const item of filterElements(list.children)) {
      if (this.entries.length >= MAX_ENTRIES) return;
      const isList = LISTS.has(item.name);
      const lists = isList ? [item] : findElements(item, ({ name }) => LISTS.has(name));
      // The definition of a term is below the term.
      if (item.name !== "dd" && !isList) lastIndex = this.#addEntry(item, lists.length > 0, parentIndex);
      for (const each of lists) this.#readList(each, lastIndex, depth + 1);
    }
  }

  /** Adds the entry of an item, and returns the index of the entry that stands for the item. */
  #addEntry(item: HtmlElement, isHeading: boolean, parentIndex: number): number {
    const ownContent = removeLists(item);
    const link = findElement(ownContent, (each) => each.name === "a" && getAttribute(each, "href").trim() !== "");
    const href = link ? getAttribute(link, "href").trim() : "";
    if (href.startsWith("#")) return parentIndex;
    const url = href === "" ? undefined : this.resolve(href);
    const isPartOfParent = url !== undefined && parentIndex >= 0 && this.entries[parentIndex]!.url === url;
    if (isPartOfParent || (url === undefined && !isHeading)) return parentIndex;
    const title = collapseWhitespace(getTextLine(link ?? ownContent)).slice(0, MAX_ENTRY_TITLE_LENGTH);
    this.entries.push({ url, title, parentIndex });
    return this.entries.length - 1;
  }
}

/** Returns an item without the lists in it. */
function removeLists(element: HtmlElement, depth = 0): HtmlElement {
  if (depth > MAX_LIST_DEPTH) return { ...element, children: [] };
  const children = element.children
    .filter((child) => typeof child === "string" || !LISTS.has(child.name))
    .map((child) => (typeof child === "string" ? child : removeLists(child, depth + 1)));
  return { ...element, children };
}
