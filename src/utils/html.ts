// HTML that cannot be broken into: everything that is put into a template is escaped, unless it is markup itself.

/** A piece of markup. */
export class Markup {
  constructor(readonly text: string) {}
}

export type HtmlValue = Markup | string | number | undefined | false | readonly HtmlValue[];

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands in HTML, in a text or in a quoted attribute. Most has nothing to escape. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (it) => escapes[it]!) : text;
}

function written(part: HtmlValue): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  let text = "";
  for (const inner of part) text += written(inner);
  return text;
}

/** Markup from a template. Lists are joined; what is undefined or false is left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlValue[]): Markup {
  let text = strings[0]!;
  for (let i = 0; i < parts.length; i++) text += written(parts[i]) + strings[i + 1]!;
  return new Markup(text);
}

/** A sentence in which `partitionCode` and **words** are marked. */
export function renderInlineMarkup(text: string): Markup {
  const parts = text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/);
  const marked = parts.map((part) => {
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    return html`${part}`;
  });
  return html`${marked}`;
}

/** A text of several paragraphs. */
export function renderParagraphs(text: string): Markup {
  return html`${text.split(/\n{2,}/).map((it) => html`<p>${renderInlineMarkup(it)}</p>`)}`;
}

/** JSON, indented, as a block of code. */
export function renderJsonBlock(value: unknown): Markup {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
