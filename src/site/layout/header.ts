// The top of every page: announcement, logo, links, search, and the sections of the site. A browser may draw it before it has
// read all of it. So nothing that comes later moves what is there: `.home` is as high as the row will be, and `.tools` has its
// width from the start.

import type * as Resources from "../../generated/resources";
import { html, type Markup } from "../../utils/html";
import type { PageContext } from "../request/request-context";
import { renderLinkAttributes } from "./links";

/** A sentence over everything. */
export function renderAnnouncement(context: PageContext): Markup | undefined {
  const { announcement: it } = context.customization;
  if (!it?.enabled || it.message === "") return undefined;
  const link = it.link?.url === undefined ? undefined : renderLinkAttributes(context, it.link.url);
  return html`<div class="announcement ${it.style}" role="region" aria-label="${context.messages.note}">${it.message}${link && html` <a ${link}>${it.link!.title}</a>`}</div>
`;
}

export function renderHeader(
  context: PageContext,
  siteTitle: string,
  { asked, hasContents }: { readonly asked: string | undefined; readonly hasContents: boolean },
): Markup {
  const { customization, toSiteUrl, messages } = context;
  const { logo, links, preset } = customization.header;
  const image =
    logo &&
    html`<img class="in-light" src="${logo.light}" alt="${siteTitle}" height="32"><img class="in-dark" src="${logo.dark}" alt="${siteTitle}" height="32">`;
  const theme =
    customization.themes.toggeable &&
    html`<button type="button" class="theme js-only" aria-label="${messages.lightOrDark}"><svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8a5.4 5.4 0 0 1 0-10.8z"/></svg></button>`;
  const shown = preset === "none" ? [] : links.filter((link) => link.url !== undefined || link.links.length > 0);
  return html`<header class="top${preset === "none" && " bare"}">${hasContents && html`<a class="menu" href="#--pages">${messages.menu}</a>`}<a class="home" href="${toSiteUrl("")}">${image ?? siteTitle}</a>
${
  shown.length > 0 &&
  html`<nav class="links" aria-label="${messages.links}"><ul>${shown.map((link) => html`<li>${renderHeaderLink(context, link)}</li>`)}</ul></nav>
`
}<div class="tools">${!context.isExport && html`<form class="search" role="search" action="${toSiteUrl("~octavo/search")}"><input type="search" name="q"${asked !== undefined && html` value="${asked}"`} placeholder="${messages.search}" aria-label="${messages.search}" maxlength="512"></form>`}${theme}</div></header>
`;
}

type HeaderLink = Resources.SiteCustomization["header"]["links"][number];

function renderHeaderLink(context: PageContext, { title, url, style, links }: HeaderLink): Markup {
  const below = links.filter((link) => link.url !== undefined);
  const name =
    style === "link" ? undefined : html` class="button ${style === "button-primary" ? "primary" : "secondary"}"`;
  if (below.length === 0) return html`<a${name} ${renderLinkAttributes(context, url ?? "")}>${title}</a>`;
  const own = url === undefined ? [] : [{ title, url }];
  const items = [...own, ...below].map(
    (link) => html`<li><a ${renderLinkAttributes(context, link.url!)}>${link.title}</a></li>`,
  );
  return html`<details class="drop"><summary${name}>${title}</summary><ul>${items}</ul></details>`;
}

type Structure = readonly (Resources.SiteSection | Resources.SiteSectionGroup)[];

/** The sections of a site as tabs; groups of them as menus. */
export function renderSectionTabs({
  profile: { structure },
  siteSpace,
  toLocalUrl,
  messages,
}: PageContext): Markup | undefined {
  if (structure.type !== "sections") return undefined;
  const all: Structure = structure.structure;
  const isCurrent = ({ id }: Resources.SiteSection) => id === siteSpace.section;
  const link = (section: Resources.SiteSection) =>
    html`<a href="${toLocalUrl(section.urls.published ?? "")}"${isCurrent(section) && html` aria-current="true"`}>${section.title}</a>`;
  const items = all.map((it) => {
    if (it.object === "site-section") return html`<li>${link(it)}</li>`;
    const chosen = it.sections.some(isCurrent);
    return html`<li><details class="drop"><summary${chosen && html` class="current"`}>${it.title}</summary><ul>${it.sections.map((section) => html`<li>${link(section)}</li>`)}</ul></details></li>`;
  });
  if (items.length < 2 && all[0]?.object !== "site-section-group") return undefined;
  return html`<nav class="sections" aria-label="${messages.sections}"><ul>${items}</ul></nav>
`;
}
