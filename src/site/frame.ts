// The frame of every page of a site: header, sections, tree of pages, outline and footer.

import type * as Resources from "../generated/resources";
import { html, Markup } from "../markup";
import { ASSETS, earlyAsset, scriptAsset, styleAsset } from "./assets";
import type { Told } from "./browser/elements";
import type { DrawIcon } from "./icons/icons";
import type { Heading } from "./outline";
import { themeClass, themeOf } from "./theme";
import { type Look, sectionsOf, type Visit } from "./visit";

export type TreeNode = Resources.PublishedPageInTree;

/** Another place of the site that one can go to. */
interface Choice {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** What differs between the pages of a site. */
export interface Framed {
  readonly tree: readonly TreeNode[];
  /** The pages from the top of the tree to the one that is shown. */
  readonly way: readonly TreeNode[];
  readonly outline: readonly Heading[];
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** What was asked of the search. */
  readonly asked?: string;
  readonly layout?: Resources.PublishedPage["layout"];
  readonly icon?: DrawIcon;
  readonly main: Markup;
}

/** A whole page. */
export function frameOf(visit: Visit, frame: Framed): string {
  const { words, look, profile, language, own } = visit;
  const { title, layout } = frame;
  const siteTitle = look.title ?? profile.site.title;
  const hasTree = layout?.tableOfContents !== false;
  const sections = sectionChoices(visit);
  const variants = variantChoices(visit);
  return html`<!doctype html>
<html lang="${language}" class="${themeClass(look)}">
<head>
<meta charset="utf-8">
<title>${title === siteTitle ? title : `${title} | ${siteTitle}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${
  frame.description &&
  html`<meta name="description" content="${frame.description}">
`
}${
  frame.canonical &&
  html`<link rel="canonical" href="${frame.canonical}">
<meta property="og:url" content="${frame.canonical}">
`
}${
  !frame.isIndexed &&
  html`<meta name="robots" content="noindex">
`
}<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${siteTitle}">
${
  look.socialPreview.url &&
  html`<meta property="og:image" content="${look.socialPreview.url}">
`
}${favicon(look)}<link rel="stylesheet" href="${own(ASSETS + styleAsset)}">
<style>${new Markup(themeOf(look))}</style>
<script src="${own(ASSETS + earlyAsset)}"></script>
<script src="${own(ASSETS + scriptAsset)}" defer data-told="${JSON.stringify(toldTo(visit))}"></script>
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
${announcement(visit)}${header(visit, siteTitle, frame.asked)}
${sections.length > 1 && html`<nav aria-label="${siteTitle}"><ul class="sections">${sections.map(choice)}</ul></nav>`}
<div class="body${!hasTree && " wide"}">
<main id="text">${frame.main}</main>
${hasTree && html`<nav id="pages" aria-label="${words.navigation}">${variants.length > 1 && html`<ul class="variants">${variants.map(choice)}</ul>`}${branch(frame.tree, new Set(frame.way.map(({ id }) => id)), frame.way.at(-1)?.id, visit, frame.icon)}</nav>`}
${frame.outline.length > 1 && html`<nav id="outline" aria-labelledby="outline-title"><h2 id="outline-title">${words.onThisPage}</h2><ul>${frame.outline.map(({ id, text, isDeep }) => html`<li${isDeep && html` class="deep"`}><a href="#${id}">${text}</a></li>`)}</ul></nav>`}
</div>
${footer(look)}
</body>
</html>
`.text;
}

/** What the script of the page needs to know. */
function toldTo({ words, own, house }: Visit): Told {
  const { copy, copied, search, close, nothingFound, results, diagram } = words;
  const base = own("").split("?")[0]!;
  return {
    copy,
    copied,
    search,
    close,
    nothingFound,
    results,
    searchAt: own("~octavo/search.json"),
    base,
    ...(house.diagramAsset === undefined ? {} : { diagram, diagramAt: own("~octavo/diagram") }),
  };
}

/** The sections of a site. */
function sectionChoices({ profile: { structure }, siteSpace, local }: Visit): Choice[] {
  if (structure.type !== "sections") return [];
  return sectionsOf(structure.structure).flatMap(({ id, title, urls }) =>
    urls.published === undefined ? [] : { title, href: local(urls.published), isCurrent: id === siteSpace.section },
  );
}

/** The site-spaces beside the one that is read: versions, languages or products. */
function variantChoices({ siteSpaces, siteSpace, local }: Visit): Choice[] {
  return siteSpaces
    .filter(({ section }) => section === siteSpace.section)
    .flatMap(({ id, title, urls }) =>
      urls.published === undefined ? [] : { title, href: local(urls.published), isCurrent: id === siteSpace.id },
    );
}

function choice({ title, href, isCurrent }: Choice): Markup {
  return html`<li><a href="${href}"${isCurrent && html` aria-current="true"`}>${title}</a></li>`;
}

function favicon({ favicon }: Look): Markup | undefined {
  if ("icon" in favicon && favicon.icon)
    return html`<link rel="icon" href="${favicon.icon.light}">
`;
  return undefined;
}

function announcement({ look: { announcement } }: Visit): Markup | undefined {
  if (!announcement?.enabled || announcement.message === "") return undefined;
  const { message, style, link } = announcement;
  return html`<div class="announcement ${style}">${message} ${link?.url && html`<a href="${link.url}">${link.title}</a>`}</div>
`;
}

function header({ look, own, words }: Visit, siteTitle: string, asked: string | undefined): Markup {
  const { logo, links } = look.header;
  const shown = links.filter(({ url }) => url !== undefined);
  const image =
    logo && html`<img class="in-light" src="${logo.light}" alt=""><img class="in-dark" src="${logo.dark}" alt="">`;
  const menu = html`<button type="button" class="menu js-only" aria-expanded="false" aria-controls="pages" aria-label="${words.menu}"><svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="M1 3h14v1.6H1zM1 7.2h14v1.6H1zM1 11.4h14V13H1z"/></svg></button>`;
  const theme =
    look.themes.toggeable &&
    html`<button type="button" class="theme js-only" aria-label="${words.lightOrDark}"><svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.6v10.8a5.4 5.4 0 0 1 0-10.8z"/></svg></button>`;
  return html`<header class="top">${menu}<a class="home" href="${own("")}">${image}${siteTitle}</a>
${shown.length > 0 && html`<nav aria-label="${words.home}"><ul>${shown.map((link) => html`<li><a href="${link.url}"${link.style !== "link" && html` class="button ${link.style === "button-primary" ? "primary" : "secondary"}"`}>${link.title}</a></li>`)}</ul></nav>`}
<form class="search" role="search" action="${own("~octavo/search")}"><input type="search" name="q" value="${asked}" placeholder="${words.search}" aria-label="${words.search}" maxlength="512"></form>${theme}</header>`;
}

/** The tree of pages, open along the way to the one that is shown. */
function branch(
  pages: readonly TreeNode[],
  open: ReadonlySet<string>,
  current: string | undefined,
  visit: Visit,
  icon: DrawIcon | undefined,
): Markup {
  const shown = pages.filter(({ hidden }) => hidden !== true);
  if (shown.length === 0) return html``;
  return html`<ul>${shown.map((page) => {
    const sign =
      page.emoji === undefined
        ? page.icon && icon?.(page.icon)
        : html`<span aria-hidden="true">${emojiOf(page.emoji)}</span>`;
    const inner =
      page.type === "group" || open.has(page.id) ? branch(page.pages, open, current, visit, icon) : undefined;
    if (page.type === "group") return html`<li><span class="group">${sign}${page.title}</span>${inner}</li>`;
    const href = visit.local(page.href ?? page.urls.published ?? "");
    return html`<li><a href="${href}"${page.id === current && html` aria-current="page"`}>${sign}<span>${page.title}</span></a>${inner}</li>`;
  })}</ul>`;
}

/** The sign of a page: its characters, or its code points in hexadecimal. */
function emojiOf(text: string): string {
  return /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/i.test(text)
    ? String.fromCodePoint(
        ...text
          .split("-")
          .map((it) => Number.parseInt(it, 16))
          .filter((it) => it <= 0x10ffff),
      )
    : text;
}

function footer({ footer: { groups, copyright, logo }, privacyPolicy }: Look): Markup | undefined {
  if (groups.length === 0 && !copyright && !privacyPolicy.url && !logo) return undefined;
  const lists = groups.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.filter(({ url }) => url).map((link) => html`<li><a href="${link.url}">${link.title}</a></li>`)}</ul></section>`,
  );
  return html`<footer class="foot"><div>${lists}</div>${copyright && html`<p>${copyright}</p>`}</footer>`;
}
