// Turns an exported document into meaningful HTML: nested lists, marks as elements, code as code, links without the redirect of
// Google, and no comments. The export expresses these only by classes and neighbors.

import { tryParseUrl } from "../../utils/url";
import {
  findElement,
  findElements,
  getAttribute,
  getClasses,
  getText,
  getTextLine,
  walkElements,
} from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";

/** A document as meaningful HTML. */
export interface NormalizedDocument {
  readonly root: HtmlElement;
  /** The title, from a paragraph with the style of one. */
  readonly title: string | undefined;
}

const MAX_LIST_LEVEL = 8;
const GOOGLE_REDIRECT = /^https?:\/\/(?:www\.)?google\.com\/url\?/i;

export function normalizeDocument(root: HtmlElement): NormalizedDocument {
  const content =
    findElement(root, (element) => getAttribute(element, "id") === "contents") ??
    findElement(root, ({ name }) => name === "body") ??
    root;
  const styles = new ClassStyles(root);
  const titleElement = findElement(content, (it) => it.name === "p" && getClasses(it).includes("title"));
  const nodes = content.children.flatMap((child) => normalizeDocumentNode(child, styles, titleElement));
  const title = titleElement ? getTextLine(titleElement) : "";
  return { root: createNode("", nestLists(joinCode(nodes))), title: title === "" ? undefined : title };
}

function createNode(
  name: string,
  children: HtmlNode[],
  attributes: ReadonlyMap<string, string> = new Map(),
): HtmlElement {
  return { name, attributes, children };
}

function normalizeDocumentNode(node: HtmlNode, styles: ClassStyles, titleElement: HtmlElement | undefined): HtmlNode[] {
  if (typeof node === "string") return [node];
  const { name } = node;
  if (node === titleElement || name === "style" || name === "script") return [];
  // The mark of a comment is left out, and so is the comment itself at the end of the document.
  if (name === "sup" && findElement(node, (each) => getAttribute(each, "href").startsWith("#cmnt"))) return [];
  const link = name === "div" || name === "p" ? findElement(node, (each) => each.name === "a") : undefined;
  if (link && /^cmnt\d/.test(getAttribute(link, "id"))) return [];
  const children = node.children.flatMap((child) => normalizeDocumentNode(child, styles, titleElement));
  const attributes = new Map([...node.attributes].filter(([key]) => key !== "class" && key !== "style"));
  if (name === "a") {
    const href = getAttribute(node, "href");
    const redirect = GOOGLE_REDIRECT.test(href) ? tryParseUrl(href) : undefined;
    attributes.set("href", redirect?.searchParams.get("q") ?? href);
  }
  if (name === "ul" || name === "ol") attributes.set("class", getAttribute(node, "class"));
  // The first level of headings is that of the title.
  const level = /^h([1-5])$/.exec(name)?.[1];
  const copy = createNode(level ? `h${Number(level) + 1}` : name, children, attributes);
  if (name === "span") return [styles.getTags(node).reduce((inside, tag) => createNode(tag, [inside]), copy)];
  if (/^(?:div|td|li)$/.test(name)) return [{ ...copy, children: nestLists(joinCode(children)) }];
  return [copy];
}

/** Moves lists of deeper levels into the items before them. */
function nestLists(nodes: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = [];
  /** Open lists by level. */
  let open: { id: string; list: HtmlElement }[] = [];
  for (const node of nodes) {
    // The class of a list states its id and its level.
    const className = typeof node === "string" ? "" : getAttribute(node, "class").slice(0, 500);
    const [, id, statedLevel] = /(?:^|\s)lst-(kix_\w{1,40}?)-(\d)(?:\s|$)/.exec(className) ?? [];
    if (typeof node === "string" || id === undefined) {
      if (typeof node !== "string" || node.trim() !== "") open = [];
      result.push(node);
      continue;
    }
    const level = Math.min(Number(statedLevel), MAX_LIST_LEVEL);
    const continued = open[level]?.id === id && open[level].list.name === node.name ? open[level].list : undefined;
    const parentList = level > 0 ? open[level - 1]?.list : undefined;
    const parentItem = parentList?.children.findLast((child) => typeof child !== "string");
    const hasParent = parentItem !== undefined && typeof parentItem !== "string";
    if (continued) {
      for (const child of node.children) continued.children.push(child);
      open = open.slice(0, level + 1);
    } else {
      (hasParent ? parentItem.children : result).push(node);
      open = open.slice(0, hasParent ? level : 0);
      open[hasParent ? level : 0] = { id, list: node };
    }
  }
  return result;
}

/** Joins paragraphs that follow each other and are entirely code into one block of code. */
function joinCode(nodes: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = [];
  let code: HtmlElement | undefined;
  for (const node of nodes) {
    if (typeof node !== "string" && isCodeParagraph(node)) {
      if (code) code.children.push("\n", getText(node));
      else {
        code = createNode("pre", [getText(node)]);
        result.push(code);
      }
    } else {
      if (typeof node !== "string" || node.trim() !== "") code = undefined;
      result.push(node);
    }
  }
  return result;
}

function isCodeParagraph(element: HtmlElement): boolean {
  if (element.name !== "p") return false;
  let [hasCode, hasOther] = [false, false];
  walkElements(element, (each) => {
    if (each.name === "code") hasCode ||= getTextLine(each) !== "";
    else if (each.children.some((child) => typeof child === "string" && child.trim() !== "")) hasOther = true;
    else if (each.name === "img") hasOther = true;
    return each.name !== "code";
  });
  return hasCode && !hasOther;
}

// The classes of an exported document as the elements that they stand for, by its style sheet: bold, italic, code and so on.

type MarkTag = "b" | "i" | "s" | "sup" | "sub" | "code";

const DECLARATIONS: readonly (readonly [MarkTag, RegExp])[] = [
  ["b", /font-weight:\s*(?:bold|[6-9]00)/],
  ["i", /font-style:\s*italic/],
  ["s", /text-decoration:[^;:]*line-through/],
  ["sup", /vertical-align:\s*super/],
  ["sub", /vertical-align:\s*sub(?!e)/],
  ["code", /font-family:[^;:]*(?:courier|consolas|mono)/],
];
const MAX_SHEET_LENGTH = 500_000;

class ClassStyles {
  readonly #tags = new Map<string, readonly MarkTag[]>();

  constructor(root: HtmlElement) {
    const sheets = findElements(root, ({ name }) => name === "style").map(getText);
    for (const rule of sheets.join("\n").slice(0, MAX_SHEET_LENGTH).split("}")) {
      const [selector = "", body = ""] = rule.toLowerCase().split("{");
      const className = /^\s*\.(c\d{1,6})\s*$/.exec(selector)?.[1];
      if (className === undefined) continue;
      const tags = DECLARATIONS.filter(([, pattern]) => pattern.test(body)).map(([tag]) => tag);
      if (tags.length > 0) this.#tags.set(className, tags);
    }
  }

  /** Returns the names of the elements that the classes of an element stand for. */
  getTags(element: HtmlElement): readonly MarkTag[] {
    return [...new Set(getClasses(element).flatMap((name) => this.#tags.get(name.toLowerCase()) ?? []))];
  }
}
