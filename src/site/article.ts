// A page of content as it stands in its frame: cover, title, text, what is told of it, and the pages around it.

import type { ContentRef } from "../content/document";
import type * as Resources from "../generated/resources";
import { html, type Markup } from "../utils/html";
import type { TreeNode } from "./frame/framed";
import { fileHref, outward } from "./frame/links";
import { sign } from "./frame/navigation";
import { pageActions } from "./page-actions";
import type { References } from "./references";
import type { Drawing } from "./visit";

type Page = Resources.PublishedPage;

export function articleOf(
  page: Page,
  {
    way,
    references,
    body,
  }: {
    readonly way: readonly TreeNode[];
    readonly references: Pick<References, "file">;
    readonly body: Markup;
  },
  visit: Drawing,
): Markup {
  return html`${cover(page, references)}<article>${crumbs(way, visit)}${heading(page, visit)}${body}${about(page, visit)}</article>${page.layout?.pagination !== false && around(page, visit)}`;
}

function cover({ cover, layout }: Page, { file }: Pick<References, "file">): Markup | undefined {
  if (!cover || layout?.cover === false) return undefined;
  const urlOf = (ref: ContentRef) => fileHref(file(ref)?.url ?? "");
  const light = urlOf(cover.ref as ContentRef);
  const dark = cover.refDark && urlOf(cover.refDark as ContentRef);
  if (light === undefined) return undefined;
  // Where the picture is cut, in steps that the style sheet knows.
  const at = Math.min(10, Math.max(0, Math.round(((cover.yPos ?? 0) + 100) / 20)));
  const image = (url: string, theme: string) =>
    html`<img class="cover at-${at} ${theme}" src="${url}" alt="" fetchpriority="high">`;
  return html`<div class="covers ${layout?.coverSize === "full" ? "full" : "hero"}">${dark === undefined ? image(light, "") : [image(light, "in-light"), image(dark, "in-dark")]}</div>`;
}

function heading(page: Page, visit: Drawing): Markup {
  const { title, description, layout } = page;
  return html`<header class="title">${layout?.title !== false && html`<h1>${sign(page, visit)}${title}</h1>`}${description && layout?.description !== false && html`<p class="lead">${description}</p>`}${pageActions(page, visit)}</header>`;
}

function crumbs(way: readonly TreeNode[], { local, words }: Drawing): Markup | undefined {
  const above = way.slice(0, -1);
  if (above.length === 0) return undefined;
  return html`<nav aria-label="${words.crumbs}"><ol class="crumbs">${above.map(({ title, kind, urls }) => html`<li>${kind === "group" || urls.published === undefined ? title : html`<a href="${local(urls.published)}">${title}</a>`}</li>`)}</ol></nav>`;
}

/** When the page was changed, and whether it helped. */
function about(page: Page, visit: Drawing): Markup | undefined {
  const { words, look, own } = visit;
  if (page.layout?.metadata === false) return undefined;
  const day = page.updatedAt.slice(0, 10);
  const choice = (rating: "bad" | "ok" | "good", label: string) =>
    html`<button name="rating" value="${rating}">${label}</button>`;
  const feedback =
    look.feedback.enabled &&
    !visit.isFile &&
    html`<form class="feedback" method="post" action="${own("~octavo/feedback")}"><input type="hidden" name="page" value="${page.id}"><fieldset><legend>${words.wasHelpful}</legend>${choice("good", words.yes)}${choice("ok", words.partly)}${choice("bad", words.no)}</fieldset></form>`;
  return html`<footer class="about"><span>${words.lastChanged} <time datetime="${page.updatedAt}">${day}</time></span>${page.editURL !== undefined && html`<a ${outward(visit, page.editURL)}>${words.editPage}</a>`}${feedback}</footer>`;
}

/** The pages before and after this one, in the order of reading. */
function around({ previous, next }: Page, { look, words, local }: Drawing): Markup | undefined {
  if (!look.pagination.enabled || (!previous && !next)) return undefined;
  const link = (page: Page["next"], name: "previous" | "next") =>
    page?.urls.published !== undefined &&
    html`<a class="${name}" rel="${name === "next" ? "next" : "prev"}" href="${local(page.urls.published)}"><span>${words[name]}</span>${page.title}</a>`;
  return html`<nav class="around" aria-label="${words.neighbours}">${link(previous, "previous")}${link(next, "next")}</nav>`;
}

/** The pages from the top of the tree to one. */
export function wayTo(tree: readonly TreeNode[], id: string): readonly TreeNode[] {
  for (const page of tree) {
    if (page.id === id) return [page];
    const below = wayTo(page.pages, id);
    if (below.length > 0) return [page, ...below];
  }
  return [];
}
