// Reads the HTML export of a space: an index with the tree of pages, one file for each page, and a folder with attachments.

import { getBaseName, isUrl, splitHref } from "../../content/book/paths";
import { getExtension, getStem, PathIndex, resolveRelativePath } from "../archive/paths";
import type { ZipArchive } from "../archive/zip";
import { decodeHtml } from "../html/decode-html";
import { filterElements, findElement, getAttribute, getClasses, getTextLine } from "../html/elements";
import { type HtmlElement, type HtmlNode, parseHtml } from "../html/parse-html";
import { createElement } from "../write-html-page";
import type { Attachment, ConfluenceSpace, SpacePage } from "./space";

/** Classes of boxes, and the styles of the hints that they become. */
const BOX_STYLES: readonly (readonly [className: string, style: string])[] = [
  ["confluence-information-macro-warning", "danger"],
  ["confluence-information-macro-note", "warning"],
  ["confluence-information-macro-tip", "success"],
  ["confluence-information-macro", "info"],
];

/** Returns the href in the book of an href in the export, or undefined if it stays. */
type MapHref = (href: string) => string | undefined;

interface IndexEntry {
  readonly title: string;
  readonly parent: string | undefined;
  readonly position: number;
}

/** Reads the space of an export, whose index is in `folder`. Returns undefined if the index lists no pages of a space. */
export function readHtmlExport(zip: ZipArchive, folder: string): ConfluenceSpace | undefined {
  const index = readExportPage(zip, `${folder}index.html`);
  if (!findElement(index, ({ name }) => name === "li")) return undefined;

  // The index lists each page below the item that it is in.
  const entries = new Map<string, IndexEntry>();
  let position = 0;
  const visit = (element: HtmlElement, parent: string | undefined): void => {
    for (const child of filterElements(element.children)) {
      const link = child.name === "li" ? findElement(child, ({ name }) => name === "a") : undefined;
      const file = link ? splitHref(getAttribute(link, "href")).path : "";
      const isPage = link !== undefined && getExtension(file) === "html" && !isUrl(file);
      if (isPage)
        entries.set(folder + file, { title: getTextLine(link) || getStem(file), parent, position: position++ });
      visit(child, isPage ? folder + file : parent);
    }
  };
  visit(index, undefined);

  const paths = new PathIndex(zip.paths);
  const files = zip.paths.filter((path) => {
    const name = path.slice(folder.length);
    return path.startsWith(folder) && getExtension(name) === "html" && !name.includes("/") && name !== "index.html";
  });
  const pages = files.map((file): SpacePage => {
    const entry = entries.get(file);
    let title = entry?.title;
    if (title === undefined) {
      // The name of the space stands before the title.
      const heading = findElement(readExportPage(zip, file), (it) => getAttribute(it, "id") === "title-text");
      title = (heading ? getTextLine(heading) : "").replace(/^.{0,200}? : /, "") || getStem(file);
    }
    return {
      id: file,
      title,
      parent: entry?.parent,
      position: entry?.position ?? Number.MAX_SAFE_INTEGER,
      isPost: false,
      createBody: (links) => {
        const mapHref = (href: string) => {
          if (href === "" || href.startsWith("#") || isUrl(href)) return undefined;
          const target = resolveRelativePath(file, splitHref(href).path);
          const path = target === undefined ? undefined : paths.find(target);
          if (path === undefined) return undefined;
          const hash = href.indexOf("#");
          const page = links.findPageById(path);
          return page === undefined ? links.findAttachment(path) : page + (hash < 0 ? "" : href.slice(hash));
        };
        // The metadata above the content and the lists below it are left out.
        const root = readExportPage(zip, file);
        const main =
          findElement(root, (it) => getAttribute(it, "id") === "main-content") ??
          findElement(root, (it) => getClasses(it).includes("wiki-content"));
        return (main?.children ?? []).map((node) => normalizeNode(node, mapHref));
      },
    };
  });
  const attachments = zip.paths
    .filter((path) => path.startsWith(`${folder}attachments/`))
    .map((source): Attachment => ({ page: "", name: getBaseName(source), source, read: () => zip.read(source) }));
  return { home: pages.toSorted((a, b) => a.position - b.position)[0]?.id, pages, attachments };
}

function readExportPage(zip: ZipArchive, path: string): HtmlElement {
  return parseHtml(decodeHtml(zip.read(path) ?? new Uint8Array()));
}

/** Returns a node in the usual form, with the hrefs of the book. */
function normalizeNode(node: HtmlNode, mapHref: MapHref): HtmlNode {
  if (typeof node === "string") return node;
  const classes = getClasses(node);
  if (classes.some((name) => name === "toc-macro" || name === "hidden" || name === "page-metadata")) return "";
  if (classes.some((name) => name === "user-mention" || name === "confluence-userlink")) return `@${getTextLine(node)}`;

  const children = node.children.map((child) => normalizeNode(child, mapHref));
  const box = BOX_STYLES.find(([name]) => classes.includes(name));
  if (box) {
    const content = children.map((child) => {
      const isTitle = typeof child !== "string" && child.name === "p" && getClasses(child).includes("title");
      return isTitle ? { ...child, attributes: new Map([["class", "admonition-title"]]) } : child;
    });
    return createElement("div", { class: `admonition ${box[1]}` }, content);
  }
  if (classes.includes("expand-container")) {
    const title = findElement(node, (it) => getClasses(it).includes("expand-control-text"));
    const content = findElement(node, (it) => getClasses(it).includes("expand-content"));
    const summary = createElement("summary", {}, [(title && getTextLine(title)) || "More"]);
    const children = (content?.children ?? []).map((child) => normalizeNode(child, mapHref));
    return createElement("details", {}, [summary, ...children]);
  }
  if (classes.includes("panel") && !classes.includes("code")) {
    const title = findElement(node, (it) => getClasses(it).includes("panelHeader"));
    const content = findElement(node, (it) => getClasses(it).includes("panelContent"));
    // A panel without content, or with code, is not a hint.
    if (!content || findElement(content, ({ name }) => name === "pre")) return { ...node, children };
    const heading = title ? [createElement("p", { class: "admonition-title" }, [getTextLine(title)])] : [];
    const panelChildren = content.children.map((child) => normalizeNode(child, mapHref));
    return createElement("div", { class: "admonition info" }, [...heading, ...panelChildren]);
  }
  if (node.name === "pre") {
    const parameters = getAttribute(node, "data-syntaxhighlighter-params").slice(0, 500);
    const brush = /brush:\s*([\w+#.-]{1,30})/.exec(parameters)?.[1];
    return brush === undefined ? node : { ...node, attributes: new Map([["class", `language-${brush}`]]) };
  }
  if (node.name === "img") {
    if (classes.includes("emoticon")) return getAttribute(node, "data-emoji-fallback") || getAttribute(node, "alt");
    const src = getAttribute(node, "src");
    const alt = getAttribute(node, "alt") || getAttribute(node, "data-linked-resource-default-alias");
    return createElement("img", { src: mapHref(src) ?? src, alt });
  }
  if (node.name !== "a") return { ...node, children };
  const href = getAttribute(node, "href");
  return { ...node, attributes: new Map([...node.attributes, ["href", mapHref(href) ?? href]]), children };
}
