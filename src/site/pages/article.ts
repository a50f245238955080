// The article of a content page: cover, breadcrumbs, title, text, footer and pagination.

import type { ContentRef } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import type { PublishedTreePage } from "../layout/layout-content";
import { renderLinkAttributes, sanitizeFileHref } from "../layout/links";
import { renderPageIcon } from "../layout/navigation";
import { toMarkdownUrl, toPdfUrl } from "../machine-readable/page-urls";
import type { PageContext } from "../request/request-context";
import type { PageReferences } from "./references";

/** Assistants that take a question in their URL. */
const ASSISTANTS = [
  { name: "ChatGPT", url: "https://chatgpt.com/?q=" },
  { name: "Claude", url: "https://claude.ai/new?q=" },
] as const;

interface ArticleContent {
  /** The pages from the top of the tree to this one. */
  readonly trail: readonly PublishedTreePage[];
  readonly references: Pick<PageReferences, "resolveFile">;
  readonly body: Markup;
}

export function renderArticle(
  page: Resources.PublishedPage,
  { trail, references, body }: ArticleContent,
  context: PageContext,
): Markup {
  const { customization, messages, toLocalUrl } = context;
  const { title, description, layout, previous, next } = page;
  const cover = renderCover(page, references);

  const crumbs = trail.slice(0, -1).map((ancestor) => {
    const url = ancestor.kind === "group" ? undefined : ancestor.urls.published;
    return html`<li>${url === undefined ? ancestor.title : html`<a href="${toLocalUrl(url)}">${ancestor.title}</a>`}</li>`;
  });
  const breadcrumbs =
    crumbs.length > 0 && html`<nav aria-label="${messages.crumbs}"><ol class="crumbs">${crumbs}</ol></nav>`;

  const heading = layout?.title !== false && html`<h1>${renderPageIcon(page, context)}${title}</h1>`;
  const lead = description && layout?.description !== false && html`<p class="lead">${description}</p>`;
  const header = html`<header class="title">${heading}${lead}${renderPageActions(page, context)}</header>`;
  const article = html`<article>${breadcrumbs}${header}${body}${renderArticleFooter(page, context)}</article>`;

  const isPaginated = layout?.pagination !== false && customization.pagination.enabled && (previous || next);
  if (!isPaginated) return html`${cover}${article}`;
  const renderNeighborLink = (neighbor: typeof next, name: "previous" | "next") =>
    neighbor?.urls.published !== undefined &&
    html`<a class="${name}" rel="${name === "next" ? "next" : "prev"}" href="${toLocalUrl(neighbor.urls.published)}"><span>${
      messages[name]
    }</span>${neighbor.title}</a>`;
  const links = html`${renderNeighborLink(previous, "previous")}${renderNeighborLink(next, "next")}`;
  return html`${cover}${article}<nav class="around" aria-label="${messages.neighbours}">${links}</nav>`;
}

function renderCover(
  { cover, layout }: Resources.PublishedPage,
  { resolveFile }: Pick<PageReferences, "resolveFile">,
): Markup | undefined {
  if (!cover || layout?.cover === false) return undefined;
  const resolveImage = (ref: ContentRef) => sanitizeFileHref(resolveFile(ref)?.url ?? "");
  const light = resolveImage(cover.ref as ContentRef);
  const dark = cover.refDark && resolveImage(cover.refDark as ContentRef);
  if (light === undefined) return undefined;
  // The stylesheet has a class for each of eleven vertical positions.
  const position = Math.min(10, Math.max(0, Math.round(((cover.yPos ?? 0) + 100) / 20)));
  const renderImage = (url: string, theme: string) =>
    html`<img class="cover at-${position} ${theme}" src="${url}" alt="" fetchpriority="high">`;
  const images =
    dark === undefined ? renderImage(light, "") : [renderImage(light, "in-light"), renderImage(dark, "in-dark")];
  return html`<div class="covers ${layout?.coverSize === "full" ? "full" : "hero"}">${images}</div>`;
}

/** Renders the links below the title of a page. Returns undefined if the site offers none. */
function renderPageActions({ urls }: Resources.PublishedPage, context: PageContext): Markup | undefined {
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

/** Renders the date of the last change, the link to edit the page, and the feedback form. */
function renderArticleFooter(page: Resources.PublishedPage, context: PageContext): Markup | undefined {
  const { messages, customization, toSiteUrl } = context;
  if (page.layout?.metadata === false) return undefined;
  const renderChoice = (rating: "bad" | "ok" | "good", label: string) =>
    html`<button name="rating" value="${rating}">${label}</button>`;
  const choices = [
    renderChoice("good", messages.yes),
    renderChoice("ok", messages.partly),
    renderChoice("bad", messages.no),
  ];
  const question = html`<fieldset><legend>${messages.wasHelpful}</legend>${choices}</fieldset>`;
  const fields = html`<input type="hidden" name="page" value="${page.id}">${question}`;
  const feedback =
    customization.feedback.enabled &&
    !context.isExport &&
    html`<form class="feedback" method="post" action="${toSiteUrl("~octavo/feedback")}">${fields}</form>`;
  const time = html`<time datetime="${page.updatedAt}">${page.updatedAt.slice(0, 10)}</time>`;
  const editLink =
    page.editURL !== undefined && html`<a ${renderLinkAttributes(context, page.editURL)}>${messages.editPage}</a>`;
  return html`<footer class="about"><span>${messages.lastChanged} ${time}</span>${editLink}${feedback}</footer>`;
}

/** Returns the pages from the top of the tree to the page with this id, or none if the tree does not contain it. */
export function findPageTrail(tree: readonly PublishedTreePage[], id: string): readonly PublishedTreePage[] {
  for (const page of tree) {
    if (page.id === id) return [page];
    const trail = findPageTrail(page.pages, id);
    if (trail.length > 0) return [page, ...trail];
  }
  return [];
}
