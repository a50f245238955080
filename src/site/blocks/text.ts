// Phrasing content: text with marks, links, and everything else that stands within a line.

import type { Inline, Leaf, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { decodeEmoji } from "../icons/emoji";
import { FOLLOWABLE } from "../layout/links";
import type { BlockRenderContext } from "../pages/block-context";
import { findFragment, type RenderBlocks } from "./fragments";
import { renderInlineImage } from "./media";

const LINE_BREAK = html`<br>`;
/** Replaces a zero-width space, so that it is not copied with the text. */
const BREAK_OPPORTUNITY = html`<wbr>`;

/** Colors of the stylesheet, which are readable in both themes. Other colors would need inline styles, which the policy forbids. */
const COLORS = new Set(["blue", "red", "green", "yellow", "purple", "orange", "gray", "pink", "teal", "brown"]);

export function renderPhrasing(nodes: readonly Phrasing[], context: BlockRenderContext, blocks: RenderBlocks): Markup {
  return html`${nodes.map((node) =>
    node.object === "text" ? node.leaves.map(renderLeaf) : renderInline(node, context, blocks),
  )}`;
}

/** Returns the text of phrasing content without its marks, for titles and labels. */
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

/** Renders a text with its marks, the first mark outermost. */
function renderLeaf({ text, marks }: Leaf): Markup {
  const lines = /[\n\u200b]/.test(text)
    ? text
        .split(/([\n\u200b])/)
        .map((part) => (part === "\n" ? LINE_BREAK : part === "\u200b" ? BREAK_OPPORTUNITY : html`${part}`))
    : text;
  let content = html`${lines}`;
  for (const mark of marks.toReversed()) {
    switch (mark.type) {
      case "bold":
        content = html`<strong>${content}</strong>`;
        break;
      case "italic":
        content = html`<em>${content}</em>`;
        break;
      case "strikethrough":
        content = html`<del>${content}</del>`;
        break;
      case "code":
        content = html`<code>${content}</code>`;
        break;
      case "keyboard":
        content = html`<kbd>${content}</kbd>`;
        break;
      case "superscript":
        content = html`<sup>${content}</sup>`;
        break;
      case "subscript":
        content = html`<sub>${content}</sub>`;
        break;
      case "color": {
        const { text: color, background } = mark.data;
        const classes = [COLORS.has(color) && `ink-${color}`, COLORS.has(background) && `paper-${background}`];
        content =
          color === "default" && background === "default"
            ? html`<mark>${content}</mark>`
            : html`<span class="${classes.filter(Boolean).join(" ")}">${content}</span>`;
      }
    }
  }
  return content;
}

function renderInline(node: Inline, context: BlockRenderContext, blocks: RenderBlocks): Markup {
  const renderInner = () => renderPhrasing(node.nodes ?? [], context, blocks);
  switch (node.type) {
    case "link": {
      const link = context.resolveLink(node.data.ref);
      return link && FOLLOWABLE.test(link.href)
        ? html`<a ${context.renderLinkAttributes(link.href)}>${renderInner()}</a>`
        : html`<span class="gone">${renderInner()}</span>`;
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
    case "annotation": {
      const text = renderInner();
      const body = findFragment(node.fragments, "annotation-body");
      if (!body) return text;
      // The platform's popover opens the footnote without a script. Its body holds blocks, so it stands behind the text.
      const { id, number, label } = context.addFootnote(body.nodes, blocks);
      // A footnote that belongs to no word is shown as its number.
      return text.text === ""
        ? html`<button type="button" class="note" popovertarget="${id}" aria-label="${label}"><sup>${number}</sup></button>`
        : html`<button type="button" class="note" popovertarget="${id}">${text}</button>`;
    }
    case "mention": {
      const link = context.resolveLink(node.data.ref);
      if (!link) return html``;
      return link.href === ""
        ? html`<span class="mention">${link.title}</span>`
        : html`<a class="mention" ${context.renderLinkAttributes(link.href)}>${link.title}</a>`;
    }
    case "anchor":
      return html`<a id="${node.data.id}"></a>`;
    case "button": {
      const { label, kind, icon, ref } = node.data;
      const link = context.resolveLink(ref);
      const drawing = icon === undefined ? undefined : context.renderIcon(icon);
      return html`<a class="button ${kind}" ${link && context.renderLinkAttributes(link.href)}>${drawing}${label}</a>`;
    }
  }
}
