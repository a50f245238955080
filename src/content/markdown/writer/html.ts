// Writes the content of a cell, a caption, a title or an aligned paragraph as HTML on one line.

import { omitUndefined } from "../../../utils/objects";
import type { Align, Inline, Mark, Phrasing } from "../../document";
import { writeEmoji } from "../emoji";
import { escapeAttribute, escapeHtml, formatHtmlAttributes } from "../escape";
import { buildHref } from "../hrefs";
import { isAnchor } from "../reader/anchors";
import { isEmpty } from "../reader/leaves";
import { parseSrcset } from "../srcset";
import { groupByMarks, type Marked, splitPieces } from "./marks";

const ELEMENTS: Readonly<Record<Exclude<Mark["type"], "color">, string>> = {
  bold: "strong",
  italic: "em",
  strikethrough: "del",
  code: "code",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub",
};

/** Writes phrasing as HTML. Of notes, only the expansions of abbreviations have an HTML form. */
export function writeInlineHtml(nodes: readonly Phrasing[]): string {
  return writeMarked(groupByMarks(splitPieces(nodes), []), []);
}

function writeMarked(marked: readonly Marked[], around: readonly Mark[]): string {
  return marked
    .map((part) => {
      if (!("piece" in part)) {
        const [opening, closing] = getMarkTags(part.mark);
        return opening + writeMarked(part.inside, [...around, part.mark]) + closing;
      }
      const { node } = part.piece;
      if (node.object === "leaf") return node.text === "\n" ? "<br>" : escapeHtml(node.text);
      if (node.type !== "link" && node.type !== "annotation") return writeInlineTag(node);
      const inside = writeMarked(groupByMarks(splitPieces(node.nodes ?? []), around), around);
      if (node.type === "link") return `<a href="${escapeAttribute(buildHref(node.data.ref))}">${inside}</a>`;
      const [opening, closing] = getAbbreviationTags(node) ?? ["", ""];
      return opening + inside + closing;
    })
    .join("");
}

/** Returns the tags of an annotation whose note is a line of plain text; undefined for any other note. */
export function getAbbreviationTags({
  nodes = [],
  fragments = [],
}: Inline): [opening: string, closing: string] | undefined {
  const [paragraph, ...others] = fragments[0]?.nodes ?? [];
  if (!paragraph || others.length > 0 || paragraph.type !== "paragraph" || paragraph.data?.align) return undefined;
  const [phrasing, ...more] = (paragraph.nodes ?? []) as Phrasing[];
  const [leaf, ...leaves] = phrasing?.object === "text" ? phrasing.leaves : [];
  const isPlain = leaf && more.length + leaves.length + leaf.marks.length === 0 && /^\S+(?: \S+)*$/.test(leaf.text);
  const isText = nodes.every((node) => node.object === "text") && !isEmpty(nodes);
  return isPlain && isText ? [`<abbr title="${escapeAttribute(leaf.text)}">`, "</abbr>"] : undefined;
}

export function getMarkTags(mark: Mark): [opening: string, closing: string] {
  if (mark.type !== "color") return [`<${ELEMENTS[mark.type]}>`, `</${ELEMENTS[mark.type]}>`];
  const { text, background } = mark.data;
  const style = `${text === "default" ? "" : `color:${text};`}${background === "default" ? "" : `background-color:${background};`}`;
  return [style === "" ? "<mark>" : `<mark style="${style}">`, "</mark>"];
}

/** Writes an inline without content as HTML. `writeText` writes the text that is shown. */
export function writeInlineTag(inline: Inline, writeText: (text: string) => string = escapeHtml): string {
  switch (inline.type) {
    case "emoji":
      return writeEmoji(inline.data);
    case "icon":
      return /^[\w -]+$/.test(inline.data.icon) ? `<i class="fa-${inline.data.icon}">:${inline.data.icon}:</i>` : "";
    case "expression":
      return `<code class="expression">${escapeHtml(inline.data.expression.replace(/[\r\n]+/g, " "))}</code>`;
    case "inline-math":
      return `<span class="math">${escapeHtml(inline.data.formula.replace(/[\r\n]+/g, " "))}</span>`;
    case "inline-image": {
      const { ref, refDark, caption, size, alt } = inline.data;
      const attributes = {
        src: buildHref(ref),
        alt: alt ?? "",
        ...omitUndefined({ title: caption, "data-size": size ? size : undefined }),
      };
      const image = `<img ${formatHtmlAttributes(attributes)}>`;
      return refDark ? writePictureTag(buildHref(refDark), image) : image;
    }
    case "mention": {
      const url = buildHref(inline.data.ref);
      return `<a data-mention href="${escapeAttribute(url)}">${writeText(url.replace(/[\r\n]+/g, ""))}</a>`;
    }
    case "anchor":
      return isAnchor(inline.data.id) ? `<a id="${inline.data.id}"></a>` : "";
    case "button": {
      const { label, kind, icon, ref } = inline.data;
      const shown = icon === undefined ? "" : ` data-icon="${escapeAttribute(icon)}"`;
      return `<a href="${escapeAttribute(buildHref(ref))}" class="button ${kind}"${shown}>${writeText(label.replace(/[\r\n]+/g, " "))}</a>`;
    }
    default:
      return "";
  }
}

/** Writes an image with a variant for the dark color scheme. */
export function writePictureTag(dark: string, image: string): string {
  const srcset = parseSrcset(dark) === dark ? dark : dark.replace(/\s/g, encodeURIComponent);
  return `<picture><source srcset="${escapeAttribute(srcset)}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/** The values of `align` by the alignments of a document. */
export const HTML_ALIGNMENTS: Readonly<Record<Align, string>> = { start: "left", center: "center", end: "right" };

/** Writes the alignment of a block as an attribute. */
export function writeAlign(data: { align?: Align } | undefined): string {
  return data?.align ? ` align="${HTML_ALIGNMENTS[data.align]}"` : "";
}
