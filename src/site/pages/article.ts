// A page of content as it stands in its frame: cover, title, text, what is told of it, and the pages around it.

import type { ContentRef } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import type { TreePage } from "../layout/layout-content";
import { renderLinkAttributes, sanitizeFileHref } from "../layout/links";
import { renderPageIcon } from "../layout/navigation";
import type { PageContext } from "../request/request-context";
import { renderPageActions } from "./page-actions";
import type { PageReferences } from "./references";

type Page = Resources.PublishedPage;

export function renderArticle(
  page: Page,
  {
    trail,
    references,
    body,
  }: {
    readonly trail: readonly TreePage[];
    readonly references: Pick<PageReferences, "resolveFile">;
    readonly body: Markup;
  },
  context: PageContext,
): Markup {
  return html`${renderCover(page, references)}<article>${renderBreadcrumbs(trail, context)}${renderArticleHeader(page, context)}${body}${renderArticleFooter(page, context)}</article>${page.layout?.pagination !== false && renderPagination(page, context)}`;
}

function renderCover(
  { cover, layout }: Page,
  { resolveFile }: Pick<PageReferences, "resolveFile">,
): Markup | undefined {
  if (!cover || layout?.cover === false) return undefined;
  const urlOf = (ref: ContentRef) => sanitizeFileHref(resolveFile(ref)?.url ?? "");
  const light = urlOf(cover.ref as ContentRef);
  const dark = cover.refDark && urlOf(cover.refDark as ContentRef);
  if (light === undefined) return undefined;
  // Where the picture is cut, in steps that the style sheet knows.
  const at = Math.min(10, Math.max(0, Math.round(((cover.yPos ?? 0) + 100) / 20)));
  const image = (url: string, theme: string) =>
    html`<img class="cover at-${at} ${theme}" src="${url}" alt="" fetchpriority="high">`;
  return html`<div class="covers ${layout?.coverSize === "full" ? "full" : "hero"}">${dark === undefined ? image(light, "") : [image(light, "in-light"), image(dark, "in-dark")]}</div>`;
}

function renderArticleHeader(page: Page, context: PageContext): Markup {
  const { title, description, layout } = page;
  return html`<header class="title">${layout?.title !== false && html`<h1>${renderPageIcon(page, context)}${title}</h1>`}${description && layout?.description !== false && html`<p class="lead">${description}</p>`}${renderPageActions(page, context)}</header>`;
}

function renderBreadcrumbs(trail: readonly TreePage[], { toLocalUrl, messages }: PageContext): Markup | undefined {
  const above = trail.slice(0, -1);
  if (above.length === 0) return undefined;
  return html`<nav aria-label="${messages.crumbs}"><ol class="crumbs">${above.map(({ title, kind, urls }) => html`<li>${kind === "group" || urls.published === undefined ? title : html`<a href="${toLocalUrl(urls.published)}">${title}</a>`}</li>`)}</ol></nav>`;
}

/** When the page was changed, and whether it helped. */
function renderArticleFooter(page: Page, context: PageContext): Markup | undefined {
  const { messages, customization, toSiteUrl } = context;
  if (page.layout?.metadata === false) return undefined;
  const day = page.updatedAt.slice(0, 10);
  const choice = (rating: "bad" | "ok" | "good", label: string) =>
    html`<button name="rating" value="${rating}">${label}</button>`;
  const feedback =
    customization.feedback.enabled &&
    !context.isExport &&
    html`<form class="feedback" method="post" action="${toSiteUrl("~octavo/feedback")}"><input type="hidden" name="page" value="${page.id}"><fieldset><legend>${messages.wasHelpful}</legend>${choice("good", messages.yes)}${choice("ok", messages.partly)}${choice("bad", messages.no)}</fieldset></form>`;
  return html`<footer class="about"><span>${messages.lastChanged} <time datetime="${page.updatedAt}">${day}</time></span>${page.editURL !== undefined && html`<a ${renderLinkAttributes(context, page.editURL)}>${messages.editPage}</a>`}${feedback}</footer>`;
}

/** The pages before and after this one, in the order of reading. */
function renderPagination(
  { previous, next }: Page,
  { customization, messages, toLocalUrl }: PageContext,
): Markup | undefined {
  if (!customization.pagination.enabled || (!previous && !next)) return undefined;
  const link = (page: Page["next"], name: "previous" | "next") =>
    page?.urls.published !== undefined &&
    html`<a class="${name}" rel="${name === "next" ? "next" : "prev"}" href="${toLocalUrl(page.urls.published)}"><span>${messages[name]}</span>${page.title}</a>`;
  return html`<nav class="around" aria-label="${messages.neighbours}">${link(previous, "previous")}${link(next, "next")}</nav>`;
}

/** The pages from the top of the tree to one. */
export function findPageTrail(tree: readonly TreePage[], id: string): readonly TreePage[] {
  for (const page of tree) {
    if (page.id === id) return [page];
    const below = findPageTrail(page.pages, id);
    if (below.length > 0) return [page, ...below];
  }
  return [];
}
