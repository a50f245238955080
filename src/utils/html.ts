// HTML templates that cannot be broken out of: every value is escaped, unless it is markup itself.

/** A piece of markup, which is not escaped again. */
export class Markup {
  constructor(readonly text: string) {}
}

export type HtmlValue = Markup | string | number | undefined | false | readonly HtmlValue[];

/** Creates markup from a template. Lists are joined; undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Markup {
  let text = strings[0]!;
  for (let i = 0; i < values.length; i++) text += renderHtmlValue(values[i]) + strings[i + 1]!;
  return new Markup(text);
}

function renderHtmlValue(value: HtmlValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  let text = "";
  for (const item of value) text += renderHtmlValue(item);
  return text;
}

/** Escapes the characters that begin a tag or a reference. Quotes stay, so the text may not stand in an attribute. */
export function escapeMarks(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character]!);
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for HTML, as content or inside a quoted attribute. */
export function escapeHtml(text: string): string {
  // Most texts have nothing to escape.
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character]!) : text;
}

/** Renders a sentence in which `code` and **strong** words are marked. */
export function renderInlineMarkup(text: string): Markup {
  const parts = text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/);
  const rendered = parts.map((part) => {
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    return html`${part}`;
  });
  return html`${rendered}`;
}

/** Renders a text of several paragraphs, which are separated by empty lines. */
export function renderParagraphs(text: string): Markup {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${renderInlineMarkup(paragraph)}</p>`)}`;
}
