// Blocks as HTML on one line, for the cells of tables. What HTML has no form for is written as what it says.

import type { Block, BlockOf, Fragment, Phrasing } from "../../document";
import { saidBy } from "../reader/words";
import { escapeAttribute, escapeHtml } from "./escape";
import { writeFigures } from "./figures";
import { attributesOf, htmlOf } from "./html";
import { urlOf } from "./urls";

const ALIGNMENTS = { start: "left", center: "center", end: "right" } as const;

/** Blocks of a cell. A single paragraph needs no tags. */
export function writeFlow(blocks: readonly Block[]): string {
  const [first, ...others] = blocks;
  if (first?.type === "paragraph" && others.length === 0 && !first.data?.align) return phrasesOf(first);
  return blocks.map(write).join("");
}

function write(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return `<p${aligned(block.data)}>${phrasesOf(block)}</p>`;
    case "heading-1":
    case "heading-2":
    case "heading-3": {
      const level = Number(block.type.slice(-1)) + 1;
      const id = block.data?.id === undefined ? "" : ` id="${escapeAttribute(block.data.id)}"`;
      return `<h${level}${id}${aligned(block.data)}>${phrasesOf(block)}</h${level}>`;
    }
    case "list-ordered": {
      const start = block.data?.start;
      return `<ol${start === undefined ? "" : ` start="${start}"`}>${inside(block)}</ol>`;
    }
    case "list-unordered":
    case "list-tasks":
      return `<ul>${inside(block)}</ul>`;
    case "list-item": {
      const { checked } = block.data ?? {};
      const box = checked === undefined ? "" : `<input type="checkbox"${checked ? " checked" : ""}>`;
      return `<li>${box}${writeFlow((block.nodes ?? []) as Block[])}</li>`;
    }
    case "blockquote":
      return `<blockquote>${inside(block)}</blockquote>`;
    case "hint":
      return `<div class="hint ${block.data?.style ?? "info"}">${inside(block)}</div>`;
    case "divider":
      return "<hr>";
    case "code":
      return codeTag(block);
    case "images":
    case "drawing":
      return writeFigures(block, true);
    case "expandable":
      return `<details><summary>${htmlOf(titleOf(block.fragments))}</summary>${bodyOf(block.fragments).map(write).join("")}</details>`;
    case "embed":
      return `<iframe src="${escapeAttribute(block.data!.url)}"></iframe>`;
    case "math":
      return `<p><span class="math">${escapeHtml(block.data?.formula.replace(/[\r\n]+/g, " ") ?? "")}</span></p>`;
    case "unknown":
      return block.nodes ? inside(block) : `<p>${escapeHtml(block.data?.source.replace(/\s+/g, " ") ?? "")}</p>`;
    default:
      return plain(block);
  }
}

/** A block that HTML has no form for: its target as a link, and whatever it holds. */
function plain(block: Block): string {
  const ref = block.data && "ref" in block.data ? block.data.ref : undefined;
  const url = ref && urlOf(ref);
  const link = url === undefined ? "" : `<p><a href="${escapeAttribute(url)}">${escapeHtml(url)}</a></p>`;
  const fragments = (block.fragments ?? []).flatMap(({ nodes }) => nodes);
  return link + inside(block) + fragments.map(write).join("");
}

/** A blank line would end the HTML, so lines of code are told by references. */
function codeTag({ data = {}, nodes = [] }: BlockOf<"code">): string {
  const lines = (nodes as BlockOf<"code-line">[]).map((line) => saidBy((line.nodes ?? []) as Phrasing[]));
  const code = lines.map((line) => line.replace(/[&<>]/g, (mark) => escapeHtml(mark))).join("&#10;");
  const title = data.title === undefined ? "" : ` title="${escapeAttribute(data.title)}"`;
  const named = data.syntax === undefined ? "" : ` ${attributesOf({ class: `language-${data.syntax}` })}`;
  return `<pre${title}><code${named}>${code}</code></pre>`;
}

function inside({ nodes = [] }: Block): string {
  return nodes.map((node) => (node.object === "block" ? write(node) : htmlOf([node]))).join("");
}

function phrasesOf({ nodes = [] }: Block): string {
  return htmlOf(nodes as Phrasing[]);
}

function titleOf(fragments: readonly Fragment[] = []): Phrasing[] {
  return (fragments.find(({ type }) => type === "expandable-title")?.nodes[0]?.nodes ?? []) as Phrasing[];
}

function bodyOf(fragments: readonly Fragment[] = []): Block[] {
  return fragments.find(({ type }) => type === "expandable-body")?.nodes ?? [];
}

function aligned(data: { align?: keyof typeof ALIGNMENTS } | undefined): string {
  return data?.align ? ` align="${ALIGNMENTS[data.align]}"` : "";
}
