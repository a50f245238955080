// Blocks as markup: one function for each type, and none that can be left out.

import type { Block, BlockOf, Fragment, Phrasing } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { RenderContext } from "../scene";
import { code } from "./code";
import { fragmentOf } from "./fragments";
import { drawing, embed, file, images, reference } from "./images";
import { table } from "./tables";
import { phrasing, plainText } from "./text";

/** A list of blocks, one after another. */
export function drawBlocks(nodes: readonly Block[], scene: RenderContext): Markup {
  return html`${nodes.map((block) => drawBlock(block, scene))}`;
}

function drawBlock(block: Block, scene: RenderContext): Markup {
  const blocks = (nodes: readonly Block[]) => drawBlocks(nodes, scene);
  const inner = () => blocks((block.nodes as Block[] | undefined) ?? []);
  const words = () => phrasing((block.nodes as Phrasing[] | undefined) ?? [], scene, blocks);
  switch (block.type) {
    case "paragraph":
      return html`<p${aligned(block.data?.align)}>${words()}</p>`;
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return heading(block, words(), scene);
    case "list-ordered": {
      const { start = 1 } = block.data ?? {};
      return html`<ol${start !== 1 && html` start="${start}"`}>${items(block, blocks)}</ol>`;
    }
    case "list-unordered":
      return html`<ul>${items(block, blocks)}</ul>`;
    case "list-tasks":
      return html`<ul class="tasks">${items(block, blocks)}</ul>`;
    case "list-item":
      return item(block, blocks);
    case "divider":
      return html`<hr>`;
    case "blockquote":
      return html`<blockquote>${inner()}</blockquote>`;
    case "hint":
      return hint(block, inner(), scene);
    case "if":
      return inner();
    case "images":
      return images(block, scene, blocks);
    case "image":
      return images({ object: "block", type: "images", nodes: [block] }, scene, blocks);
    case "file":
      return file(block, scene, blocks);
    case "drawing":
      return drawing(block, scene);
    case "embed":
      return embed(block, scene, blocks);
    case "math":
      return html`<div class="math" tabindex="0">${scene.formula(block.data!.formula, "block")}</div>`;
    case "code":
      return code(block, scene);
    case "code-line":
      return html``;
    case "expandable":
      return expandable(block.fragments, scene, blocks);
    case "tabs":
      return tabs(block, blocks, scene);
    case "tabs-item":
      return inner();
    case "table":
      return table(block, scene, blocks);
    case "content-ref":
      return reference(scene.place(block.data!.ref), scene);
    case "reusable-content":
      // The API puts what a visitor reads in its place. What is left here has gone, or was too large to be put in.
      return html`<p class="gone">${scene.words.missingPart}</p>`;
    case "stepper":
      return html`<ol class="stepper">${((block.nodes as Block[]) ?? []).map((it) => html`<li>${blocks((it.nodes as Block[]) ?? [])}</li>`)}</ol>`;
    case "stepper-step":
      return inner();
    case "columns":
      return columns(block, blocks);
    case "column":
      return inner();
    case "updates":
      return html`<div class="updates">${inner()}</div>`;
    case "update":
      return update(block, inner());
    case "integration":
    case "swagger":
    case "openapi-operation":
    case "openapi-schemas":
    case "openapi-webhook":
      return scene.block(block);
    case "unknown":
      return block.nodes ? inner() : html`<pre tabindex="0"><code>${block.data!.source}</code></pre>`;
  }
}

function aligned(align: "start" | "center" | "end" | undefined): Markup | false {
  return align !== undefined && align !== "start" && html` class="${align}"`;
}

const LEVELS = { "heading-1": 2, "heading-2": 3, "heading-3": 4 } as const;

