// The frame of every page of a site: header, sections, tree of pages, outline and footer.

import type { Resources } from "../index";
import { html, Markup } from "../markup";
import type { Heading } from "./outline";
import { themeClass, themeOf } from "./theme";
import type { Words } from "./words";

export type Site = Resources.PublishedContentSite;
export type Look = Resources.SiteCustomization;
export type TreeNode = Resources.PublishedPageInTree;

/** Another site-space that one can go to. */
export interface Choice {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

export interface Frame {
  readonly language: string;
  readonly words: Words;
  readonly look: Look;
  readonly siteTitle: string;
  /** The path of the site, with a slash at its end. */
  readonly base: string;
  readonly styleUrl: string;
  readonly sections: readonly Choice[];
  readonly variants: readonly Choice[];
  readonly tree: readonly TreeNode[];
  /** The pages from the root of the tree to the one that is shown. */
  readonly way: readonly TreeNode[];
  readonly outline: readonly Heading[];
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** What was asked of the search. */
  readonly asked?: string;
  readonly layout?: Resources.PublishedPage["layout"];
  readonly main: Markup;
}

/** A whole page. */
export function framed(frame: Frame): string {
  const { words, look, siteTitle, title, layout } = frame;
  const sides = layout?.tableOfContents?.visible !== false;
  return html`<!doctype html>
<html lang="${frame.language}" class="${themeClass(look)}">
<head>
<meta charset="utf-8">
<title>${title === siteTitle ? title : `${title} | ${siteTitle}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${frame.description && html`<meta name="description" content="${frame.description}">
`}${frame.canonical && html`<link rel="canonical" href="${frame.canonical}">
<meta property="og:url" content="${frame.canonical}">
`}${!frame.isIndexed && html`<meta name="robots" content="noindex">
`}<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${siteTitle}">
${look.socialPreview.url && html`<meta property="og:image" content="${look.socialPreview.url}">
`}${favicon(look)}<link rel="stylesheet" href="${frame.styleUrl}">
<style>${new Markup(themeOf(look))}</style>
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
${announcement(look)}${header(frame)}
${frame.sections.length > 1 && html`<nav aria-label="${siteTitle}"><ul class="sections">${frame.sections.map(choice)}</ul></nav>`}
<div class="body">
<main id="text">${frame.main}</main>
${sides && html`<nav id="pages" aria-label="${words.navigation}">${frame.variants.length > 1 && html`<ul class="variants">${frame.variants.map(choice)}</ul>`}${branch(frame.tree, new Set(frame.way.map(({ id }) => id)), frame.way.at(-1)?.id)}</nav>`}
${frame.outline.length > 1 && layout?.outline?.visible !== false && html`<nav id="outline" aria-labelledby="outline-title"><h2 id="outline-title">${words.onThisPage}</h2><ul>${frame.outline.map(({ id, text, isDeep }) => html`<li${isDeep && html` class="deep"`}><a href="#${id}">${text}</a></li>`)}</ul></nav>`}
</div>
${footer(look)}
</body>
</html>
`.text;
}

function choice({ title, href, isCurrent }: Choice): Markup {
  return html`<li><a href="${href}"${isCurrent && html` aria-current="true"`}>${title}</a></li>`;
}

function favicon({ favicon }: Look): Markup | undefined {
  if ("icon" in favicon && favicon.icon) return html`<link rel="icon" href="${favicon.icon.light}">
`;
  return undefined;
}

function announcement({ announcement }: Look): Markup | undefined {
  if (!announcement?.enabled || announcement.message === "") return undefined;
  const { message, style, link } = announcement;
  return html`<div class="announcement ${style}">${message} ${link?.url && html`<a href="${link.url}">${link.title}</a>`}</div>
`;
}

function header({ look, siteTitle, base, words, asked }: Frame): Markup {
  const { logo, links } = look.header;
  const shown = links.filter(({ url }) => url !== undefined);
  const image =
    logo &&
    html`<img class="in-light" src="${logo.light}" alt=""><img class="in-dark" src="${logo.dark}" alt="">`;
  return html`<header class="top"><a class="home" href="${base}">${image}${siteTitle}</a>
${shown.length > 0 && html`<nav aria-label="${words.home}"><ul>${shown.map((link) => html`<li><a href="${link.url}"${link.style !== "link" && html` class="button ${link.style === "button-primary" ? "primary" : "secondary"}"`}>${link.title}</a></li>`)}</ul></nav>`}
<form class="search" role="search" action="${base}~octavo/search"><input type="search" name="q" value="${asked}" placeholder="${words.search}" aria-label="${words.search}" maxlength="512"></form></header>`;
}

/** The tree of pages, open along the way to the one that is shown. */
function branch(pages: readonly TreeNode[], open: ReadonlySet<string>, current: string | undefined): Markup {
  const shown = pages.filter(({ hidden }) => hidden !== true);
  if (shown.length === 0) return html``;
  return html`<ul>${shown.map((page) => {
    const sign = page.emoji === undefined ? undefined : html`<span aria-hidden="true">${emojiOf(page.emoji)}</span>`;
    const inner = page.type === "group" || open.has(page.id) ? branch(page.pages, open, current) : undefined;
    if (page.type === "group") return html`<li><span class="group">${sign}${page.title}</span>${inner}</li>`;
    const href = page.href ?? page.urls.published;
    return html`<li><a href="${href}"${page.id === current && html` aria-current="page"`}>${sign}<span>${page.title}</span></a>${inner}</li>`;
  })}</ul>`;
}

/** The sign of a page: its characters, or its code points in hexadecimal. */
function emojiOf(text: string): string {
  return /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/i.test(text)
    ? String.fromCodePoint(...text.split("-").map((it) => Number.parseInt(it, 16)).filter((it) => it <= 0x10ffff))
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
