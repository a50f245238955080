// The article of a content page: cover, breadcrumbs, title, text, footer and pagination; and the outline of its headings.

import type { Block, BlockOf, ContentRef, Phrasing } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { formatDay } from "../../locales/format-message";
import { html, type Markup } from "../../utils/html";
import { getPlainText } from "../blocks/text";
import { type OutlineHeading, type PublishedTreePage, renderPageIcon } from "../layout/layout";
import { renderLinkAttributes, sanitizeFileHref } from "../layout/links";
import { addExtension } from "../machine-readable/page-urls";
import type { PageContext } from "../request/request-context";
import type { PageReferences } from "./block-context";

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
  const { customization, messages, toLocalUrl, isPublic, isExport } = context;
  const { title, description, layout, previous, next } = page;

  const resolveImage = (ref: unknown) => sanitizeFileHref(references.resolveFile(ref as ContentRef)?.url ?? "");
  const light = page.cover && layout?.cover !== false ? resolveImage(page.cover.ref) : undefined;
  const dark = page.cover?.refDark && resolveImage(page.cover.refDark);
  // The stylesheet has a class for each of eleven vertical positions.
  const position = Math.min(10, Math.max(0, Math.round(((page.cover?.yPos ?? 0) + 100) / 20)));
  const renderImage = (url: string, theme: string) =>
    html`<img class="cover at-${position} ${theme}" src="${url}" alt="" fetchpriority="high">`;
  const images =
    light !== undefined &&
    (dark === undefined ? renderImage(light, "") : [renderImage(light, "in-light"), renderImage(dark, "in-dark")]);
  const cover = images && html`<div class="covers ${layout?.coverSize === "full" ? "full" : "hero"}">${images}</div>`;

  const crumbs = trail.slice(0, -1).map((ancestor) => {
    const url = ancestor.kind === "group" ? undefined : ancestor.urls.published;
    return html`<li>${url === undefined ? ancestor.title : html`<a href="${toLocalUrl(url)}">${ancestor.title}</a>`}</li>`;
  });
  const breadcrumbs =
    crumbs.length > 0 && html`<nav aria-label="${messages.crumbs}"><ol class="crumbs">${crumbs}</ol></nav>`;

  const heading = layout?.title !== false && html`<h1>${renderPageIcon(page, context)}${title}</h1>`;
  const lead = description && layout?.description !== false && html`<p class="lead">${description}</p>`;
  const url = page.urls.published;
  const markdownUrl = url === undefined ? "" : addExtension(toLocalUrl(url), ".md");
  const question =
    url === undefined ? "" : encodeURIComponent(`Read ${addExtension(url, ".md")}, I have questions about it.`);
  const { markdown, externalAI } = customization.pageActions;
  const actions = [
    markdown &&
      !isExport &&
      html`<button type="button" class="copy-page js-only" data-copy-from="${markdownUrl}">${messages.copyPage}</button>`,
    markdown && html`<a href="${markdownUrl}">${messages.asMarkdown}</a>`,
    // Rendering a PDF is expensive, and crawlers have the page itself.
    url !== undefined &&
      customization.pdf.enabled &&
      !isExport &&
      html`<a href="${addExtension(toLocalUrl(url), ".pdf")}" rel="nofollow">${messages.asPdf}</a>`,
    // An external assistant can only read public pages.
    externalAI &&
      isPublic &&
      !isExport &&
      ASSISTANTS.map(
        (assistant) =>
          html`<a href="${assistant.url}${question}" target="_blank" rel="noopener">${messages.openIn} ${assistant.name}</a>`,
      ),
  ].filter(Boolean);
  const actionLine = url !== undefined && actions.length > 0 && html`<p class="actions">${actions}</p>`;
  const header = html`<header class="title">${heading}${lead}${actionLine}</header>`;
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
  const time = html`<time datetime="${page.updatedAt}">${formatDay(
    customization.internationalization.locale,
    page.updatedAt,
  )}</time>`;
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

/** Blocks whose headings are part of the outline. Headings in tabs and expandables may not be visible. */
const CONTAINERS = new Set<Block["type"]>(["if", "columns", "column", "stepper", "stepper-step", "updates", "update"]);

/**
 * Returns the headings of the two upper levels that have an id. `getBlockHeading` returns the heading of a block that has one of
 * its own, such as an operation of an API.
 */
export function buildOutline(
  nodes: readonly Block[],
  getBlockHeading: (block: Block) => OutlineHeading | undefined,
): OutlineHeading[] {
  return nodes.flatMap((block): OutlineHeading[] => {
    const heading = getBlockHeading(block);
    if (heading) return [heading];
    if ((block.type === "heading-1" || block.type === "heading-2") && block.meta?.id !== undefined) {
      const text = getPlainText((block.nodes as Phrasing[]) ?? []);
      return [{ id: block.meta.id, text, isDeep: block.type === "heading-2" }];
    }
    if (!CONTAINERS.has(block.type)) return [];
    return buildOutline((block as BlockOf<"hint">).nodes as Block[], getBlockHeading);
  });
}
