// The HTML export of a space: an index with the tree of pages, a file a page, and a folder with what is attached.

import { getBaseName, isUrl, splitHref } from "../../content/book/paths";
import { PathIndex } from "../archive/path-index";
import { endingOf, pathFrom, stemOf } from "../archive/paths";
import type { Zip } from "../archive/zip";
import { decodeHtml } from "../html/decode-html";
import { filterElements, findElement, findElements, getAttribute, getClasses, getTextLine } from "../html/elements";
import { type HtmlElement, type HtmlNode, parseHtml } from "../html/parse-html";
import { createElement } from "../write-html-page";
import type { Attachment, Space, SpaceAddresses, SpacePage } from "./space";

/** Classes of boxes, and the hints that they become. */
const BOXES: readonly (readonly [name: string, style: string])[] = [
  ["confluence-information-macro-warning", "danger"],
  ["confluence-information-macro-note", "warning"],
  ["confluence-information-macro-tip", "success"],
  ["confluence-information-macro", "info"],
];

/** Reads the space of an export; its index stands in `folder`. */
export function readHtmlExport(zip: Zip, folder: string): Space {
  const index = parseHtml(entryText(zip, `${folder}index.html`));
  const listed = new Map(treeIn(index).map((entry, i) => [folder + entry.file, { ...entry, place: i }]));
  const files = zip.paths.filter((path) => path.startsWith(folder) && isPage(path.slice(folder.length)));
  const paths = new PathIndex(zip.paths);
  const pages = files.map((file): SpacePage => {
    const read = () => parseHtml(entryText(zip, file));
    const entry = listed.get(file);
    return {
      id: file,
      title: entry?.title ?? titleOf(read()) ?? stemOf(file),
      parent: entry?.parent === undefined ? undefined : folder + entry.parent,
      place: entry?.place ?? Number.MAX_SAFE_INTEGER,
      isPost: false,
      body: (addresses) =>
        contentOf(read()).map((node) => usual(node, (href) => inExport(file, href, paths, addresses))),
    };
  });
  const attachments = zip.paths
    .filter((path) => path.startsWith(`${folder}attachments/`))
    .map((source): Attachment => ({ page: "", name: getBaseName(source), source, read: () => zip.read(source) }));
  return { home: pages.toSorted((a, b) => a.place - b.place)[0]?.id, pages, attachments };
}

function entryText(zip: Zip, path: string): string {
  return decodeHtml(zip.read(path) ?? new Uint8Array());
}

function isPage(path: string): boolean {
  return endingOf(path) === "html" && !path.includes("/") && path !== "index.html";
}

interface Listed {
  readonly file: string;
  readonly title: string;
  readonly parent: string | undefined;
}

/** The pages of the index, each below the item that it stands in. */
function treeIn(index: HtmlElement): Listed[] {
  const found: Listed[] = [];
  const visit = (at: HtmlElement, parent: string | undefined): void => {
    for (const child of filterElements(at.children)) {
      const link = child.name === "li" ? findElement(child, ({ name }) => name === "a") : undefined;
      const file = link ? splitHref(getAttribute(link, "href")).path : "";
      const isListed = link !== undefined && endingOf(file) === "html" && !isUrl(file);
      if (isListed) found.push({ file, title: getTextLine(link) || stemOf(file), parent });
      visit(child, isListed ? file : parent);
    }
  };
  visit(index, undefined);
  return found;
}

/** The title without the name of the space before it. */
function titleOf(root: HtmlElement): string | undefined {
  const heading = findElement(root, (it) => getAttribute(it, "id") === "title-text");
  const title = heading ? getTextLine(heading) : "";
  return title.replace(/^.{0,200}? : /, "") || undefined;
}

/** What a page says: not the metadata over it, nor the lists under it. */
function contentOf(root: HtmlElement): readonly HtmlNode[] {
  const main =
    findElement(root, (it) => getAttribute(it, "id") === "main-content") ??
    findElement(root, (it) => getClasses(it).includes("wiki-content"));
  return main?.children ?? [];
}

