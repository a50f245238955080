// Turns an exported document into meaningful HTML: nested lists, marks as elements, code as code, links without
// Google's redirect, and no comments. The export expresses these only by classes and neighbours.

import { tryParseUrl } from "../../utils/url";
import { attribute, classesOf, find, lineOf, rawText, walk } from "../html/looking";
import type { Element, Node } from "../html/tree";
import { Styles } from "./styles";

/** A document in its plain form. */
export interface Reshaped {
  readonly root: Element;
  /** What the document calls itself, by a paragraph in the style of a title. */
  readonly title: string | undefined;
}

const MAX_LEVEL = 8;

/** Reshapes the content of an exported document. */
export function reshape(root: Element): Reshaped {
  const content =
    find(root, (element) => attribute(element, "id") === "contents") ?? find(root, ({ name }) => name === "body");
  const styles = new Styles(root);
  const from = content ?? root;
  const title = find(from, (element) => element.name === "p" && classesOf(element).includes("title"));
  const nodes = from.children.flatMap((child) => plain(child, styles, title));
  const named = title ? lineOf(title) : "";
  return { root: element("", nestedLists(joinedCode(nodes))), title: named === "" ? undefined : named };
}

function element(name: string, children: Node[], attributes: ReadonlyMap<string, string> = new Map()): Element {
  return { name, attributes, children };
}

/** A node with its classes turned into elements. */
function plain(node: Node, styles: Styles, title: Element | undefined): Node[] {
  if (typeof node === "string") return [node];
  if (node === title || node.name === "style" || node.name === "script" || isComment(node)) return [];
  const children = node.children.flatMap((child) => plain(child, styles, title));
  const attributes = new Map([...node.attributes].filter(([name]) => name !== "class" && name !== "style"));
  if (node.name === "a") attributes.set("href", unwrapped(attribute(node, "href")));
  if (node.name === "ul" || node.name === "ol") attributes.set("class", attribute(node, "class"));
  // The first level of headings is the title's.
  const level = /^h([1-5])$/.exec(node.name)?.[1];
  const copy = element(level ? `h${Number(level) + 1}` : node.name, children, attributes);
  if (node.name === "span") return [styles.of(node).reduce((inside, meaning) => element(meaning, [inside]), copy)];
  if (/^(?:div|td|li)$/.test(node.name)) return [{ ...copy, children: nestedLists(joinedCode(children)) }];
  return [copy];
}

/** Marks of comments, and the comments themselves at the end of the document. */
function isComment(node: Element): boolean {
  if (node.name === "sup") return find(node, (each) => attribute(each, "href").startsWith("#cmnt")) !== undefined;
  if (node.name !== "div" && node.name !== "p") return false;
  const first = find(node, ({ name }) => name === "a");
  return first !== undefined && /^cmnt\d/.test(attribute(first, "id"));
}

/** A link without the redirect over Google. */
export function unwrapped(href: string): string {
  if (!/^https?:\/\/(?:www\.)?google\.com\/url\?/i.test(href)) return href;
  return tryParseUrl(href)?.searchParams.get("q") ?? href;
}

/** Lists of deeper levels, put into the items before them. */
function nestedLists(nodes: readonly Node[]): Node[] {
  const result: Node[] = [];
  /** Open lists by level. */
  let open: { id: string; list: Element }[] = [];
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

function lastElement(list: Element | undefined): Element | undefined {
  const last = list?.children.findLast((child) => typeof child !== "string");
  return typeof last === "string" ? undefined : last;
}

/** The list and the level that a list says it is of. */
function listPlaceOf(list: Element): { id: string; level: number } | undefined {
  const [, id, level] = /(?:^|\s)lst-(kix_\w{1,40}?)-(\d)(?:\s|$)/.exec(attribute(list, "class").slice(0, 500)) ?? [];
  return id === undefined ? undefined : { id, level: Math.min(Number(level), MAX_LEVEL) };
}

/** Paragraphs that follow each other and are code throughout, as one block of code. */
function joinedCode(nodes: readonly Node[]): Node[] {
  const result: Node[] = [];
  let code: Element | undefined;
  for (const node of nodes) {
    if (typeof node !== "string" && isCode(node)) {
      if (code) code.children.push("\n", rawText(node));
      else {
        code = element("pre", [rawText(node)]);
        result.push(code);
      }
    } else {
      if (typeof node !== "string" || node.trim() !== "") code = undefined;
      result.push(node);
    }
  }
  return result;
}

function isCode(node: Element): boolean {
  if (node.name !== "p") return false;
  let [isCode, isOther] = [false, false];
  walk(node, (each) => {
    if (each.name === "code") isCode ||= lineOf(each) !== "";
    else if (each.children.some((child) => typeof child === "string" && child.trim() !== "")) isOther = true;
    else if (each.name === "img") isOther = true;
    return each.name !== "code";
  });
  return isCode && !isOther;
}
