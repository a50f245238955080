// What the pages of the reference write beside plain markup: sentences with marks in them, and code.

import { html, type Markup } from "../../html";

export { escaped, html, Markup } from "../../html";

/** A sentence in which `code` and **words** are marked. */
export function sentence(text: string): Markup {
  const parts = text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/);
  const marked = parts.map((part) => {
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    return html`${part}`;
  });
  return html`${marked}`;
}

/** A text of several paragraphs. */
export function paragraphs(text: string): Markup {
  return html`${text.split(/\n{2,}/).map((it) => html`<p>${sentence(it)}</p>`)}`;
}

/** JSON, indented, as a block of code. */
export function jsonBlock(value: unknown): Markup {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
