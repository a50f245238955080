// What stands inside a cell, a caption, a title or an aligned paragraph, as HTML on one line.

import { omitUndefined } from "../../../utils/objects";
import type { Inline, InlineData, Leaf, Mark, Phrasing } from "../../document";
import { writtenEmoji } from "../emoji";
import { isAnchor } from "../reader/anchors";
import { isEmpty } from "../reader/leaves";
import { setOfAddress } from "../srcset";
import { escapeAttribute, escapeHtml } from "./escape";
import { type Marked, piecesOf, underMarks } from "./marks";
import { urlOf } from "./urls";

const ELEMENTS: Readonly<Record<Exclude<Mark["type"], "color">, string>> = {
  bold: "strong",
  italic: "em",
  strikethrough: "del",
  code: "code",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub",
};

/** Phrasing as HTML. Of notes, only those that say what words stand for have a form in it. */
export function htmlOf(nodes: readonly Phrasing[]): string {
  return write(underMarks(piecesOf(nodes), []), []);
}

function write(marked: readonly Marked[], around: readonly Mark[]): string {
  return marked
    .map((part) => {
      if ("piece" in part) return writeNode(part.piece.node, around);
      const [opening, closing] = markTags(part.mark);
      return opening + write(part.inside, [...around, part.mark]) + closing;
    })
    .join("");
}

function writeNode(node: Leaf | Inline, around: readonly Mark[]): string {
  if (node.object === "leaf") return node.text === "\n" ? "<br>" : escapeHtml(node.text);
  if (node.type !== "link" && node.type !== "annotation") return inlineTag(node);
  const inside = write(underMarks(piecesOf(node.nodes ?? []), around), around);
  if (node.type === "link") return `<a href="${escapeAttribute(urlOf(node.data.ref))}">${inside}</a>`;
  const [opening, closing] = abbreviationTags(node) ?? ["", ""];
  return opening + inside + closing;
}

/** The tags of words with a note that is a line of plain text; undefined for any other note. */
export function abbreviationTags({
  nodes = [],
  fragments = [],
}: Inline): [opening: string, closing: string] | undefined {
  const [paragraph, ...others] = fragments[0]?.nodes ?? [];
  if (!paragraph || others.length > 0 || paragraph.type !== "paragraph" || paragraph.data?.align) return undefined;
  const [words, ...more] = (paragraph.nodes ?? []) as Phrasing[];
  const [leaf, ...leaves] = words?.object === "text" ? words.leaves : [];
  const isPlain = leaf && more.length + leaves.length + leaf.marks.length === 0 && /^\S+(?: \S+)*$/.test(leaf.text);
  const isText = nodes.every((node) => node.object === "text") && !isEmpty(nodes);
  return isPlain && isText ? [`<abbr title="${escapeAttribute(leaf.text)}">`, "</abbr>"] : undefined;
}

/** The tags of a mark. */
export function markTags(mark: Mark): [opening: string, closing: string] {
  if (mark.type !== "color") return [`<${ELEMENTS[mark.type]}>`, `</${ELEMENTS[mark.type]}>`];
  const { text, background } = mark.data;
  const style = `${text === "default" ? "" : `color:${text};`}${background === "default" ? "" : `background-color:${background};`}`;
  return [style === "" ? "<mark>" : `<mark style="${style}">`, "</mark>"];
}

/** An inline that holds no phrasing, as HTML; `writeWords` writes words that are shown. */
export function inlineTag(inline: Inline, writeWords: (text: string) => string = escapeHtml): string {
  switch (inline.type) {
    case "emoji":
      return writtenEmoji(inline.data);
    case "icon":
      return /^[\w -]+$/.test(inline.data.icon) ? `<i class="fa-${inline.data.icon}">:${inline.data.icon}:</i>` : "";
    case "expression":
      return `<code class="expression">${escapeHtml(inline.data.expression.replace(/[\r\n]+/g, " "))}</code>`;
    case "inline-math":
      return `<span class="math">${escapeHtml(inline.data.formula.replace(/[\r\n]+/g, " "))}</span>`;
    case "inline-image":
      return imageTag(inline.data);
    case "mention": {
      const url = urlOf(inline.data.ref);
      return `<a data-mention href="${escapeAttribute(url)}">${writeWords(url.replace(/[\r\n]+/g, ""))}</a>`;
    }
    case "anchor":
      return isAnchor(inline.data.id) ? `<a id="${inline.data.id}"></a>` : "";
    case "button": {
      const { label, kind, icon, ref } = inline.data;
      const shown = icon === undefined ? "" : ` data-icon="${escapeAttribute(icon)}"`;
      return `<a href="${escapeAttribute(urlOf(ref))}" class="button ${kind}"${shown}>${writeWords(label.replace(/[\r\n]+/g, " "))}</a>`;
    }
    default:
      return "";
  }
}

/** An image inside a line. */
export function imageTag({ ref, refDark, caption, size, alt }: InlineData["inline-image"]): string {
  const attributes = {
    src: urlOf(ref),
    alt: alt ?? "",
    ...omitUndefined({ title: caption, "data-size": size ? size : undefined }),
  };
  const image = `<img ${attributesOf(attributes)}>`;
  return refDark ? pictureTag(urlOf(refDark), image) : image;
}

/** An image with another one for dark surroundings. */
export function pictureTag(dark: string, image: string): string {
  return `<picture><source srcset="${escapeAttribute(setOfAddress(dark))}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/** Attributes of HTML, in the order that they are given. */
export function attributesOf(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeAttribute(String(value))}"`)
    .join(" ");
}
