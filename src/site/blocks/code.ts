// Code: with its title, numbers of lines, marked lines, and lines that wrap or scroll.

import type { BlockOf, Text } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { BlockContext } from "../pages/block-context";
import { getPlainText } from "./text";

/** The text of each line. */
export function getCodeLines(block: BlockOf<"code">): string[] {
  return ((block.nodes as BlockOf<"code-line">[] | undefined) ?? []).map((line) =>
    getPlainText((line.nodes as Text[] | undefined) ?? []),
  );
}

export function renderCodeBlock(block: BlockOf<"code">, context: BlockContext): Markup {
  const { syntax, title, overflow, lineNumbers, fullWidth } = block.data ?? {};
  const lines = (block.nodes as BlockOf<"code-line">[] | undefined) ?? [];
  const texts = getCodeLines(block);
  if (syntax === "mermaid") return renderDiagram(texts.join("\n"), context);
  const marked = context.highlightCode(texts, syntax);
  const classes = ["code", overflow === "wrap" && "wrap", lineNumbers && "numbered", fullWidth && "full"];
  const rows = lines.map(
    (line, i) => html`<span class="line${line.data?.highlighted && " marked"}">${marked[i]}
</span>`,
  );
  // A block that scrolls must be reached by the keyboard.
  return html`<figure class="${classes.filter(Boolean).join(" ")}">${title !== undefined && title !== "" && html`<figcaption>${title}</figcaption>`}<pre tabindex="0"${syntax !== undefined && html` data-language="${syntax}"`}><code>${rows}</code></pre></figure>`;
}

/** A diagram is drawn in the browser, by a script that only pages with one load. Without it one reads its text. */
function renderDiagram(text: string, _scene: BlockContext): Markup {
  return html`<figure class="diagram" data-diagram><pre tabindex="0"><code>${text}</code></pre></figure>`;
}
