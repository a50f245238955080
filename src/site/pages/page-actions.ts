// The actions of a page: copy it as Markdown, open it as Markdown or PDF, or ask an external assistant about it.

import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import { toMarkdownUrl, toPdfUrl } from "../machine-readable/page-urls";
import type { PageContext } from "../request/request-context";

/** Assistants that take a question in their URL. */
const ASSISTANTS = [
  { name: "ChatGPT", url: "https://chatgpt.com/?q=" },
  { name: "Claude", url: "https://claude.ai/new?q=" },
] as const;

/** Renders the links below the title of a page. Returns undefined if the site offers none. */
export function renderPageActions({ urls }: Resources.PublishedPage, context: PageContext): Markup | undefined {
  const { customization, messages, toLocalUrl, isPublic, isExport } = context;
  const { markdown, externalAI } = customization.pageActions;
  if (urls.published === undefined) return undefined;
  const markdownUrl = toMarkdownUrl(toLocalUrl(urls.published));
  const question = encodeURIComponent(`Read ${toMarkdownUrl(urls.published)}, I have questions about it.`);
  const items = [
    markdown &&
      !isExport &&
      html`<button type="button" class="copy-page js-only" data-copy-from="${markdownUrl}">${messages.copyPage}</button>`,
    markdown && html`<a href="${markdownUrl}">${messages.asMarkdown}</a>`,
    // Rendering a PDF is expensive, and crawlers have the page itself.
    customization.pdf.enabled &&
      !isExport &&
      html`<a href="${toPdfUrl(toLocalUrl(urls.published))}" rel="nofollow">${messages.asPdf}</a>`,
    // An external assistant can only read public pages.
    externalAI &&
      isPublic &&
      !isExport &&
      ASSISTANTS.map(
        ({ name, url }) =>
          html`<a href="${url}${question}" target="_blank" rel="noopener">${messages.openIn} ${name}</a>`,
      ),
  ].filter(Boolean);
  return items.length === 0 ? undefined : html`<p class="actions">${items}</p>`;
}
