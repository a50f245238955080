// Phrasing: texts with their marks, links, and everything else that stands within a line.

import type { Fragment, Inline, Leaf, Mark, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { decodeEmoji } from "../icons/emoji";
import { isFollowableHref } from "../layout/links";
import type { BlockContext } from "../pages/block-context";
import { findFragment, type RenderBlocks } from "./fragments";
import { renderInlineImage } from "./media";

/** Phrasing as markup. */
export function renderPhrasing(nodes: readonly Phrasing[], context: BlockContext, blocks: RenderBlocks): Markup {
  return html`${nodes.map((node) => (node.object === "text" ? node.leaves.map(renderLeaf) : renderInline(node, context, blocks)))}`;
}

/** What phrasing says, without marks: for titles and labels. */
export function getPlainText(nodes: readonly Phrasing[]): string {
  return nodes
    .map((node) => {
      if (node.object === "text") return node.leaves.map(({ text }) => text).join("");
      if (node.type === "emoji") return decodeEmoji(node.data.code);
      if (node.type === "button") return node.data.label;
      return getPlainText(node.nodes ?? []);
    })
    .join("");
}

function renderLeaf({ text, marks }: Leaf): Markup {
  const lines = /[\n\u200b]/.test(text)
    ? text.split(/([\n\u200b])/).map((part) => (part === "\n" ? BREAK : part === "\u200b" ? MAY_BREAK : html`${part}`))
    : text;
  return marks.reduceRight<Markup>((inner, mark) => renderMark(inner, mark), html`${lines}`);
}

const BREAK = html`<br>`;
/** A space of no width is written so that it is no part of what a reader copies. */
const MAY_BREAK = html`<wbr>`;

const TAGS = {
  bold: "strong",
  italic: "em",
  strikethrough: "del",
  code: "code",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub",
} as const;

function renderMark(inner: Markup, mark: Mark): Markup {
  if (mark.type === "color") {
    const { text, background } = mark.data;
    if (text === "default" && background === "default") return html`<mark>${inner}</mark>`;
    return html`<span class="${getColorClasses(text, background)}">${inner}</span>`;
  }
  switch (TAGS[mark.type]) {
    case "strong":
      return html`<strong>${inner}</strong>`;
    case "em":
      return html`<em>${inner}</em>`;
    case "del":
      return html`<del>${inner}</del>`;
    case "code":
      return html`<code>${inner}</code>`;
    case "kbd":
      return html`<kbd>${inner}</kbd>`;
    case "sup":
      return html`<sup>${inner}</sup>`;
    case "sub":
      return html`<sub>${inner}</sub>`;
  }
}

/** Colours that the style sheet knows, which are readable in light and dark. Others are left out: styles of authors would
 * need a hole in the policy of the page. */
const COLORS = new Set(["blue", "red", "green", "yellow", "purple", "orange", "gray", "pink", "teal", "brown"]);

function getColorClasses(text: string, background: string): string {
  return [
    ...(COLORS.has(text) ? [`ink-${text}`] : []),
    ...(COLORS.has(background) ? [`paper-${background}`] : []),
  ].join(" ");
}

function renderInline(node: Inline, context: BlockContext, blocks: RenderBlocks): Markup {
  const inner = () => renderPhrasing(node.nodes ?? [], context, blocks);
  switch (node.type) {
    case "link": {
      const place = context.resolveLink(node.data.ref);
      return place && isFollowableHref(place.href)
        ? html`<a ${context.renderLinkAttributes(place.href)}>${inner()}</a>`
        : html`<span class="gone">${inner()}</span>`;
    }
    case "emoji":
      return html`${decodeEmoji(node.data.code)}`;
    case "icon":
      return context.renderIcon(node.data.icon) ?? html``;
    case "expression":
      return html`<code class="expression">${node.data.expression}</code>`;
    case "inline-math":
      return context.renderFormula(node.data.formula, "inline");
    case "inline-image":
      return renderInlineImage(node.data, context);
    case "annotation":
      return renderFootnoteLink(inner(), findFragment(node.fragments, "annotation-body"), context, blocks);
    case "mention": {
      const place = context.resolveLink(node.data.ref);
      if (!place) return html``;
      return place.href === ""
        ? html`<span class="mention">${place.title}</span>`
        : html`<a class="mention" ${context.renderLinkAttributes(place.href)}>${place.title}</a>`;
    }
    case "anchor":
      return html`<a id="${node.data.id}"></a>`;
    case "button": {
      const { label, kind, icon, ref } = node.data;
      const place = context.resolveLink(ref);
      const drawn = icon === undefined ? undefined : context.renderIcon(icon);
      return html`<a class="button ${kind}" ${place && context.renderLinkAttributes(place.href)}>${drawn}${label}</a>`;
    }
  }
}

/** A note opens where it is written, without a script: the platform's own popover. Its body holds blocks, so it stands behind
 * the text, and not within the line. */
function renderFootnoteLink(
  text: Markup,
  body: Fragment | undefined,
  context: BlockContext,
  blocks: RenderBlocks,
): Markup {
  if (!body) return text;
  const { id, number, label } = context.addFootnote(body.nodes, blocks);
  // A note that belongs to no word is its number.
  return text.text === ""
    ? html`<button type="button" class="note" popovertarget="${id}" aria-label="${label}"><sup>${number}</sup></button>`
    : html`<button type="button" class="note" popovertarget="${id}">${text}</button>`;
}
