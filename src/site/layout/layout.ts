// The layout of every page of a site, as a complete HTML document: its head, with metadata for browsers, search engines and link
// previews, and its body.

import { getTextDirection } from "../../locales/languages";
import { html, Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { ASSETS_PATH, earlyAsset, fullScriptAsset, scriptAsset, styleAsset } from "../appearance/assets";
import { getThemeClasses, renderTheme } from "../appearance/theme";
import type { ScriptConfig } from "../browser/elements";
import { SEARCH_INDEX_FILE } from "../export/search-index-file";
import { decodeEmoji } from "../icons/emoji";
import type { RequestContext } from "../request/request-context";
import { canAskQuestions } from "../routes/question-form";
import { type LayoutContent, renderBody } from "./body";

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
