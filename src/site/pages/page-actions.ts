// What can be done with a page besides reading it: take it as Markdown or PDF, or open it in an assistant of somebody else.

import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import { toMarkdownUrl, toPdfUrl } from "../machine-readable/page-urls";
import type { PageContext } from "../request/request-context";

/** Assistants that take a question in their address. */
const ASSISTANTS = [
  { name: "ChatGPT", at: "https://chatgpt.com/?q=" },
  { name: "Claude", at: "https://claude.ai/new?q=" },
] as const;

/** The links below a page's title; undefined: the site offers none. */
export function renderPageActions({ urls }: Resources.PublishedPage, context: PageContext): Markup | undefined {
  const { customization, messages, toLocalUrl, isPublic, isExport } = context;
  const { markdown, externalAI } = customization.pageActions;
  if (urls.published === undefined) return undefined;
  const source = toMarkdownUrl(urls.published);
  const items = [
    markdown &&
      !isExport &&
      html`<button type="button" class="copy-page js-only" data-copy-from="${toMarkdownUrl(toLocalUrl(urls.published))}">${messages.copyPage}</button>`,
    markdown && html`<a href="${toMarkdownUrl(toLocalUrl(urls.published))}">${messages.asMarkdown}</a>`,
    // Printing is dear, and crawlers have the page itself.
    customization.pdf.enabled &&
      !isExport &&
      html`<a href="${toPdfUrl(toLocalUrl(urls.published))}" rel="nofollow">${messages.asPdf}</a>`,
    // Somebody else's server cannot read what is closed.
    externalAI &&
      isPublic &&
      !isExport &&
      ASSISTANTS.map(
        ({ name, at }) =>
          html`<a href="${at}${encodeURIComponent(`Read ${source}, I have questions about it.`)}" target="_blank" rel="noopener">${messages.openIn} ${name}</a>`,
      ),
  ].filter(Boolean);
  return items.length === 0 ? undefined : html`<p class="actions">${items}</p>`;
}
