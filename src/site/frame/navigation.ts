// The tree of pages beside the text, with the choice between versions and languages above it; and the list of headings.

import { html, type Markup } from "../../utils/html";
import { emojiOf } from "../emoji";
import type { Heading } from "../outline";
import type { Drawing, SiteSpace } from "../visit";
import type { Framed, TreeNode } from "./framed";
import { outward } from "./links";

export function navigation(visit: Drawing, { tree, way }: Pick<Framed, "tree" | "way">): Markup {
  const open = new Set(way.map(({ id }) => id));
  return html`<nav id="--pages" aria-label="${visit.words.navigation}"><a class="close" href="#--text">${visit.words.close}</a>${variants(visit)}${branch(tree, open, way.at(-1)?.id, visit)}</nav>
`;
}

/** The site-spaces beside the one that is read: versions, languages or products. Each leads to the same page where it has it. */
function variants(visit: Drawing): Markup | undefined {
  const { siteSpaces, siteSpace, words } = visit;
  const beside = siteSpaces.filter(({ section }) => section === siteSpace.section);
  if (beside.length < 2) return undefined;
  const item = (it: SiteSpace) => {
    const language = it.space.language;
    const marks = it.id === siteSpace.id ? html` aria-current="true"` : undefined;
    const tongue = language === undefined ? undefined : html` lang="${language}" hreflang="${language}"`;
    return html`<li><a href="${toVariant(visit, it)}"${tongue}${marks}>${it.title}</a></li>`;
  };
  return html`<details class="variants drop"><summary><span class="label">${words.variants}</span> ${siteSpace.title}</summary><ul>${beside.map(item)}</ul></details>`;
}

/** Where the choice of a site-space leads: to the reader's own route, which knows whether the page is there. */
function toVariant({ own, local, found }: Drawing, { id, urls }: SiteSpace): string {
  if (!found.pagePath) return local(urls.published ?? "");
  return own(`~octavo/to?space=${encodeURIComponent(id)}&path=${encodeURIComponent(found.pagePath)}`);
}

/** The tree of pages, open along the way to the one that is shown. */
function branch(
  pages: readonly TreeNode[],
  open: ReadonlySet<string>,
  current: string | undefined,
  visit: Drawing,
): Markup | undefined {
  const shown = pages.filter(({ hidden }) => hidden !== true);
  if (shown.length === 0) return undefined;
  return html`<ul>${shown.map((page) => {
    const inner = page.kind === "group" || open.has(page.id) ? branch(page.pages, open, current, visit) : undefined;
    if (page.kind === "group") return html`<li class="in-group">${groupName(page, visit)}${inner}</li>`;
    const address = page.href ?? page.urls.published ?? "";
    return html`<li><a ${outward(visit, address)}${page.id === current && html` aria-current="page"`}>${sign(page, visit)}<span>${page.title}</span></a>${inner}</li>`;
  })}</ul>`;
}

/** The name of a group. One that is closed, because a site has many pages, leads to its first page. */
function groupName(page: TreeNode, visit: Drawing): Markup {
  const name = html`${sign(page, visit)}${page.title}`;
  const isClosed = page.more === true && page.pages.length === 0 && page.urls.published !== undefined;
  return isClosed
    ? html`<a class="group" href="${visit.local(page.urls.published!)}">${name}</a>`
    : html`<span class="group">${name}</span>`;
}

/** The sign of a page. */
export function sign(
  { emoji, icon }: Pick<TreeNode, "emoji" | "icon">,
  { icon: drawn }: Pick<Drawing, "icon">,
): Markup | undefined {
  const inner = emoji ? html`${emojiOf(emoji)}` : icon ? drawn(icon) : undefined;
  return inner && html`<span class="sign" aria-hidden="true">${inner}</span>`;
}

/** The headings of the page. One alone is no list. */
export function outline(headings: readonly Heading[], { words }: Drawing): Markup | undefined {
  if (headings.length < 2) return undefined;
  const items = headings.map(
    ({ id, text, isDeep }) => html`<li${isDeep && html` class="deep"`}><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav id="--outline" aria-labelledby="--outline-title"><h2 id="--outline-title">${words.onThisPage}</h2><ul>${items}</ul></nav>
`;
}
