// The layout of every page of a site, as a complete HTML document: its head, with metadata for browsers, search engines and link
// previews, and its body.

import type * as Resources from "../../generated/resources";
import { getTextDirection } from "../../locales/languages";
import { html, Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { ASSETS_PATH, earlyAsset, fullScriptAsset, scriptAsset, styleAsset } from "../appearance/assets";
import { getThemeClasses, renderTheme } from "../appearance/theme";
import type { ScriptConfig } from "../browser/elements";
import { SEARCH_INDEX_FILE } from "../export/search-index-file";
import { decodeEmoji } from "../icons/emoji";
import type { PageContext, RequestContext } from "../request/request-context";
import { canAskQuestions } from "../routes/question-form";
import { renderLinkAttributes } from "./links";

export function renderLayout(context: RequestContext, content: LayoutContent): string {
  const { customization, profile, language } = context;
  const siteTitle = customization.title ?? profile.site.title;
  const direction = getTextDirection(language);
  return html`<!doctype html>
<html lang="${language}"${direction === "rtl" && html` dir="rtl"`} class="${getThemeClasses(customization)}">
${renderHead(context, content, siteTitle)}
<body>
${renderBody(context, content, siteTitle)}</body>
</html>
`.text;
}

function renderHead(
  context: RequestContext,
  { title, description: pageDescription, canonical, isIndexed, headMarkup, page, needsFullScript }: LayoutContent,
  siteTitle: string,
): Markup {
  const { customization, profile, messages, toSiteUrl, site, isExport } = context;
  const { url: previewImage, description: siteDescription } = customization.socialPreview;
  const description = pageDescription ?? siteDescription;
  const scriptUrl = toSiteUrl(ASSETS_PATH + (needsFullScript ? fullScriptAsset : scriptAsset));

  // The data that the script of the page reads. An exported page has no server, so it has no URLs to request.
  const { copy, copied, search, close, nothingFound, results, diagram, ask, answering, askFailed } = messages;
  const countsView = site.options.countViews === true && page !== undefined && !isExport;
  const drawsDiagrams = site.diagramAsset !== undefined && !isExport;
  const asking = { at: toSiteUrl("~octavo/ask"), ask, answering, failed: askFailed };
  const scriptConfig: ScriptConfig = {
    ...{ copy, copied, search, close, nothingFound, results },
    ...omitUndefined({
      searchAt: isExport ? undefined : toSiteUrl("~octavo/search.json"),
      // Scripts of an export are in a folder of its top folder.
      searchIndexAt: isExport ? `../${SEARCH_INDEX_FILE}` : undefined,
      asking: canAskQuestions(context) ? asking : undefined,
      viewAt: countsView ? toSiteUrl("~octavo/view") : undefined,
      page: countsView ? page : undefined,
    }),
    base: isExport ? "" : toSiteUrl("").split("?")[0]!,
    ...omitUndefined({
      diagram: drawsDiagrams ? diagram : undefined,
      diagramAt: drawsDiagrams ? toSiteUrl("~octavo/diagram") : undefined,
    }),
  };

  // The icon of the site's customization, otherwise that of the site: images for both themes, or an emoji.
  const icons = [customization.favicon, profile.site.icon];
  const icon = icons.find((it) => it && (("icon" in it && it.icon) || ("emoji" in it && it.emoji)));
  // Without an icon, browsers would request /favicon.ico.
  let favicon = html`<link rel="icon" href="data:,">
`;
  if (icon && "icon" in icon && icon.icon)
    favicon = html`<link rel="icon" href="${icon.icon.light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${icon.icon.dark}" media="(prefers-color-scheme: dark)">
`;
  else if (icon && "emoji" in icon && icon.emoji) {
    const emoji = html`<text y=".9em" font-size="90">${decodeEmoji(icon.emoji)}</text>`;
    const image = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${emoji}</svg>`;
    favicon = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(image.text)}">
`;
  }

  return html`<head>
<meta charset="utf-8">
<title>${title === siteTitle ? title : `${title} | ${siteTitle}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${customization.styling.primaryColor.light}">
<meta name="generator" content="Octavo">
${
  description &&
  html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
`
}${
  canonical &&
  html`<link rel="canonical" href="${canonical}">
<meta property="og:url" content="${canonical}">
`
}${
  !isIndexed &&
  html`<meta name="robots" content="noindex">
`
}<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${siteTitle}">
${
  previewImage &&
  html`<meta property="og:image" content="${previewImage}">
<meta name="twitter:card" content="summary_large_image">
`
}${favicon}<link rel="stylesheet" href="${toSiteUrl(ASSETS_PATH + styleAsset)}">
<style>${new Markup(renderTheme(customization))}</style>
<script src="${toSiteUrl(ASSETS_PATH + earlyAsset)}"></script>
<script src="${scriptUrl}" defer data-told="${JSON.stringify(scriptConfig)}"></script>
${headMarkup}</head>`;
}

export type PublishedTreePage = Resources.PublishedPageInTree;

export interface OutlineHeading {
  readonly id: string;
  readonly text: string;
  readonly isDeep: boolean;
}

interface LayoutContent {
  readonly tree: readonly PublishedTreePage[];
  /** The pages from the top of the tree to the current one. */
  readonly trail: readonly PublishedTreePage[];
  readonly outline: readonly OutlineHeading[];
  /** The id of the current content page. */
  readonly page?: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** True if the page needs the script for forms, blocks of integrations and cookie consent. Default: false. */
  readonly needsFullScript?: boolean;
  /** Further elements of the head. */
  readonly headMarkup?: Markup | undefined;
  /** The query of a search page. */
  readonly searchQuery?: string;
  readonly layout?: Partial<Resources.PageLayout> | undefined;
  readonly main: Markup;
}

export function renderBody(
  context: PageContext,
  content: Pick<LayoutContent, "tree" | "trail" | "outline" | "searchQuery" | "layout" | "main">,
  siteTitle: string,
): Markup {
  const { customization, messages } = context;
  const { layout, searchQuery } = content;
  const hasContents = layout?.tableOfContents !== false;
  const classes = ["body", layout?.width === "wide" && "wide", !hasContents && "alone"].filter(Boolean).join(" ");
  const links = renderHeaderLinks(context);
  const header = renderHeader(context, siteTitle, { searchQuery, hasContents, links });

  const { style, message, link } = customization.announcement ?? {};
  const anchor = link?.url !== undefined && html` <a ${renderLinkAttributes(context, link.url)}>${link.title}</a>`;
  const announcement =
    customization.announcement?.enabled &&
    message !== "" &&
    html`<div class="announcement ${style}" role="region" aria-label="${messages.note}">${message}${anchor}</div>
`;

  // The headings of the page, if there are at least two.
  const headings = content.outline.map(
    ({ id, text, isDeep }) => html`<li${isDeep && html` class="deep"`}><a href="#${id}">${text}</a></li>`,
  );
  const outlineTitle = html`<h2 id="--outline-title">${messages.onThisPage}</h2>`;
  const outline =
    headings.length >= 2 &&
    html`<nav id="--outline" aria-labelledby="--outline-title">${outlineTitle}<ul>${headings}</ul></nav>
`;

  // The footer with the links, the logo and the legal notes of the site.
  const { groups, copyright, logo } = customization.footer;
  const { privacyPolicy, trademark } = customization;
  const hasFooter = groups.length > 0 || copyright || privacyPolicy.url || logo || trademark.enabled;
  const lists = groups.map(({ title, links }) => {
    const items = links
      .filter(({ url }) => url)
      .map((link) => html`<li><a ${renderLinkAttributes(context, link.url!)}>${link.title}</a></li>`);
    return html`<section><h2>${title}</h2><ul>${items}</ul></section>`;
  });
  const renderLogo = (url: string, theme: string) =>
    html`<img class="${theme}" src="${url}" alt="" height="32" loading="lazy">`;
  const image =
    logo && html`<div class="logo">${renderLogo(logo.light, "in-light")}${renderLogo(logo.dark, "in-dark")}</div>`;
  const notes = [
    copyright && html`<span>${copyright}</span>`,
    privacyPolicy.url && html`<a ${renderLinkAttributes(context, privacyPolicy.url)}>${messages.privacy}</a>`,
    trademark.enabled && html`<span>${messages.madeWith}</span>`,
  ];
  const columns = (image || lists.length > 0) && html`<div>${image}${lists}</div>`;
  const footer =
    hasFooter &&
    html`<footer class="foot">${columns}<p>${notes}</p></footer>
`;

  return html`<a class="skip" href="#--text">${messages.skip}</a>
${announcement}${header}${renderSectionTabs(context)}<div class="${classes}">
<main id="--text">${content.main}</main>
${hasContents && renderNavigation(context, content, links)}${outline}</div>
${footer}`;
}

const THEME_ICON_PATH = "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8a5.4 5.4 0 0 1 0-10.8z";
const THEME_ICON = html`<svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="${THEME_ICON_PATH}"/></svg>`;

/**
 * Renders the top of the page: logo, links and search. A browser may paint it before the rest of the page has arrived, so nothing that
 * comes later moves it: `.home` is as high as the row, and `.tools` has a fixed width.
 */
function renderHeader(
  context: PageContext,
  siteTitle: string,
  {
    searchQuery,
    hasContents,
    links,
  }: { readonly searchQuery: string | undefined; readonly hasContents: boolean; readonly links: Markup | false },
): Markup {
  const { customization, toSiteUrl, messages } = context;
  const { logo, preset } = customization.header;
  const renderLogo = (url: string, theme: string) =>
    html`<img class="${theme}" src="${url}" alt="${siteTitle}" height="32">`;
  const image = logo && html`${renderLogo(logo.light, "in-light")}${renderLogo(logo.dark, "in-dark")}`;
  const menu = hasContents && html`<a class="menu" href="#--pages">${messages.menu}</a>`;
  const home = html`<a class="home" href="${toSiteUrl("")}">${image ?? siteTitle}</a>`;

  const value = searchQuery !== undefined && html` value="${searchQuery}"`;
  const label = html`placeholder="${messages.search}" aria-label="${messages.search}"`;
  const input = html`<input type="search" name="q"${value} ${label} maxlength="512">`;
  // The search of an export needs the script.
  const search = context.isExport
    ? html`<div class="search js-only" role="search">${input}</div>`
    : html`<form class="search" role="search" action="${toSiteUrl("~octavo/search")}">${input}</form>`;
  const theme =
    customization.themes.toggeable &&
    html`<button type="button" class="theme js-only" aria-label="${messages.lightOrDark}">${THEME_ICON}</button>`;
  return html`<header class="top${preset === "none" && " bare"}">${menu}${home}
${links}<div class="tools">${search}${theme}</div></header>
`;
}

/** Renders the links of the header. On a narrow screen they are below the page tree instead, in the menu. */
function renderHeaderLinks(context: PageContext): Markup | false {
  const { customization, messages } = context;
  const { links, preset } = customization.header;
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
  return (
    items.length > 0 &&
    html`<nav class="links" aria-label="${messages.links}"><ul>${items}</ul></nav>
`
  );
}

/** Renders the sections of a site as tabs, groups of sections as menus, and external links among them. */
function renderSectionTabs(context: PageContext): Markup | undefined {
  const {
    profile: { structure },
    siteSpace,
    toLocalUrl,
    messages,
  } = context;
  if (structure.type !== "sections") return undefined;
  const entries = structure.structure;
  if (entries.length < 2 && entries[0]?.object !== "site-section-group") return undefined;
  const isCurrent = ({ id }: Resources.SiteSection) => id === siteSpace.section;
  const renderItem = (item: Resources.SiteSection | Resources.SiteExternalLink) => {
    if (item.object === "site-external-link")
      return html`<li><a ${renderLinkAttributes(context, item.url)}>${item.title}</a></li>`;
    const current = isCurrent(item) && html` aria-current="true"`;
    return html`<li><a href="${toLocalUrl(item.urls.published ?? "")}"${current}>${item.title}</a></li>`;
  };
  const items = entries.map((entry) => {
    if (entry.object !== "site-section-group") return renderItem(entry);
    const className = entry.sections.some(isCurrent) && html` class="current"`;
    const list = html`<ul>${(entry.children ?? entry.sections).map(renderItem)}</ul>`;
    return html`<li><details class="drop"><summary${className}>${entry.title}</summary>${list}</details></li>`;
  });
  return html`<nav class="sections" aria-label="${messages.sections}"><ul>${items}</ul></nav>
`;
}

/** Renders the page tree, with the menu of versions and languages above it, and the links of the header below it. */
function renderNavigation(
  context: PageContext,
  { tree, trail }: Pick<LayoutContent, "tree" | "trail">,
  links: Markup | false,
): Markup {
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
  return html`<nav id="--pages" aria-label="${messages.navigation}">${close}${variantMenu}${pages}
${links}</nav>
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
