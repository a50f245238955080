// HTML as the reader of a site draws it, and HTML of a Markdown suite, both in one normal form, so that they can be compared.
//
// The form says what is read: the words in their order, their marks, links, images, lists, quotes, code and tables. It leaves
// out what the frame of a page adds (anchors, measures, numbers of lines), and what a document does not say: titles of links,
// tight lists, the order of marks, levels of headings beyond three, and elements that only hold others.

import type { Block } from "../../../src/content/document";
import { isSafeUrl } from "../../../src/content/document/safe-url";
import { readMarkdown } from "../../../src/content/markdown/read";
import { site as messages } from "../../../src/locales/en.json";
import { renderBlocks } from "../../../src/site/blocks/render-blocks";
import { createPageReferences } from "../../../src/site/pages/block-context";
import { detectPageFeatures } from "../../../src/site/pages/page-features";
import { createBlockContext } from "../../../src/site/pages/prepare-blocks";
import type { RequestContext } from "../../../src/site/request/request-context";
import { html } from "../../../src/utils/html";
import { JSDOM } from "../../support/jsdom";

/** The blocks of a page with a title and this text. */
export function readBlocks(markdown: string): Block[] {
  return readMarkdown(`# Title\n\n${markdown}`).document.nodes;
}

/** Draws blocks as a site does, with the notes that stand behind them. */
export async function drawPage(nodes: readonly Block[]): Promise<string> {
  const context = {
    messages,
    toLocalUrl: (href: string) => href,
    customization: { externalLinks: { target: "self" } },
    url: new URL("https://docs.example/"),
    renderIcon: () => undefined,
  } as unknown as RequestContext;
  const { blockContext: scene, footnotes: notes } = await createBlockContext(
    context,
    detectPageFeatures(nodes),
    createPageReferences([], context),
    () => html``,
  );
  return html`${renderBlocks(nodes, scene)}${notes}`.text;
}

const { document } = new JSDOM("").window;

const HIDDEN = "script, style, template, title, noscript, head, meta, link, source, a.anchor";
const MARKS = new Map(
  Object.entries({
    ...{ strong: "bold", b: "bold", em: "italic", i: "italic", cite: "italic", dfn: "italic", var: "italic" },
    ...{ del: "deleted", s: "deleted", strike: "deleted", code: "code", samp: "code", tt: "code" },
    ...{ kbd: "key", sup: "above", sub: "below", mark: "mark" },
  }),
);
const BLOCKS =
  "p, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, pre, textarea, xmp, hr, table, caption, thead, tbody, tfoot, tr, td, th, details, summary, " +
  "aside, figure, dl, div, section, article, main, header, footer, nav, center";
const LEVELS: Readonly<Record<string, string>> = { h1: "h2", h5: "h4", h6: "h4" };

/** HTML in the normal form, a line for each block. */
export function normalizeHtml(source: string): string {
  return normalizeBlocks(parseVisible(source).childNodes).join("\n");
}

/** The words that a browser shows of HTML. */
export function visibleText(source: string): string {
  const fragment = parseVisible(source);
  for (const image of fragment.querySelectorAll("img")) image.replaceWith(` ${image.alt} `);
  for (const block of fragment.querySelectorAll(`${BLOCKS}, br, figcaption`)) block.before("\n");
  for (const block of fragment.querySelectorAll(BLOCKS)) block.append("\n");
  return fragment.textContent ?? "";
}

