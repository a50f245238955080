// Blocks as markup: one function for each type, and none that can be left out.

import type { Block, BlockOf, Fragment, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { BlockContext } from "../pages/block-context";
import { renderCodeBlock } from "./code";
import { findFragment } from "./fragments";
import { renderDrawing, renderEmbed, renderFile, renderImages, renderReferenceCard } from "./media";
import { renderTable } from "./tables";
import { getPlainText, renderPhrasing } from "./text";

/** A list of blocks, one after another. */
export function renderBlocks(nodes: readonly Block[], context: BlockContext): Markup {
  return html`${nodes.map((block) => renderBlock(block, context))}`;
}

function renderBlock(block: Block, context: BlockContext): Markup {
  const blocks = (nodes: readonly Block[]) => renderBlocks(nodes, context);
  const inner = () => blocks((block.nodes as Block[] | undefined) ?? []);
  const words = () => renderPhrasing((block.nodes as Phrasing[] | undefined) ?? [], context, blocks);
  switch (block.type) {
    case "paragraph":
      return html`<p${renderAlignClass(block.data?.align)}>${words()}</p>`;
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return renderHeading(block, words(), context);
    case "list-ordered": {
      const { start = 1 } = block.data ?? {};
      return html`<ol${start !== 1 && html` start="${start}"`}>${renderListItems(block, blocks)}</ol>`;
    }
    case "list-unordered":
      return html`<ul>${renderListItems(block, blocks)}</ul>`;
    case "list-tasks":
      return html`<ul class="tasks">${renderListItems(block, blocks)}</ul>`;
    case "list-item":
      return renderListItem(block, blocks);
    case "divider":
      return html`<hr>`;
    case "blockquote":
      return html`<blockquote>${inner()}</blockquote>`;
    case "hint":
      return renderHint(block, inner(), context);
    case "if":
      return inner();
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
    case "expandable":
      return renderExpandable(block.fragments, context, blocks);
    case "tabs":
      return renderTabs(block, blocks, context);
    case "tabs-item":
      return inner();
    case "table":
      return renderTable(block, context, blocks);
    case "content-ref":
      return renderReferenceCard(context.resolveLink(block.data!.ref), context);
    case "reusable-content":
      // The API puts what a visitor reads in its place. What is left here has gone, or was too large to be put in.
      return html`<p class="gone">${context.messages.missingPart}</p>`;
    case "stepper":
      return html`<ol class="stepper">${((block.nodes as Block[]) ?? []).map((it) => html`<li>${blocks((it.nodes as Block[]) ?? [])}</li>`)}</ol>`;
    case "stepper-step":
      return inner();
    case "columns":
      return renderColumns(block, blocks);
    case "column":
      return inner();
    case "updates":
      return html`<div class="updates">${inner()}</div>`;
    case "update":
      return renderUpdate(block, inner());
    case "integration":
    case "swagger":
    case "openapi-operation":
    case "openapi-schemas":
    case "openapi-webhook":
      return context.renderExternalBlock(block);
    case "unknown":
      return block.nodes ? inner() : html`<pre tabindex="0"><code>${block.data!.source}</code></pre>`;
  }
}

function renderAlignClass(align: "start" | "center" | "end" | undefined): Markup | false {
  return align !== undefined && align !== "start" && html` class="${align}"`;
}

const LEVELS = { "heading-1": 2, "heading-2": 3, "heading-3": 4 } as const;

/** The title of the page is its first heading, so those of the text begin at the second level. */
function renderHeading(block: BlockOf<keyof typeof LEVELS>, words: Markup, context: BlockContext): Markup {
  const id = block.meta?.id;
  const classes = renderAlignClass(block.data?.align);
  const link =
    id !== undefined && html` <a class="anchor" href="#${id}" aria-label="${context.messages.linkToHeading}">#</a>`;
  const named = id !== undefined && html` id="${id}"`;
  switch (LEVELS[block.type]) {
    case 2:
      return html`<h2${named}${classes}>${words}${link}</h2>`;
    case 3:
      return html`<h3${named}${classes}>${words}${link}</h3>`;
    case 4:
      return html`<h4${named}${classes}>${words}${link}</h4>`;
  }
}

type Inside = (nodes: readonly Block[]) => Markup;

function renderListItems(block: { readonly nodes?: readonly unknown[] }, blocks: Inside): Markup {
  return html`${((block.nodes ?? []) as BlockOf<"list-item">[]).map((it) => renderListItem(it, blocks))}`;
}

function renderListItem(block: BlockOf<"list-item">, blocks: Inside): Markup {
  const nodes = (block.nodes as Block[] | undefined) ?? [];
  const { checked } = block.data ?? {};
  const box =
    checked !== undefined &&
    html`<input type="checkbox" disabled${checked && html` checked`} aria-label="${getParagraphText(nodes[0])}">`;
  return html`<li>${box}${blocks(nodes)}</li>`;
}

function getParagraphText(block: Block | undefined): string {
  return block?.type === "paragraph" ? getPlainText((block.nodes as Phrasing[]) ?? []) : "";
}

const HINT_ICONS = {
  info: "circle-info",
  warning: "triangle-exclamation",
  danger: "circle-exclamation",
  success: "circle-check",
};

function renderHint(block: BlockOf<"hint">, inner: Markup, context: BlockContext): Markup {
  const { style, icon = HINT_ICONS[style] } = block.data!;
  return html`<aside class="hint ${style}" role="note"><span class="sign" aria-hidden="true">${context.renderIcon(icon)}</span><div>${inner}</div></aside>`;
}

function renderExpandable(fragments: readonly Fragment[] | undefined, context: BlockContext, blocks: Inside): Markup {
  // A title is a line: of what it holds, the words are shown.
  const title = findFragment(fragments, "expandable-title")?.nodes.map((block) =>
    renderPhrasing((block.nodes as Phrasing[] | undefined) ?? [], context, blocks),
  );
  const body = findFragment(fragments, "expandable-body");
  // Browsers give a fold without a title a name in the language of its reader.
  const summary = title?.some(({ text }) => text !== "") && html`<summary>${title}</summary>`;
  return html`<details>${summary}<div>${body && blocks(body.nodes)}</div></details>`;
}

/** Tabs work without a script: each is a radio button with its panel behind it. */
function renderTabs(block: BlockOf<"tabs">, blocks: Inside, context: BlockContext): Markup {
  const group = `--tabs-${context.createElementNumber()}`;
  const panels = ((block.nodes as BlockOf<"tabs-item">[] | undefined) ?? []).map((tab, i) => {
    const id = `${group}-${i}`;
    const label = tab.data?.title ?? String(i + 1);
    return html`<input type="radio" name="${group}" id="${id}"${i === 0 && html` checked`}><label for="${id}">${label}</label><div class="panel">${blocks((tab.nodes as Block[]) ?? [])}</div>`;
  });
  return html`<div class="tabs${block.data?.fullWidth && " full"}">${panels}</div>`;
}

function renderColumns(block: BlockOf<"columns">, blocks: Inside): Markup {
  const drawn = ((block.nodes as BlockOf<"column">[] | undefined) ?? []).map(({ data, nodes }) => {
    const width = data?.width === undefined ? undefined : Math.min(100, Math.max(5, Math.round(data.width / 5) * 5));
    const classes = [width !== undefined && `share-${width}`, data?.verticalAlignment].filter(Boolean).join(" ");
    return html`<div class="${classes}">${blocks((nodes as Block[]) ?? [])}</div>`;
  });
  return html`<div class="columns${block.data?.fullWidth && " full"}">${drawn}</div>`;
}

function renderUpdate(block: BlockOf<"update">, inner: Markup): Markup {
  const { date, tags = [] } = block.data ?? {};
  const when = date !== undefined && html`<time datetime="${date}">${date}</time>`;
  return html`<section class="update"${date !== undefined && html` id="${date}"`}><header>${when}${tags.map((tag) => html`<span class="tag">${tag}</span>`)}</header><div>${inner}</div></section>`;
}
