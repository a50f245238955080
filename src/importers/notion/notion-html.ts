// Reads the HTML of Notion: the title and the body of a page, with callouts, toggles and tasks in their usual forms.

import { filterElements, findElement, getAttribute, getClasses, getText, getTextLine } from "../html/elements";
import { type HtmlElement, type HtmlNode, parseHtml } from "../html/parse-html";
import { createElement } from "../write-html-page";

/** The content of a page. */
export interface NotionHtml {
  readonly title: string | undefined;
  readonly nodes: readonly HtmlNode[];
}

/** The styles of hints by the icon of a callout. */
const STYLES_BY_ICON: readonly (readonly [style: string, icons: RegExp])[] = [
  ["danger", /🚨|⛔|🛑|❌|🔥/u],
  ["warning", /⚠|❗|‼|🚧/u],
  ["success", /✅|✔|🎉|👍/u],
];

export function readNotionHtml(html: string): NotionHtml {
  const root = parseHtml(html);
  const title = findElement(root, (it) => getClasses(it).includes("page-title"));
  const properties = findElement(root, (it) => it.name === "table" && getClasses(it).includes("properties"));
  const body =
    findElement(root, (it) => getClasses(it).includes("page-body")) ??
    findElement(root, ({ name }) => name === "body") ??
    root;
  const nodes = body.children.map(normalizeNotionNode);
  if (properties) {
    // The properties of a row become a list.
    const rows: HtmlElement[] = [];
    const collectRows = (element: HtmlElement): void => {
      for (const child of filterElements(element.children)) {
        if (child.name === "tr") rows.push(child);
        else collectRows(child);
      }
    };
    collectRows(properties);
    const items = rows.map((row) => {
      const [name, ...values] = filterElements(row.children);
      const content = values.flatMap(({ children }) => children.map(normalizeNotionNode));
      return createElement("li", {}, [`${name ? getTextLine(name) : ""}: `, ...content]);
    });
    nodes.unshift(createElement("ul", {}, items));
  }
  return { title: title && (getTextLine(title) || undefined), nodes };
}

/** Returns a node in its usual form. */
function normalizeNotionNode(node: HtmlNode): HtmlNode {
  if (typeof node === "string") return node;
  const classes = getClasses(node);
  const children = node.children.map(normalizeNotionNode);
  if (classes.includes("callout")) {
    const isIcon = (element: HtmlElement) => getClasses(element).includes("icon");
    const icon = findElement(node, isIcon);
    const style = (icon && STYLES_BY_ICON.find(([, icons]) => icons.test(getText(icon)))?.[0]) ?? "info";
    // The icon is next to the text, perhaps in an element without any other text.
    const content = children.filter((child) => {
      if (typeof child === "string") return true;
      const isIconBox = child.name === "div" && findElement(child, isIcon) !== undefined;
      return !isIcon(child) && !(isIconBox && getTextLine(child).length < 4);
    });
    return createElement("div", { class: `admonition ${style}` }, content);
  }
  if (node.name === "ul" && classes.includes("toggle")) {
    const content = children.flatMap((child) =>
      typeof child !== "string" && child.name === "li" ? child.children : [child],
    );
    return createElement("div", {}, content);
  }
  if (classes.includes("checkbox")) {
    const attributes: Record<string, string> = { type: "checkbox" };
    if (classes.includes("checkbox-on")) attributes.checked = "";
    return createElement("input", attributes);
  }
  if (node.name === "a" && classes.includes("bookmark")) {
    const href = getAttribute(node, "href");
    const title = findElement(node, (it) => getClasses(it).includes("bookmark-title"));
    return createElement("a", { href }, [(title && getTextLine(title)) || href]);
  }
  return { ...node, children };
}
