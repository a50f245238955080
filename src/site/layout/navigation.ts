// The page tree with the menu of versions and languages above it, and the outline of the page.

import { html, type Markup } from "../../utils/html";
import { decodeEmoji } from "../icons/emoji";
import type { OutlineHeading } from "../pages/outline";
import type { PageContext } from "../request/request-context";
import type { LayoutContent, PublishedTreePage } from "./layout-content";
import { renderLinkAttributes } from "./links";

export function renderNavigation(context: PageContext, { tree, trail }: Pick<LayoutContent, "tree" | "trail">): Markup {
  const { siteSpaces, siteSpace, messages, toSiteUrl, toLocalUrl, resolved } = context;
  const openIds = new Set(trail.map(({ id }) => id));
  const close = html`<a class="close" href="#--text">${messages.close}</a>`;
  const pages = renderTreeBranch(tree, openIds, trail.at(-1)?.id, context);

  // The versions, languages or products of the current section. Each item opens the same page there, if it has it.
  const variants = siteSpaces.filter(({ section }) => section === siteSpace.section);
  const variantItems = variants.map(({ id, title, urls, space: { language } }) => {
    // The route `~octavo/to` finds out whether the variant has the page.
    const href = resolved.pagePath
      ? toSiteUrl(`~octavo/to?space=${encodeURIComponent(id)}&path=${encodeURIComponent(resolved.pagePath)}`)
      : toLocalUrl(urls.published ?? "");
    const lang = language === undefined ? undefined : html` lang="${language}" hreflang="${language}"`;
    const current = id === siteSpace.id && html` aria-current="true"`;
    return html`<li><a href="${href}"${lang}${current}>${title}</a></li>`;
  });
  const summary = html`<summary><span class="label">${messages.variants}</span> ${siteSpace.title}</summary>`;
  const variantMenu =
    variants.length > 1 && html`<details class="variants drop">${summary}<ul>${variantItems}</ul></details>`;
  return html`<nav id="--pages" aria-label="${messages.navigation}">${close}${variantMenu}${pages}</nav>
`;
}

/** Renders a level of the page tree, with the levels below it on the way to the current page. */
function renderTreeBranch(
  pages: readonly PublishedTreePage[],
  openIds: ReadonlySet<string>,
  currentId: string | undefined,
  context: PageContext,
): Markup | undefined {
  const visible = pages.filter(({ hidden }) => hidden !== true);
  if (visible.length === 0) return undefined;
  const items = visible.map((page) => {
    const isOpen = page.kind === "group" || openIds.has(page.id);
    const below = isOpen ? renderTreeBranch(page.pages, openIds, currentId, context) : undefined;
    const icon = renderPageIcon(page, context);
    if (page.kind === "group") {
      // In a large site, a group may be closed. Its title then leads to its first page.
      const isClosed = page.more === true && page.pages.length === 0 && page.urls.published !== undefined;
      const title = isClosed
        ? html`<a class="group" href="${context.toLocalUrl(page.urls.published!)}">${icon}${page.title}</a>`
        : html`<span class="group">${icon}${page.title}</span>`;
      return html`<li class="in-group">${title}${below}</li>`;
    }
    const attributes = renderLinkAttributes(context, page.href ?? page.urls.published ?? "");
    const current = page.id === currentId && html` aria-current="page"`;
    return html`<li><a ${attributes}${current}>${icon}<span>${page.title}</span></a>${below}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

/** Renders the emoji or the icon of a page. */
export function renderPageIcon(
  { emoji, icon }: Pick<PublishedTreePage, "emoji" | "icon">,
  { renderIcon }: Pick<PageContext, "renderIcon">,
): Markup | undefined {
  const inner = emoji ? html`${decodeEmoji(emoji)}` : icon ? renderIcon(icon) : undefined;
  return inner && html`<span class="sign" aria-hidden="true">${inner}</span>`;
}

/** Renders the headings of the page, if there are at least two. */
export function renderOutline(headings: readonly OutlineHeading[], { messages }: PageContext): Markup | undefined {
  if (headings.length < 2) return undefined;
  const items = headings.map(
    ({ id, text, isDeep }) => html`<li${isDeep && html` class="deep"`}><a href="#${id}">${text}</a></li>`,
  );
  const title = html`<h2 id="--outline-title">${messages.onThisPage}</h2>`;
  return html`<nav id="--outline" aria-labelledby="--outline-title">${title}<ul>${items}</ul></nav>
`;
}
