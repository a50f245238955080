// The tree of pages beside the text, with the choice between versions and languages above it; and the list of headings.

import { html, type Markup } from "../../utils/html";
import { decodeEmoji } from "../icons/emoji";
import type { OutlineHeading } from "../pages/outline";
import type { PageContext, SiteSpace } from "../request/request-context";
import type { LayoutContent, TreePage } from "./layout-content";
import { renderLinkAttributes } from "./links";

export function renderNavigation(context: PageContext, { tree, trail }: Pick<LayoutContent, "tree" | "trail">): Markup {
  const open = new Set(trail.map(({ id }) => id));
  return html`<nav id="--pages" aria-label="${context.messages.navigation}"><a class="close" href="#--text">${context.messages.close}</a>${renderVariantMenu(context)}${renderTreeBranch(tree, open, trail.at(-1)?.id, context)}</nav>
`;
}

/** The site-spaces beside the one that is read: versions, languages or products. Each leads to the same page where it has it. */
function renderVariantMenu(context: PageContext): Markup | undefined {
  const { siteSpaces, siteSpace, messages } = context;
  const beside = siteSpaces.filter(({ section }) => section === siteSpace.section);
  if (beside.length < 2) return undefined;
  const item = (it: SiteSpace) => {
    const language = it.space.language;
    const marks = it.id === siteSpace.id ? html` aria-current="true"` : undefined;
    const tongue = language === undefined ? undefined : html` lang="${language}" hreflang="${language}"`;
    return html`<li><a href="${buildVariantUrl(context, it)}"${tongue}${marks}>${it.title}</a></li>`;
  };
  return html`<details class="variants drop"><summary><span class="label">${messages.variants}</span> ${siteSpace.title}</summary><ul>${beside.map(item)}</ul></details>`;
}

/** Where the choice of a site-space leads: to the reader's own route, which knows whether the page is there. */
function buildVariantUrl({ toSiteUrl, toLocalUrl, resolved }: PageContext, { id, urls }: SiteSpace): string {
  if (!resolved.pagePath) return toLocalUrl(urls.published ?? "");
  return toSiteUrl(`~octavo/to?space=${encodeURIComponent(id)}&path=${encodeURIComponent(resolved.pagePath)}`);
}

/** The tree of pages, open along the way to the one that is shown. */
function renderTreeBranch(
  pages: readonly TreePage[],
  open: ReadonlySet<string>,
  current: string | undefined,
  context: PageContext,
): Markup | undefined {
  const shown = pages.filter(({ hidden }) => hidden !== true);
  if (shown.length === 0) return undefined;
  return html`<ul>${shown.map((page) => {
    const inner =
      page.kind === "group" || open.has(page.id) ? renderTreeBranch(page.pages, open, current, context) : undefined;
    if (page.kind === "group") return html`<li class="in-group">${renderGroupTitle(page, context)}${inner}</li>`;
    const address = page.href ?? page.urls.published ?? "";
    return html`<li><a ${renderLinkAttributes(context, address)}${page.id === current && html` aria-current="page"`}>${renderPageIcon(page, context)}<span>${page.title}</span></a>${inner}</li>`;
  })}</ul>`;
}

/** The name of a group. One that is closed, because a site has many pages, leads to its first page. */
function renderGroupTitle(page: TreePage, context: PageContext): Markup {
  const name = html`${renderPageIcon(page, context)}${page.title}`;
  const isClosed = page.more === true && page.pages.length === 0 && page.urls.published !== undefined;
  return isClosed
    ? html`<a class="group" href="${context.toLocalUrl(page.urls.published!)}">${name}</a>`
    : html`<span class="group">${name}</span>`;
}

/** The sign of a page. */
export function renderPageIcon(
  { emoji, icon }: Pick<TreePage, "emoji" | "icon">,
  { renderIcon: drawn }: Pick<PageContext, "renderIcon">,
): Markup | undefined {
  const inner = emoji ? html`${decodeEmoji(emoji)}` : icon ? drawn(icon) : undefined;
  return inner && html`<span class="sign" aria-hidden="true">${inner}</span>`;
}

/** The headings of the page. One alone is no list. */
export function renderOutline(headings: readonly OutlineHeading[], { messages }: PageContext): Markup | undefined {
  if (headings.length < 2) return undefined;
  const items = headings.map(
    ({ id, text, isDeep }) => html`<li${isDeep && html` class="deep"`}><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav id="--outline" aria-labelledby="--outline-title"><h2 id="--outline-title">${messages.onThisPage}</h2><ul>${items}</ul></nav>
`;
}
