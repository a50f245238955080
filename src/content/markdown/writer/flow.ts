// Writes blocks as HTML on one line, for the cells of tables. A block without an HTML form is written as its text.

import type { Block, BlockOf, Phrasing } from "../../document";
import { escapeAttribute, escapeHtml, formatHtmlAttributes } from "../escape";
import { buildHref } from "../hrefs";
import { getPhrasingText } from "../reader/words";
import { writeFigures } from "./figures";
import { writeAlign, writeInlineHtml } from "./html";

/** Writes the blocks of a cell. A single paragraph needs no tags. */
export function writeFlow(blocks: readonly Block[]): string {
  const [first, ...others] = blocks;
  if (first?.type === "paragraph" && others.length === 0 && !first.data?.align)
    return writeInlineHtml((first.nodes ?? []) as Phrasing[]);
  return blocks.map(writeBlock).join("");
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return `<p${writeAlign(block.data)}>${writeInlineHtml((block.nodes ?? []) as Phrasing[])}</p>`;
    case "heading-1":
    case "heading-2":
    case "heading-3": {
      const level = Number(block.type.slice(-1)) + 1;
      const id = block.data?.id === undefined ? "" : ` id="${escapeAttribute(block.data.id)}"`;
      return `<h${level}${id}${writeAlign(block.data)}>${writeInlineHtml((block.nodes ?? []) as Phrasing[])}</h${level}>`;
    }
    case "list-ordered": {
      const start = block.data?.start;
      return `<ol${start === undefined ? "" : ` start="${start}"`}>${writeContent(block)}</ol>`;
    }
    case "list-unordered":
    case "list-tasks":
      return `<ul>${writeContent(block)}</ul>`;
    case "list-item": {
      const { checked } = block.data ?? {};
      const box = checked === undefined ? "" : `<input type="checkbox"${checked ? " checked" : ""}>`;
      return `<li>${box}${writeFlow((block.nodes ?? []) as Block[])}</li>`;
    }
    case "blockquote":
      return `<blockquote>${writeContent(block)}</blockquote>`;
    case "hint":
      return `<div class="hint ${block.data?.style ?? "info"}">${writeContent(block)}</div>`;
    case "divider":
      return "<hr>";
    case "code": {
      const { data = {}, nodes = [] } = block;
      const lines = (nodes as BlockOf<"code-line">[]).map((line) => getPhrasingText((line.nodes ?? []) as Phrasing[]));
      // A blank line would end the HTML block, so line endings are character references.
      const code = lines.map((line) => line.replace(/[&<>]/g, (mark) => escapeHtml(mark))).join("&#10;");
      const title = data.title === undefined ? "" : ` title="${escapeAttribute(data.title)}"`;
      const language =
        data.syntax === undefined ? "" : ` ${formatHtmlAttributes({ class: `language-${data.syntax}` })}`;
      return `<pre${title}><code${language}>${code}</code></pre>`;
    }
    case "images":
    case "drawing":
      return writeFigures(block, true);
    case "expandable": {
      const title = block.fragments?.find(({ type }) => type === "expandable-title")?.nodes[0]?.nodes ?? [];
      const body = block.fragments?.find(({ type }) => type === "expandable-body")?.nodes ?? [];
      const summary = `<summary>${writeInlineHtml(title as Phrasing[])}</summary>`;
      return `<details>${summary}${body.map(writeBlock).join("")}</details>`;
    }
    case "embed":
      return `<iframe src="${escapeAttribute(block.data!.url)}"></iframe>`;
    case "math":
      return `<p><span class="math">${escapeHtml(block.data?.formula.replace(/[\r\n]+/g, " ") ?? "")}</span></p>`;
    case "unknown":
      return block.nodes ? writeContent(block) : `<p>${escapeHtml(block.data?.source.replace(/\s+/g, " ") ?? "")}</p>`;
    default: {
      // The URL that it refers to as a link, and its content.
      const ref = block.data && "ref" in block.data ? block.data.ref : undefined;
      const url = ref && buildHref(ref);
      const link = url === undefined ? "" : `<p><a href="${escapeAttribute(url)}">${escapeHtml(url)}</a></p>`;
      const fragments = (block.fragments ?? []).flatMap(({ nodes }) => nodes);
      return link + writeContent(block) + fragments.map(writeBlock).join("");
    }
  }
}

function writeContent({ nodes = [] }: Block): string {
  return nodes.map((node) => (node.object === "block" ? writeBlock(node) : writeInlineHtml([node]))).join("");
}
