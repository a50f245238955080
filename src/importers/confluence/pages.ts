// The HTML export of a space: an index with the tree of pages, a file a page, and a folder with what is attached.

import { getBaseName, isUrl, splitHref } from "../../content/book/paths";
import { PathIndex } from "../archive/path-index";
import { endingOf, pathFrom, stemOf } from "../archive/paths";
import type { Zip } from "../archive/zip";
import { decodeHtml } from "../html";
import { attribute, classesOf, elementsIn, find, findAll, lineOf } from "../html/looking";
import { type Element, type Node, parseHtml } from "../html/tree";
import { element } from "../html-page";
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
function treeIn(index: Element): Listed[] {
  const found: Listed[] = [];
  const visit = (at: Element, parent: string | undefined): void => {
    for (const child of elementsIn(at.children)) {
      const link = child.name === "li" ? find(child, ({ name }) => name === "a") : undefined;
      const file = link ? splitHref(attribute(link, "href")).path : "";
      const isListed = link !== undefined && endingOf(file) === "html" && !isUrl(file);
      if (isListed) found.push({ file, title: lineOf(link) || stemOf(file), parent });
      visit(child, isListed ? file : parent);
    }
  };
  visit(index, undefined);
  return found;
}

/** The title without the name of the space before it. */
function titleOf(root: Element): string | undefined {
  const heading = find(root, (it) => attribute(it, "id") === "title-text");
  const title = heading ? lineOf(heading) : "";
  return title.replace(/^.{0,200}? : /, "") || undefined;
}

/** What a page says: not the metadata over it, nor the lists under it. */
function contentOf(root: Element): readonly Node[] {
  const main =
    find(root, (it) => attribute(it, "id") === "main-content") ??
    find(root, (it) => classesOf(it).includes("wiki-content"));
  return main?.children ?? [];
}

type MapHref = (href: string) => string | undefined;

/** A node in the form that everybody else gives it, with addresses of the book. */
function usual(node: Node, map: MapHref): Node {
  if (typeof node === "string") return node;
  const classes = classesOf(node);
  if (classes.some((name) => name === "toc-macro" || name === "hidden" || name === "page-metadata")) return "";
  if (classes.some((name) => name === "user-mention" || name === "confluence-userlink")) return `@${lineOf(node)}`;
  const children = node.children.map((child) => usual(child, map));
  const box = BOXES.find(([name]) => classes.includes(name));
  if (box) return element("div", { class: `admonition ${box[1]}` }, children.map(asTitle));
  if (classes.includes("expand-container")) return expandable(node, map);
  if (classes.includes("panel") && !classes.includes("code")) return panel(node, map) ?? { ...node, children };
  if (node.name === "pre") return codeOf(node);
  if (node.name === "img") return imageOf(node, map);
  if (node.name !== "a") return { ...node, children };
  const href = attribute(node, "href");
  return { ...node, attributes: new Map([...node.attributes, ["href", map(href) ?? href]]), children };
}

function asTitle(node: Node): Node {
  const isTitle = typeof node !== "string" && node.name === "p" && classesOf(node).includes("title");
  return isTitle ? { ...node, attributes: new Map([["class", "admonition-title"]]) } : node;
}

function expandable(node: Element, map: MapHref): Element {
  const title = find(node, (it) => classesOf(it).includes("expand-control-text"));
  const content = find(node, (it) => classesOf(it).includes("expand-content"));
  const inside = (content?.children ?? []).map((child) => usual(child, map));
  return element("details", {}, [element("summary", {}, [(title && lineOf(title)) || "More"]), ...inside]);
}

function panel(node: Element, map: MapHref): Element | undefined {
  const title = find(node, (it) => classesOf(it).includes("panelHeader"));
  const content = find(node, (it) => classesOf(it).includes("panelContent"));
  if (!content || find(content, ({ name }) => name === "pre")) return undefined;
  const heading = title ? [element("p", { class: "admonition-title" }, [lineOf(title)])] : [];
  return element("div", { class: "admonition info" }, [...heading, ...content.children.map((it) => usual(it, map))]);
}

function codeOf(node: Element): Element {
  const brush = /brush:\s*([\w+#.-]{1,30})/.exec(attribute(node, "data-syntaxhighlighter-params").slice(0, 500))?.[1];
  return brush === undefined ? node : { ...node, attributes: new Map([["class", `language-${brush}`]]) };
}

function imageOf(node: Element, map: MapHref): Node {
  const src = attribute(node, "src");
  if (classesOf(node).includes("emoticon")) return attribute(node, "data-emoji-fallback") || attribute(node, "alt");
  const alt = attribute(node, "alt") || attribute(node, "data-linked-resource-default-alias");
  return element("img", { src: map(src) ?? src, alt });
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
  return findAll(parseHtml(entryText(zip, path)), ({ name }) => name === "li").length > 0;
}