type MapHref = (href: string) => string | undefined;

/** A node in the form that everybody else gives it, with addresses of the book. */
function usual(node: HtmlNode, map: MapHref): HtmlNode {
  if (typeof node === "string") return node;
  const classes = getClasses(node);
  if (classes.some((name) => name === "toc-macro" || name === "hidden" || name === "page-metadata")) return "";
  if (classes.some((name) => name === "user-mention" || name === "confluence-userlink")) return `@${getTextLine(node)}`;
  const children = node.children.map((child) => usual(child, map));
  const box = BOXES.find(([name]) => classes.includes(name));
  if (box) return createElement("div", { class: `admonition ${box[1]}` }, children.map(asTitle));
  if (classes.includes("expand-container")) return expandable(node, map);
  if (classes.includes("panel") && !classes.includes("code")) return panel(node, map) ?? { ...node, children };
  if (node.name === "pre") return codeOf(node);
  if (node.name === "img") return imageOf(node, map);
  if (node.name !== "a") return { ...node, children };
  const href = getAttribute(node, "href");
  return { ...node, attributes: new Map([...node.attributes, ["href", map(href) ?? href]]), children };
}

function asTitle(node: HtmlNode): HtmlNode {
  const isTitle = typeof node !== "string" && node.name === "p" && getClasses(node).includes("title");
  return isTitle ? { ...node, attributes: new Map([["class", "admonition-title"]]) } : node;
}

function expandable(node: HtmlElement, map: MapHref): HtmlElement {
  const title = findElement(node, (it) => getClasses(it).includes("expand-control-text"));
  const content = findElement(node, (it) => getClasses(it).includes("expand-content"));
  const inside = (content?.children ?? []).map((child) => usual(child, map));
  return createElement("details", {}, [
    createElement("summary", {}, [(title && getTextLine(title)) || "More"]),
    ...inside,
  ]);
}

function panel(node: HtmlElement, map: MapHref): HtmlElement | undefined {
  const title = findElement(node, (it) => getClasses(it).includes("panelHeader"));
  const content = findElement(node, (it) => getClasses(it).includes("panelContent"));
  if (!content || findElement(content, ({ name }) => name === "pre")) return undefined;
  const heading = title ? [createElement("p", { class: "admonition-title" }, [getTextLine(title)])] : [];
  return createElement("div", { class: "admonition info" }, [
    ...heading,
    ...content.children.map((it) => usual(it, map)),
  ]);
}

function codeOf(node: HtmlElement): HtmlElement {
  const brush = /brush:\s*([\w+#.-]{1,30})/.exec(
    getAttribute(node, "data-syntaxhighlighter-params").slice(0, 500),
  )?.[1];
  return brush === undefined ? node : { ...node, attributes: new Map([["class", `language-${brush}`]]) };
}

function imageOf(node: HtmlElement, map: MapHref): HtmlNode {
  const src = getAttribute(node, "src");
  if (getClasses(node).includes("emoticon"))
    return getAttribute(node, "data-emoji-fallback") || getAttribute(node, "alt");
  const alt = getAttribute(node, "alt") || getAttribute(node, "data-linked-resource-default-alias");
  return createElement("img", { src: map(src) ?? src, alt });
}

/** What an address in a file of the export is in the book. */
function inExport(file: string, href: string, paths: PathIndex, addresses: SpaceAddresses): string | undefined {
  if (href === "" || href.startsWith("#") || isUrl(href)) return undefined;
  const { path } = splitHref(href);
  const there = pathFrom(file, path);
  const found = there === undefined ? undefined : paths.find(there);
  if (found === undefined) return undefined;
  const hash = href.indexOf("#");
  const page = addresses.pageById(found);
  return page === undefined ? addresses.attachment(found) : page + (hash < 0 ? "" : href.slice(hash));
}

/** Whether an index lists pages of a space. */
export function isIndex(zip: Zip, path: string): boolean {
  return findElements(parseHtml(entryText(zip, path)), ({ name }) => name === "li").length > 0;
}
