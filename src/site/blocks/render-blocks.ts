// Blocks as HTML. Every type of block is a case of one switch, so the compiler reports a type that is missing.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { BlockRenderContext } from "../pages/block-context";
import { renderCodeBlock } from "./code";
import { findFragment, type RenderBlocks } from "./fragments";
import { renderDrawing, renderEmbed, renderFile, renderImages, renderReferenceCard } from "./media";
import { renderTable } from "./tables";
import { renderTabs } from "./tabs";
import { getPlainText, renderPhrasing } from "./text";

const HINT_ICONS = {
  info: "circle-info",
  warning: "triangle-exclamation",
  danger: "circle-exclamation",
  success: "circle-check",
};

export function renderBlocks(nodes: readonly Block[], context: BlockRenderContext): Markup {
  return html`${nodes.map((block) => renderBlock(block, context))}`;
}

function renderBlock(block: Block, context: BlockRenderContext): Markup {
  const blocks: RenderBlocks = (nodes) => renderBlocks(nodes, context);
  const renderInner = () => blocks((block.nodes as Block[] | undefined) ?? []);
  const renderText = () => renderPhrasing((block.nodes as Phrasing[] | undefined) ?? [], context, blocks);
  switch (block.type) {
    case "paragraph":
      return html`<p${renderAlignClass(block.data?.align)}>${renderText()}</p>`;
    case "heading-1":
    case "heading-2":
    case "heading-3": {
      const text = renderText();
      const id = block.meta?.id;
      const attributes = html`${id !== undefined && html` id="${id}"`}${renderAlignClass(block.data?.align)}`;
      const anchor =
        id !== undefined && html` <a class="anchor" href="#${id}" aria-label="${context.messages.linkToHeading}">#</a>`;
      // The title of the page is its first heading, so headings of the text begin at the second level.
      if (block.type === "heading-1") return html`<h2${attributes}>${text}${anchor}</h2>`;
      if (block.type === "heading-2") return html`<h3${attributes}>${text}${anchor}</h3>`;
      return html`<h4${attributes}>${text}${anchor}</h4>`;
    }
    case "list-ordered": {
      const { start = 1 } = block.data ?? {};
      return html`<ol${start !== 1 && html` start="${start}"`}>${renderListItems(block, blocks)}</ol>`;
    }
    case "list-unordered":
      return html`<ul>${renderListItems(block, blocks)}</ul>`;
    case "list-tasks":
      return html`<ul class="tasks">${renderListItems(block, blocks)}</ul>`;
    case "list-item":
      return renderListItems({ nodes: [block] }, blocks);
    case "divider":
      return html`<hr>`;
    case "blockquote":
      return html`<blockquote>${renderInner()}</blockquote>`;
    case "hint": {
      const content = renderInner();
      const { style, icon = HINT_ICONS[style] } = block.data!;
      const sign = html`<span class="sign" aria-hidden="true">${context.renderIcon(icon)}</span>`;
      return html`<aside class="hint ${style}" role="note">${sign}<div>${content}</div></aside>`;
    }
    case "if":
      return renderInner();
    case "images":
      return renderImages(block, context, blocks);
    case "image":
      return renderImages({ object: "block", type: "images", nodes: [block] }, context, blocks);
    case "file":
      return renderFile(block, context, blocks);
    case "drawing":
      return renderDrawing(block, context);
    case "embed":
      return renderEmbed(block, context, blocks);
    case "math":
      return html`<div class="math" tabindex="0">${context.renderFormula(block.data!.formula, "block")}</div>`;
    case "code":
      return renderCodeBlock(block, context);
    case "code-line":
      return html``;
    case "expandable": {
      // A title is one line, so only the text of its blocks is shown.
      const title = findFragment(block.fragments, "expandable-title")?.nodes.map((node) =>
        renderPhrasing((node.nodes as Phrasing[] | undefined) ?? [], context, blocks),
      );
      const body = findFragment(block.fragments, "expandable-body");
      // Without a summary, browsers show one in the language of their interface.
      const summary = title?.some(({ text }) => text !== "") && html`<summary>${title}</summary>`;
      return html`<details>${summary}<div>${body && blocks(body.nodes)}</div></details>`;
    }
    case "tabs":
      return renderTabs(
        ((block.nodes as BlockOf<"tabs-item">[] | undefined) ?? []).map((tab, i) => ({
          label: tab.data?.title ?? String(i + 1),
          renderContent: () => blocks((tab.nodes as Block[]) ?? []),
        })),
        context,
        { isFullWidth: block.data?.fullWidth === true },
      );
    case "tabs-item":
      return renderInner();
    case "table":
      return renderTable(block, context, blocks);
    case "content-ref":
      return renderReferenceCard(context.resolveLink(block.data!.ref), context);
    case "reusable-content":
      // The API replaces reusable contents that the visitor can read. This one is gone, or was too large to be included.
      return html`<p class="gone">${context.messages.missingPart}</p>`;
    case "stepper": {
      const steps = (block.nodes as Block[]) ?? [];
      return html`<ol class="stepper">${steps.map((step) => html`<li>${blocks((step.nodes as Block[]) ?? [])}</li>`)}</ol>`;
    }
    case "stepper-step":
      return renderInner();
    case "columns": {
      const columns = ((block.nodes as BlockOf<"column">[] | undefined) ?? []).map(({ data, nodes }) => {
        // The stylesheet has a class for every five percent.
        const share = data?.width === undefined ? undefined : Math.round(data.width / 5) * 5;
        const width = share === undefined ? undefined : `share-${Math.min(100, Math.max(5, share))}`;
        const classes = [width, data?.verticalAlignment].filter(Boolean).join(" ");
        return html`<div class="${classes}">${blocks((nodes as Block[]) ?? [])}</div>`;
      });
      return html`<div class="columns${block.data?.fullWidth && " full"}">${columns}</div>`;
    }
    case "column":
      return renderInner();
    case "updates":
      return html`<div class="updates">${renderInner()}</div>`;
    case "update": {
      const content = renderInner();
      const { date, tags = [] } = block.data ?? {};
      const time = date !== undefined && html`<time datetime="${date}">${context.formatDay(date)}</time>`;
      const header = html`<header>${time}${tags.map((tag) => html`<span class="tag">${tag}</span>`)}</header>`;
      const id = date !== undefined && html` id="${date}"`;
      return html`<section class="update"${id}>${header}<div>${content}</div></section>`;
    }
    case "integration":
    case "swagger":
    case "openapi-operation":
    case "openapi-schemas":
    case "openapi-webhook":
      return context.renderExternalBlock(block);
    case "unknown":
      return block.nodes ? renderInner() : html`<pre tabindex="0"><code>${block.data!.source}</code></pre>`;
  }
}

function renderAlignClass(align: "start" | "center" | "end" | undefined): Markup | false {
  return align !== undefined && align !== "start" && html` class="${align}"`;
}

function renderListItems(list: { readonly nodes?: readonly unknown[] }, blocks: RenderBlocks): Markup {
  return html`${((list.nodes ?? []) as BlockOf<"list-item">[]).map(({ nodes, data }) => {
    const content = (nodes as Block[] | undefined) ?? [];
    const [first] = content;
    const label = first?.type === "paragraph" ? getPlainText((first.nodes as Phrasing[]) ?? []) : "";
    const checkbox =
      data?.checked !== undefined &&
      html`<input type="checkbox" disabled${data.checked && html` checked`} aria-label="${label}">`;
    return html`<li>${checkbox}${blocks(content)}</li>`;
  })}`;
}
