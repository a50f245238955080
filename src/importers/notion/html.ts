// The HTML that Notion writes: the title and the body of a page, with callouts, toggles and tasks in the forms that
// everybody else gives them.

import { filterElements, findElement, getAttribute, getClasses, getText, getTextLine } from "../html/elements";
import { type HtmlElement, type HtmlNode, parseHtml } from "../html/parse-html";
import { createElement } from "../write-html-page";

/** What a page of HTML holds. */
export interface NotionHtml {
  readonly title: string | undefined;
  readonly nodes: readonly HtmlNode[];
}

/** Reads a page of HTML. */
export function readNotionHtml(html: string): NotionHtml {
  const root = parseHtml(html);
  const has = (name: string) => (it: HtmlElement) => getClasses(it).includes(name);
  const title = findElement(root, has("page-title"));
  const properties = findElement(root, (it) => it.name === "table" && has("properties")(it));
  const body = findElement(root, has("page-body")) ?? findElement(root, ({ name }) => name === "body") ?? root;
  return {
    title: title && (getTextLine(title) || undefined),
    nodes: [...(properties ? [propertyList(properties)] : []), ...body.children.map(usual)],
  };
}

/** The properties of a row as a list. */
function propertyList(table: HtmlElement): HtmlElement {
  const rows: HtmlElement[] = [];
  const collect = (at: HtmlElement): void => {
    for (const child of filterElements(at.children)) {
      if (child.name === "tr") rows.push(child);
      else collect(child);
    }
  };
  collect(table);
  const items = rows.map((row) => {
    const [name, ...values] = filterElements(row.children);
    return createElement("li", {}, [
      `${name ? getTextLine(name) : ""}: `,
      ...values.flatMap(({ children }) => children.map(usual)),
    ]);
  });
  return createElement("ul", {}, items);
}

/** A node in the form that everybody else gives it. */
function usual(node: HtmlNode): HtmlNode {
  if (typeof node === "string") return node;
  const classes = getClasses(node);
  const children = node.children.map(usual);
  if (classes.includes("callout")) return callout(node, children);
  if (node.name === "ul" && classes.includes("toggle")) return createElement("div", {}, children.flatMap(inItem));
  if (classes.includes("checkbox")) {
    const checked: Record<string, string> = classes.includes("checkbox-on") ? { checked: "" } : {};
    return createElement("input", { type: "checkbox", ...checked });
  }
  if (node.name === "a" && classes.includes("bookmark"))
    return createElement("a", { href: getAttribute(node, "href") }, [titleOf(node)]);
  return { ...node, children };
}

function inItem(node: HtmlNode): HtmlNode[] {
  return typeof node !== "string" && node.name === "li" ? node.children : [node];
}

/** A callout is a picture beside its text. */
function callout(figure: HtmlElement, children: HtmlNode[]): HtmlElement {
  const icon = findElement(figure, (it) => getClasses(it).includes("icon"));
  const kind = icon ? (KINDS.find(([, pictures]) => pictures.test(getText(icon)))?.[0] ?? "info") : "info";
  const parts = children.filter((it) => typeof it === "string" || !isPicture(it));
  return createElement("div", { class: `admonition ${kind}` }, parts);
}

const KINDS: readonly (readonly [kind: string, pictures: RegExp])[] = [
  ["danger", /🚨|⛔|🛑|❌|🔥/u],
  ["warning", /⚠|❗|‼|🚧/u],
  ["success", /✅|✔|🎉|👍/u],
];

function isPicture(node: HtmlElement): boolean {
  const isIcon = (it: HtmlElement) => getClasses(it).includes("icon");
  return (
    isIcon(node) || (node.name === "div" && findElement(node, isIcon) !== undefined && getTextLine(node).length < 4)
  );
}

function titleOf(bookmark: HtmlElement): string {
  const title = findElement(bookmark, (it) => getClasses(it).includes("bookmark-title"));
  return (title && getTextLine(title)) || getAttribute(bookmark, "href");
}
