// A page of content: what the API gives of it, put into the frame of its site.

import type { Block } from "../content/document";
import type * as Resources from "../generated/resources";
import { html, type Markup } from "../markup";
import { pageAnswer } from "./answer";
import { drawBlocks } from "./blocks/blocks";
import { frameOf } from "./frame/frame";
import type { TreeNode } from "./frame/framed";
import { outward, safeHref } from "./frame/links";
import { sign } from "./frame/navigation";
import { themeOf } from "./frame/theme";
import { outlineOf } from "./outline";
import { pageActions } from "./page-actions";
import { lookUpReferences, nameOf, type References } from "./references";
import type { Scene } from "./scene";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

type Page = Resources.PublishedPage;

/** The page that was found; undefined where it went away meanwhile. */
export async function contentPage(visit: Visit, pageId: string): Promise<KeptResponse | undefined> {
  const page = await visit.page(pageId, "document");
  if (!page) return undefined;
  const tree = await visit.tree(visit.siteSpace.id);
  const way = wayTo(tree, pageId);
  const nodes = (page.document?.nodes ?? []) as Block[];
  const references = await lookUpReferences([...nodes, ...coverOf(page)], visit, visit.tree);
  const { layout } = page;
  const text = frameOf(visit, {
    tree,
    way,
    outline: layout?.outline === false ? [] : outlineOf(nodes),
    title: page.title,
    description: page.description,
    canonical: page.urls.published,
    isIndexed: visit.profile.site.visibility === "public" && !page.noRobotsIndex,
    layout,
    main: html`${cover(page, references)}<article>${crumbs(way, visit)}${heading(page, visit)}${drawBlocks(nodes, sceneFor(visit, references))}${about(page, visit)}</article>${layout?.pagination !== false && around(tree, pageId, visit)}`,
  });
  return pageAnswer(text, { styles: [themeOf(visit.look)], holders: visit.isPublic ? "everybody" : "visitor" });
}

/** What the blocks of a page are drawn with. */
function sceneFor(visit: Visit, { places, files, included }: References): Scene {
  let last = 0;
  return {
    words: visit.words,
    place: (ref) => places.get(nameOf(ref)),
    link: (href) => outward(visit, href),
    file: (ref) => (ref.kind === "url" ? { url: safeHref(ref.url), name: ref.url } : files.get(nameOf(ref))),
    included: (ref) => included.get(nameOf(ref)),
    formula: (text) => html`<code>${text}</code>`,
    code: (lines) => lines.map((line) => html`${line}`),
    icon: visit.icon,
    block: () => html``,
    next: () => ++last,
  };
}

/** The cover's pictures, as a block that refers to them. */
function coverOf({ cover }: Page): Block[] {
  if (!cover) return [];
  const { ref, refDark } = cover as { ref: never; refDark?: never };
  return [{ object: "block", type: "image", data: { ref, ...(refDark ? { refDark } : {}) } }];
}

function cover({ cover, layout }: Page, { files }: References): Markup | undefined {
  if (!cover || layout?.cover === false) return undefined;
  const fileOf = (ref: typeof cover.ref) =>
    ref.kind === "url" ? safeHref(ref.url) : files.get(nameOf(ref as never))?.url;
  const light = fileOf(cover.ref);
  const dark = cover.refDark && fileOf(cover.refDark);
  if (light === undefined) return undefined;
  // Where the picture is cut, in steps that the style sheet knows.
  const at = Math.min(10, Math.max(0, Math.round(((cover.yPos ?? 0) + 100) / 20)));
  const image = (url: string, theme: string) =>
    html`<img class="cover at-${at} ${theme}" src="${url}" alt="" fetchpriority="high">`;
  return html`<div class="covers ${layout?.coverSize === "full" ? "full" : "hero"}">${dark === undefined ? image(light, "") : [image(light, "in-light"), image(dark, "in-dark")]}</div>`;
}

function heading(page: Page, visit: Visit): Markup {
  const { title, description, layout } = page;
  return html`<header class="title">${layout?.title !== false && html`<h1>${sign(page, visit)}${title}</h1>`}${description && layout?.description !== false && html`<p class="lead">${description}</p>`}${pageActions(page, visit)}</header>`;
}

function crumbs(way: readonly TreeNode[], { local, words }: Visit): Markup | undefined {
  const above = way.slice(0, -1);
  if (above.length === 0) return undefined;
  return html`<nav aria-label="${words.crumbs}"><ol class="crumbs">${above.map(({ title, kind, urls }) => html`<li>${kind === "group" || urls.published === undefined ? title : html`<a href="${local(urls.published)}">${title}</a>`}</li>`)}</ol></nav>`;
}

/** When the page was changed, and whether it helped. */
function about(page: Page, visit: Visit): Markup | undefined {
  const { words, look, own } = visit;
  if (page.layout?.metadata === false) return undefined;
  const day = page.updatedAt.slice(0, 10);
  const choice = (rating: "bad" | "ok" | "good", label: string) =>
    html`<button name="rating" value="${rating}">${label}</button>`;
  const feedback =
    look.feedback.enabled &&
    html`<form class="feedback" method="post" action="${own("~octavo/feedback")}"><input type="hidden" name="page" value="${page.id}"><fieldset><legend>${words.wasHelpful}</legend>${choice("good", words.yes)}${choice("ok", words.partly)}${choice("bad", words.no)}</fieldset></form>`;
  return html`<footer class="about"><span>${words.lastChanged} <time datetime="${page.updatedAt}">${day}</time></span>${feedback}</footer>`;
}

/** The pages before and after this one, in the order of reading. */
function around(tree: readonly TreeNode[], id: string, { look, words, local }: Visit): Markup | undefined {
  if (!look.pagination.enabled) return undefined;
  const order = [...inOrder(tree)];
  const at = order.findIndex((page) => page.id === id);
  const [before, after] = at < 0 ? [] : [order[at - 1], order[at + 1]];
  if (!before && !after) return undefined;
  const link = (page: TreeNode | undefined, name: "previous" | "next") =>
    page &&
    html`<a class="${name}" rel="${name === "next" ? "next" : "prev"}" href="${local(page.urls.published!)}"><span>${words[name]}</span>${page.title}</a>`;
  return html`<nav class="around" aria-label="${words.neighbours}">${link(before, "previous")}${link(after, "next")}</nav>`;
}

function* inOrder(pages: readonly TreeNode[]): Generator<TreeNode> {
  for (const page of pages) {
    if (page.hidden) continue;
    if (page.kind === "sheet" && page.urls.published !== undefined) yield page;
    yield* inOrder(page.pages);
  }
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
