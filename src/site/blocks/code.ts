// Code: with its title, numbers of lines, marked lines, and lines that wrap or scroll.

import type { BlockOf, Text } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import type { RenderContext } from "../scene";
import { plainText } from "./text";

/** The text of each line. */
export function linesOf(block: BlockOf<"code">): string[] {
  return ((block.nodes as BlockOf<"code-line">[] | undefined) ?? []).map((line) =>
    plainText((line.nodes as Text[] | undefined) ?? []),
  );
}

export function code(block: BlockOf<"code">, scene: RenderContext): Markup {
  const { syntax, title, overflow, lineNumbers, fullWidth } = block.data ?? {};
  const lines = (block.nodes as BlockOf<"code-line">[] | undefined) ?? [];
  const texts = linesOf(block);
  if (syntax === "mermaid") return diagram(texts.join("\n"), scene);
  const marked = scene.code(texts, syntax);
  const classes = ["code", overflow === "wrap" && "wrap", lineNumbers && "numbered", fullWidth && "full"];
  const rows = lines.map(
    (line, i) => html`<span class="line${line.data?.highlighted && " marked"}">${marked[i]}
</span>`,
  );
  // A block that scrolls must be reached by the keyboard.
  return html`<figure class="${classes.filter(Boolean).join(" ")}">${title !== undefined && title !== "" && html`<figcaption>${title}</figcaption>`}<pre tabindex="0"${syntax !== undefined && html` data-language="${syntax}"`}><code>${rows}</code></pre></figure>`;
}

/** A diagram is drawn in the browser, by a script that only pages with one load. Without it one reads its text. */
function diagram(text: string, _scene: RenderContext): Markup {
  return html`<figure class="diagram" data-diagram><pre tabindex="0"><code>${text}</code></pre></figure>`;
}
