// A page of content: what the API gives of it, put into the frame of its site.

import type { Block, Ref } from "../content/document";
import type * as Resources from "../generated/resources";
import { html, type Markup } from "../markup";
import { pageAnswer } from "./answer";
import { drawBlocks } from "./blocks/blocks";
import { frameOf, type TreeNode } from "./frame";
import { lookUpOthers } from "./others";
import { outlineOf } from "./outline";
import { lookUpReferences, nameOf } from "./references";
import type { Scene } from "./scene";
import type { KeptResponse } from "./shelf";
import { themeOf } from "./theme";
import type { Visit } from "./visit";

type Page = Resources.PublishedPage;

/** The page that was found; undefined where it went away meanwhile. */
export async function contentPage(visit: Visit, pageId: string): Promise<KeptResponse | undefined> {
  const page = await visit.page(pageId, "document");
  if (!page) return undefined;
  const tree = await visit.tree(visit.siteSpace.id);
  const way = wayTo(tree, pageId);
  const nodes = (page.document?.nodes ?? []) as Block[];
  const { scene, others } = await sceneFor(visit, page);
  const main = html`<article>${crumbs(way, visit)}${heading(page, visit)}${drawBlocks(nodes, scene)}</article>${around(tree, pageId, visit)}${others.scripts}`;
  const text = frameOf(visit, {
    tree,
    way,
    outline: page.layout?.outline === false ? [] : outlineOf(nodes),
    title: page.title,
    description: page.description,
    canonical: page.urls.published,
    isIndexed: visit.profile.site.visibility === "public" && !page.noRobotsIndex,
    layout: page.layout,
    main,
  });
  return pageAnswer(text, {
    styles: [themeOf(visit.look)],
    ...others.allowed,
    holders: visit.isPublic ? "everybody" : "visitor",
  });
}

/** What the blocks of a page are drawn with. */
async function sceneFor(visit: Visit, page: Page) {
  const { words } = visit;
  const nodes = (page.document?.nodes ?? []) as Block[];
  const { places, files, included } = await lookUpReferences(nodes, visit, visit.tree);
  const contents = (ref: Ref) => included.get(nameOf(ref));
  const others = await lookUpOthers({ id: page.id, nodes, included: contents }, visit);
  let last = 0;
  const scene: Scene = {
    words,
    place: (ref) => places.get(nameOf(ref)),
    file: (ref) => (ref.kind === "url" ? { url: ref.url, name: ref.url } : files.get(nameOf(ref))),
    included: contents,
    formula: (text) => html`<code>${text}</code>`,
    code: (lines) => lines.map((line) => html`${line}`),
    icon: () => undefined,
    block: (block) => others.draw(block, scene),
    next: () => ++last,
  };
  return { scene, others };
}

function heading({ title, description, layout }: Page, _visit: Visit): Markup {
  return html`${layout?.title !== false && html`<h1>${title}</h1>`}${description && layout?.description !== false && html`<p class="lead">${description}</p>`}`;
}

function crumbs(way: readonly TreeNode[], { local }: Visit): Markup | undefined {
  const above = way.slice(0, -1);
  if (above.length === 0) return undefined;
  return html`<ol class="crumbs">${above.map(({ title, urls }) => html`<li>${urls.published === undefined ? title : html`<a href="${local(urls.published)}">${title}</a>`}</li>`)}</ol>`;
}

/** The pages before and after this one, in the order of reading. */
function around(tree: readonly TreeNode[], id: string, { look, words, local }: Visit): Markup | undefined {
  if (!look.pagination.enabled) return undefined;
  const order = [...inOrder(tree)];
  const at = order.findIndex((page) => page.id === id);
  const [before, after] = at < 0 ? [] : [order[at - 1], order[at + 1]];
  const link = (page: TreeNode | undefined, name: "previous" | "next") =>
    page &&
    html`<a class="${name}" rel="${name === "next" ? "next" : "prev"}" href="${local(page.urls.published!)}"><span>${words[name]}</span>${page.title}</a>`;
  return html`<nav class="around" aria-label="${words.next}">${link(before, "previous")}${link(after, "next")}</nav>`;
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
