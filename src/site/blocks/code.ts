// Code blocks: title, line numbers, highlighted lines, and lines that wrap or scroll.

import type { BlockOf, Text } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import type { BlockRenderContext } from "../pages/block-context";
import { getPlainText } from "./text";

export function renderCodeBlock(block: BlockOf<"code">, context: BlockRenderContext): Markup {
  const { syntax, title, overflow, lineNumbers, fullWidth } = block.data ?? {};
  const lines = (block.nodes as BlockOf<"code-line">[] | undefined) ?? [];
  const texts = lines.map((line) => getPlainText((line.nodes as Text[] | undefined) ?? []));
  // Only pages with diagrams load the script that draws them. Without it, the reader sees the source.
  if (syntax === "mermaid")
    return html`<figure class="diagram" data-diagram><pre tabindex="0"><code>${texts.join("\n")}</code></pre></figure>`;

  const highlighted = context.highlightCode(texts, syntax);
  const classes = ["code", overflow === "wrap" && "wrap", lineNumbers && "numbered", fullWidth && "full"];
  const rows = lines.map(
    (line, i) => html`<span class="line${line.data?.highlighted && " marked"}">${highlighted[i]}
</span>`,
  );
  // A block that scrolls must be reachable by keyboard.
  return html`<figure class="${classes.filter(Boolean).join(" ")}">${
    title !== undefined && title !== "" && html`<figcaption>${title}</figcaption>`
  }<pre tabindex="0"${syntax !== undefined && html` data-language="${syntax}"`}><code>${rows}</code></pre></figure>`;
}

export function renderTextAsCodeBlock(
  text: string,
  { syntax, title, lineNumbers }: { readonly syntax: string; readonly title?: string | undefined; lineNumbers?: true },
  context: BlockRenderContext,
): Markup {
  const nodes = text.split("\n").map((line) => ({
    object: "block",
    type: "code-line",
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: line, marks: [] }] }],
  }));
  const data = { syntax, ...omitUndefined({ title, lineNumbers }) };
  return renderCodeBlock({ object: "block", type: "code", data, nodes } as unknown as BlockOf<"code">, context);
}