/** The title of the page is its first heading, so those of the text begin at the second level. */
function heading(block: BlockOf<keyof typeof LEVELS>, words: Markup, scene: RenderContext): Markup {
  const id = block.meta?.id;
  const classes = aligned(block.data?.align);
  const link =
    id !== undefined && html` <a class="anchor" href="#${id}" aria-label="${scene.words.linkToHeading}">#</a>`;
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

function items(block: { readonly nodes?: readonly unknown[] }, blocks: Inside): Markup {
  return html`${((block.nodes ?? []) as BlockOf<"list-item">[]).map((it) => item(it, blocks))}`;
}

function item(block: BlockOf<"list-item">, blocks: Inside): Markup {
  const nodes = (block.nodes as Block[] | undefined) ?? [];
  const { checked } = block.data ?? {};
  const box =
    checked !== undefined &&
    html`<input type="checkbox" disabled${checked && html` checked`} aria-label="${textOf(nodes[0])}">`;
  return html`<li>${box}${blocks(nodes)}</li>`;
}

function textOf(block: Block | undefined): string {
  return block?.type === "paragraph" ? plainText((block.nodes as Phrasing[]) ?? []) : "";
}

const HINT_ICONS = {
  info: "circle-info",
  warning: "triangle-exclamation",
  danger: "circle-exclamation",
  success: "circle-check",
};

function hint(block: BlockOf<"hint">, inner: Markup, scene: RenderContext): Markup {
  const { style, icon = HINT_ICONS[style] } = block.data!;
  return html`<aside class="hint ${style}" role="note"><span class="sign" aria-hidden="true">${scene.icon(icon)}</span><div>${inner}</div></aside>`;
}

function expandable(fragments: readonly Fragment[] | undefined, scene: RenderContext, blocks: Inside): Markup {
  // A title is a line: of what it holds, the words are shown.
  const title = fragmentOf(fragments, "expandable-title")?.nodes.map((block) =>
    phrasing((block.nodes as Phrasing[] | undefined) ?? [], scene, blocks),
  );
  const body = fragmentOf(fragments, "expandable-body");
  // Browsers give a fold without a title a name in the language of its reader.
  const summary = title?.some(({ text }) => text !== "") && html`<summary>${title}</summary>`;
  return html`<details>${summary}<div>${body && blocks(body.nodes)}</div></details>`;
}

/** Tabs work without a script: each is a radio button with its panel behind it. */
function tabs(block: BlockOf<"tabs">, blocks: Inside, scene: RenderContext): Markup {
  const group = `--tabs-${scene.next()}`;
  const panels = ((block.nodes as BlockOf<"tabs-item">[] | undefined) ?? []).map((tab, i) => {
    const id = `${group}-${i}`;
    const label = tab.data?.title ?? String(i + 1);
    return html`<input type="radio" name="${group}" id="${id}"${i === 0 && html` checked`}><label for="${id}">${label}</label><div class="panel">${blocks((tab.nodes as Block[]) ?? [])}</div>`;
  });
  return html`<div class="tabs${block.data?.fullWidth && " full"}">${panels}</div>`;
}

function columns(block: BlockOf<"columns">, blocks: Inside): Markup {
  const drawn = ((block.nodes as BlockOf<"column">[] | undefined) ?? []).map(({ data, nodes }) => {
    const width = data?.width === undefined ? undefined : Math.min(100, Math.max(5, Math.round(data.width / 5) * 5));
    const classes = [width !== undefined && `share-${width}`, data?.verticalAlignment].filter(Boolean).join(" ");
    return html`<div class="${classes}">${blocks((nodes as Block[]) ?? [])}</div>`;
  });
  return html`<div class="columns${block.data?.fullWidth && " full"}">${drawn}</div>`;
}

function update(block: BlockOf<"update">, inner: Markup): Markup {
  const { date, tags = [] } = block.data ?? {};
  const when = date !== undefined && html`<time datetime="${date}">${date}</time>`;
  return html`<section class="update"${date !== undefined && html` id="${date}"`}><header>${when}${tags.map((tag) => html`<span class="tag">${tag}</span>`)}</header><div>${inner}</div></section>`;
}