function parseVisible(source: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = source;
  for (const element of template.content.querySelectorAll(HIDDEN)) element.remove();
  return template.content;
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

function nameOf(element: Element): string {
  return element.tagName.toLowerCase();
}

/** Blocks, each as a line; words between them are a paragraph. */
function normalizeBlocks(nodes: Iterable<Node>): string[] {
  const lines: string[] = [];
  let run: Node[] = [];
  const flush = () => {
    const words = normalizeLine(run);
    if (words !== "") lines.push(`<p> ${words}`);
    run = [];
  };
  for (const node of nodes) {
    if (isElement(node) && (node.matches(BLOCKS) || node.querySelector(BLOCKS))) {
      flush();
      lines.push(...normalizeBlock(node));
    } else run.push(node);
  }
  flush();
  return lines;
}

function normalizeBlock(element: Element): string[] {
  const name = LEVELS[nameOf(element)] ?? nameOf(element);
  // What stands in a field of a form is shown as it is written, as code is.
  const pre = /^(?:pre|textarea|xmp)$/.test(name)
    ? element
    : element.matches("figure.code")
      ? element.querySelector("pre")
      : null;
  if (pre) return [normalizeCode(pre)];
  if (element.matches(".images")) return normalizeBlocks(imagesIn(element));
  if (/^h[2-4]$/.test(name)) return [`<${name}> ${normalizeLine(element.childNodes)}`];
  if (name === "hr") return ["<hr>"];
  if (!/^(?:[uo]l|li|blockquote|table|caption|tr|t[dh]|details|summary|aside|dl)$/.test(name))
    return normalizeBlocks(element.childNodes);
  const box = name === "li" ? element.querySelector(":scope > input, :scope > p:first-child > input") : null;
  const said = [
    ...(name === "ol" ? [element.getAttribute("start") ?? "1"] : []),
    ...(/^t[dh]$/.test(name) ? alignmentOf(element) : []),
    ...(box ? [box.hasAttribute("checked") ? "done" : "open"] : []),
  ];
  return [`<${[name, ...said].join(" ")}>`, ...normalizeBlocks(element.childNodes).map((line) => `  ${line}`)];
}

function alignmentOf(cell: Element): string[] {
  const found = cell.getAttribute("align") ?? cell.getAttribute("class");
  return found === "center" || found === "right" ? [found] : [];
}

function normalizeCode(pre: Element): string {
  const code = pre.querySelector("code");
  const syntax = pre.getAttribute("data-language") ?? code?.className.replace(/^language-/, "") ?? "";
  return `<pre ${syntax}> ${JSON.stringify((pre.textContent ?? "").replace(/\n$/, ""))}`;
}

/** The images of a row, with their captions as titles. */
function imagesIn(row: Element): Node[] {
  return Array.from(row.querySelectorAll("figure"), (figure) => {
    const caption = figure.querySelector("figcaption");
    if (caption) figure.firstElementChild?.setAttribute("title", caption.textContent ?? "");
    return figure.firstElementChild!;
  });
}

/** A line: pieces of text, each with its marks and its link. */
function normalizeLine(nodes: Iterable<Node>): string {
  const pieces: { around: string; text: string }[] = [];
  const add = (text: string, around: readonly string[]) => {
    const marks = [...new Set(text.trim() === "" ? [] : around)].sort().join(" ");
    const last = pieces.at(-1);
    if (last?.around === marks) last.text += text;
    else pieces.push({ around: marks, text });
  };
  const context = (node: Node, around: readonly string[]): void => {
    if (node.nodeType === 3) add((node.nodeValue ?? "").replace(/[ \t\r\n]+/g, " "), around);
    if (!isElement(node)) return;
    const href = node.matches("a") ? node.getAttribute("href") : null;
    const mark = MARKS.get(nameOf(node));
    const own = href !== null && isReachable(href) ? [`(${addressOf(href)})`] : mark ? [mark] : [];
    if (node.matches("br")) add("⏎", []);
    else if (node.matches("wbr")) add("\u200b", []);
    else if (node.matches("img")) add(imageOf(node), around);
    else for (const child of node.childNodes) context(child, [...around, ...own]);
  };
  for (const node of nodes) context(node, []);
  return pieces
    .map(({ around, text }) => (around === "" ? text : text.replace(/^( *)(.*?)( *)$/s, `$1{${around}: $2}$3`)))
    .join("")
    .replace(/ *⏎ */g, "⏎")
    .replace(/ +/g, " ")
    .replace(/^[ ⏎]+|[ ⏎]+$/g, "");
}

function imageOf(image: Element): string {
  const [src, alt] = [image.getAttribute("src") ?? "", image.getAttribute("alt") ?? ""];
  const title = image.getAttribute("title") ?? image.closest("span[title]")?.getAttribute("title") ?? "";
  // Nothing stands beside a page of a site: an image whose address is relative is not there, and its words are shown.
  if (!isSafeUrl(src, "image") || !/^(?:https?:|data:|\/)/i.test(src)) return alt;
  return `![${alt}](${addressOf(src)}${title === "" ? "" : ` ${title}`})`;
}

/** Whether an address leads somewhere. A relative one leads nowhere from the page of a site, and is no link there. */
function isReachable(href: string): boolean {
  return isSafeUrl(href) && /^(?:https?:|mailto:|tel:|[/#?.]|$)/i.test(href);
}

/** An address as a browser reads it. */
function addressOf(href: string): string {
  const url = URL.parse(href, "https://docs.example/");
  return decodeURI(encodeURI(url?.href ?? href).replaceAll("%25", "%"));
}
