// What can be done with a page besides reading it: take it as Markdown or PDF, or open it in an assistant of somebody else.

import type * as Resources from "../generated/resources";
import { html, type Markup } from "../utils/html";
import { markdownAddress, pdfAddress } from "./machines/addresses";
import type { Drawing } from "./visit";

/** Assistants that take a question in their address. */
const ASSISTANTS = [
  { name: "ChatGPT", at: "https://chatgpt.com/?q=" },
  { name: "Claude", at: "https://claude.ai/new?q=" },
] as const;

/** The links below a page's title; undefined: the site offers none. */
export function pageActions({ urls }: Resources.PublishedPage, visit: Drawing): Markup | undefined {
  const { look, words, local, isPublic, isFile } = visit;
  const { markdown, externalAI } = look.pageActions;
  if (urls.published === undefined) return undefined;
  const source = markdownAddress(urls.published);
  const items = [
    markdown &&
      !isFile &&
      html`<button type="button" class="copy-page js-only" data-copy-from="${markdownAddress(local(urls.published))}">${words.copyPage}</button>`,
    markdown && html`<a href="${markdownAddress(local(urls.published))}">${words.asMarkdown}</a>`,
    // Printing is dear, and crawlers have the page itself.
    look.pdf.enabled &&
      !isFile &&
      html`<a href="${pdfAddress(local(urls.published))}" rel="nofollow">${words.asPdf}</a>`,
    // Somebody else's server cannot read what is closed.
    externalAI &&
      isPublic &&
      !isFile &&
      ASSISTANTS.map(
        ({ name, at }) =>
          html`<a href="${at}${encodeURIComponent(`Read ${source}, I have questions about it.`)}" target="_blank" rel="noopener">${words.openIn} ${name}</a>`,
      ),
  ].filter(Boolean);
  return items.length === 0 ? undefined : html`<p class="actions">${items}</p>`;
}
