// The top of every page: announcement, logo, links, search, and the sections of the site. A browser may paint it before the rest
// of the page has arrived, so nothing that comes later moves it: `.home` is as high as the row, and `.tools` has a fixed width.

import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderLinkAttributes } from "./links";

const THEME_ICON_PATH = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8a5.4 5.4 0 0 1 0-10.8z";
const THEME_ICON = html`<svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="${THEME_ICON_PATH}"/></svg>`;

/** Renders the announcement above the header, or returns undefined if there is none. */
export function renderAnnouncement(context: PageContext): Markup | undefined {
  const { announcement } = context.customization;
  if (!announcement?.enabled || announcement.message === "") return undefined;
  const { style, message, link } = announcement;
  const anchor = link?.url !== undefined && html` <a ${renderLinkAttributes(context, link.url)}>${link.title}</a>`;
  const label = context.messages.note;
  return html`<div class="announcement ${style}" role="region" aria-label="${label}">${message}${anchor}</div>
`;
}

export function renderHeader(
  context: PageContext,
  siteTitle: string,
  { searchQuery, hasContents }: { readonly searchQuery: string | undefined; readonly hasContents: boolean },
): Markup {
  const { customization, toSiteUrl, messages } = context;
  const { logo, links, preset } = customization.header;
  const renderLogo = (url: string, theme: string) =>
    html`<img class="${theme}" src="${url}" alt="${siteTitle}" height="32">`;
  const image = logo && html`${renderLogo(logo.light, "in-light")}${renderLogo(logo.dark, "in-dark")}`;
  const menu = hasContents && html`<a class="menu" href="#--pages">${messages.menu}</a>`;
  const home = html`<a class="home" href="${toSiteUrl("")}">${image ?? siteTitle}</a>`;

  // Each item is a link, or a menu if there are links below it.
  const shownLinks =
    preset === "none" ? [] : links.filter(({ url, links: below }) => url !== undefined || below.length > 0);
  const items = shownLinks.map((link) => {
    const below = link.links.filter(({ url }) => url !== undefined);
    const className =
      link.style === "link"
        ? undefined
        : html` class="button ${link.style === "button-primary" ? "primary" : "secondary"}"`;
    if (below.length === 0)
      return html`<li><a${className} ${renderLinkAttributes(context, link.url ?? "")}>${link.title}</a></li>`;
    // A menu opens when its title is pressed, so the link of the title becomes its first item.
    const menuItems = [...(link.url === undefined ? [] : [{ title: link.title, url: link.url }]), ...below].map(
      ({ title, url }) => html`<li><a ${renderLinkAttributes(context, url!)}>${title}</a></li>`,
    );
    return html`<li><details class="drop"><summary${className}>${link.title}</summary><ul>${menuItems}</ul></details></li>`;
  });
  const navigation =
    items.length > 0 &&
    html`<nav class="links" aria-label="${messages.links}"><ul>${items}</ul></nav>
`;

  const value = searchQuery !== undefined && html` value="${searchQuery}"`;
  const label = html`placeholder="${messages.search}" aria-label="${messages.search}"`;
  const input = html`<input type="search" name="q"${value} ${label} maxlength="512">`;
  const search =
    !context.isExport &&
    html`<form class="search" role="search" action="${toSiteUrl("~octavo/search")}">${input}</form>`;
  const theme =
    customization.themes.toggeable &&
    html`<button type="button" class="theme js-only" aria-label="${messages.lightOrDark}">${THEME_ICON}</button>`;
  return html`<header class="top${preset === "none" && " bare"}">${menu}${home}
${navigation}<div class="tools">${search}${theme}</div></header>
`;
}

/** Renders the sections of a site as tabs, and groups of sections as menus. */
export function renderSectionTabs({
  profile: { structure },
  siteSpace,
  toLocalUrl,
  messages,
}: PageContext): Markup | undefined {
  if (structure.type !== "sections") return undefined;
  const entries: readonly (Resources.SiteSection | Resources.SiteSectionGroup)[] = structure.structure;
  if (entries.length < 2 && entries[0]?.object !== "site-section-group") return undefined;
  const isCurrent = ({ id }: Resources.SiteSection) => id === siteSpace.section;
  const renderItem = (section: Resources.SiteSection) =>
    html`<li><a href="${toLocalUrl(section.urls.published ?? "")}"${
      isCurrent(section) && html` aria-current="true"`
    }>${section.title}</a></li>`;
  const items = entries.map((entry) => {
    if (entry.object === "site-section") return renderItem(entry);
    const className = entry.sections.some(isCurrent) && html` class="current"`;
    const list = html`<ul>${entry.sections.map(renderItem)}</ul>`;
    return html`<li><details class="drop"><summary${className}>${entry.title}</summary>${list}</details></li>`;
  });
  return html`<nav class="sections" aria-label="${messages.sections}"><ul>${items}</ul></nav>
`;
}
