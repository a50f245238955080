// The HTML that Notion writes: the title and the body of a page, with callouts, toggles and tasks in the forms that
// everybody else gives them.

import { attribute, classesOf, elementsIn, find, lineOf, rawText } from "../html/looking";
import { type Element, type Node, parseHtml } from "../html/tree";
import { element } from "../html-page";

/** What a page of HTML holds. */
export interface NotionHtml {
  readonly title: string | undefined;
  readonly nodes: readonly Node[];
}

/** Reads a page of HTML. */
export function readNotionHtml(html: string): NotionHtml {
  const root = parseHtml(html);
  const has = (name: string) => (it: Element) => classesOf(it).includes(name);
  const title = find(root, has("page-title"));
  const properties = find(root, (it) => it.name === "table" && has("properties")(it));
  const body = find(root, has("page-body")) ?? find(root, ({ name }) => name === "body") ?? root;
  return {
    title: title && (lineOf(title) || undefined),
    nodes: [...(properties ? [propertyList(properties)] : []), ...body.children.map(usual)],
  };
}

/** The properties of a row as a list. */
function propertyList(table: Element): Element {
  const rows: Element[] = [];
  const collect = (at: Element): void => {
    for (const child of elementsIn(at.children)) {
      if (child.name === "tr") rows.push(child);
      else collect(child);
    }
  };
  collect(table);
  const items = rows.map((row) => {
    const [name, ...values] = elementsIn(row.children);
    return element("li", {}, [
      `${name ? lineOf(name) : ""}: `,
      ...values.flatMap(({ children }) => children.map(usual)),
    ]);
  });
  return element("ul", {}, items);
}

/** A node in the form that everybody else gives it. */
function usual(node: Node): Node {
  if (typeof node === "string") return node;
  const classes = classesOf(node);
  const children = node.children.map(usual);
  if (classes.includes("callout")) return callout(node, children);
  if (node.name === "ul" && classes.includes("toggle")) return element("div", {}, children.flatMap(inItem));
  if (classes.includes("checkbox")) {
    const checked: Record<string, string> = classes.includes("checkbox-on") ? { checked: "" } : {};
    return element("input", { type: "checkbox", ...checked });
  }
  if (node.name === "a" && classes.includes("bookmark"))
    return element("a", { href: attribute(node, "href") }, [titleOf(node)]);
  return { ...node, children };
}

function inItem(node: Node): Node[] {
  return typeof node !== "string" && node.name === "li" ? node.children : [node];
}

/** A callout is a picture beside its text. */
function callout(figure: Element, children: Node[]): Element {
  const icon = find(figure, (it) => classesOf(it).includes("icon"));
  const kind = icon ? (KINDS.find(([, pictures]) => pictures.test(rawText(icon)))?.[0] ?? "info") : "info";
  const parts = children.filter((it) => typeof it === "string" || !isPicture(it));
  return element("div", { class: `admonition ${kind}` }, parts);
}

const KINDS: readonly (readonly [kind: string, pictures: RegExp])[] = [
  ["danger", /🚨|⛔|🛑|❌|🔥/u],
  ["warning", /⚠|❗|‼|🚧/u],
  ["success", /✅|✔|🎉|👍/u],
];

function isPicture(node: Element): boolean {
  const isIcon = (it: Element) => classesOf(it).includes("icon");
  return isIcon(node) || (node.name === "div" && find(node, isIcon) !== undefined && lineOf(node).length < 4);
}

function titleOf(bookmark: Element): string {
  const title = find(bookmark, (it) => classesOf(it).includes("bookmark-title"));
  return (title && lineOf(title)) || attribute(bookmark, "href");
}
