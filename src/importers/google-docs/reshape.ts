// Turns an exported document into meaningful HTML: nested lists, marks as elements, code as code, links without
// Google's redirect, and no comments. The export expresses these only by classes and neighbours.

import { tryParseUrl } from "../../utils/url";
import { findElement, getAttribute, getClasses, getText, getTextLine, walkElements } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import { Styles } from "./styles";

/** A document in its plain form. */
export interface Reshaped {
  readonly root: HtmlElement;
  /** What the document calls itself, by a paragraph in the style of a title. */
  readonly title: string | undefined;
}

const MAX_LEVEL = 8;

/** Reshapes the content of an exported document. */
export function reshape(root: HtmlElement): Reshaped {
  const content =
    findElement(root, (element) => getAttribute(element, "id") === "contents") ??
    findElement(root, ({ name }) => name === "body");
  const styles = new Styles(root);
  const from = content ?? root;
  const title = findElement(from, (element) => element.name === "p" && getClasses(element).includes("title"));
  const nodes = from.children.flatMap((child) => plain(child, styles, title));
  const named = title ? getTextLine(title) : "";
  return { root: element("", nestedLists(joinedCode(nodes))), title: named === "" ? undefined : named };
}

function element(name: string, children: HtmlNode[], attributes: ReadonlyMap<string, string> = new Map()): HtmlElement {
  return { name, attributes, children };
}

/** A node with its classes turned into elements. */
function plain(node: HtmlNode, styles: Styles, title: HtmlElement | undefined): HtmlNode[] {
  if (typeof node === "string") return [node];
  if (node === title || node.name === "style" || node.name === "script" || isComment(node)) return [];
  const children = node.children.flatMap((child) => plain(child, styles, title));
  const attributes = new Map([...node.attributes].filter(([name]) => name !== "class" && name !== "style"));
  if (node.name === "a") attributes.set("href", unwrapped(getAttribute(node, "href")));
  if (node.name === "ul" || node.name === "ol") attributes.set("class", getAttribute(node, "class"));
  // The first level of headings is the title's.
  const level = /^h([1-5])$/.exec(node.name)?.[1];
  const copy = element(level ? `h${Number(level) + 1}` : node.name, children, attributes);
  if (node.name === "span") return [styles.of(node).reduce((inside, meaning) => element(meaning, [inside]), copy)];
  if (/^(?:div|td|li)$/.test(node.name)) return [{ ...copy, children: nestedLists(joinedCode(children)) }];
  return [copy];
}

/** Marks of comments, and the comments themselves at the end of the document. */
function isComment(node: HtmlElement): boolean {
  if (node.name === "sup")
    return findElement(node, (each) => getAttribute(each, "href").startsWith("#cmnt")) !== undefined;
  if (node.name !== "div" && node.name !== "p") return false;
  const first = findElement(node, ({ name }) => name === "a");
  return first !== undefined && /^cmnt\d/.test(getAttribute(first, "id"));
}

/** A link without the redirect over Google. */
export function unwrapped(href: string): string {
  if (!/^https?:\/\/(?:www\.)?google\.com\/url\?/i.test(href)) return href;
  return tryParseUrl(href)?.searchParams.get("q") ?? href;
}

/** Lists of deeper levels, put into the items before them. */
function nestedLists(nodes: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = [];
  /** Open lists by level. */
  let open: { id: string; list: HtmlElement }[] = [];
  for (const node of nodes) {
    const place = typeof node === "string" ? undefined : listPlaceOf(node);
    if (typeof node === "string" || !place) {
      if (typeof node !== "string" || node.trim() !== "") open = [];
      result.push(node);
      continue;
    }
    const { id, level } = place;
    const goesOn = open[level]?.id === id && open[level].list.name === node.name;
    const item = level > 0 ? lastElement(open[level - 1]?.list) : undefined;
    if (goesOn) for (const child of node.children) open[level]!.list.children.push(child);
    else (item?.children ?? result).push(node);
    open = goesOn ? open.slice(0, level + 1) : [...open.slice(0, item ? level : 0)];
    if (!goesOn) open[item ? level : 0] = { id, list: node };
  }
  return result;
}

function lastElement(list: HtmlElement | undefined): HtmlElement | undefined {
  const last = list?.children.findLast((child) => typeof child !== "string");
  return typeof last === "string" ? undefined : last;
}

/** The list and the level that a list says it is of. */
function listPlaceOf(list: HtmlElement): { id: string; level: number } | undefined {
  const [, id, level] =
    /(?:^|\s)lst-(kix_\w{1,40}?)-(\d)(?:\s|$)/.exec(getAttribute(list, "class").slice(0, 500)) ?? [];
  return id === undefined ? undefined : { id, level: Math.min(Number(level), MAX_LEVEL) };
}

/** Paragraphs that follow each other and are code throughout, as one block of code. */
function joinedCode(nodes: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = [];
  let code: HtmlElement | undefined;
  for (const node of nodes) {
    if (typeof node !== "string" && isCode(node)) {
      if (code) code.children.push("\n", getText(node));
      else {
        code = element("pre", [getText(node)]);
        result.push(code);
      }
    } else {
      if (typeof node !== "string" || node.trim() !== "") code = undefined;
      result.push(node);
    }
  }
  return result;
}

function isCode(node: HtmlElement): boolean {
  if (node.name !== "p") return false;
  let [isCode, isOther] = [false, false];
  walkElements(node, (each) => {
    if (each.name === "code") isCode ||= getTextLine(each) !== "";
    else if (each.children.some((child) => typeof child === "string" && child.trim() !== "")) isOther = true;
    else if (each.name === "img") isOther = true;
    return each.name !== "code";
  });
  return isCode && !isOther;
}
