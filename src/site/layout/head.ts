// The head of a page: what browsers, search engines and other sites read of it.

import { html, Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { ASSETS_PATH, earlyAsset, fullScriptAsset, scriptAsset, styleAsset } from "../appearance/assets";
import { renderTheme } from "../appearance/theme";
import type { ScriptConfig } from "../browser/elements";
import { decodeEmoji } from "../icons/emoji";
import type { RequestContext } from "../request/request-context";
import { canAskQuestions } from "../routes/question-form";
import type { LayoutContent } from "./layout-content";

export function renderHead(
  context: RequestContext,
  { title, description, canonical, isIndexed, headMarkup, page, needsFullScript }: LayoutContent,
  siteTitle: string,
): Markup {
  const { customization, toSiteUrl, profile } = context;
  const { url: picture, description: sentence } = customization.socialPreview;
  const said = description ?? sentence;
  return html`<head>
<meta charset="utf-8">
<title>${title === siteTitle ? title : `${title} | ${siteTitle}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${customization.styling.primaryColor.light}">
<meta name="generator" content="Octavo">
${
  said &&
  html`<meta name="description" content="${said}">
<meta property="og:description" content="${said}">
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
  picture &&
  html`<meta property="og:image" content="${picture}">
<meta name="twitter:card" content="summary_large_image">
`
}${renderFavicon(customization.favicon, profile.site.icon)}<link rel="stylesheet" href="${toSiteUrl(ASSETS_PATH + styleAsset)}">
<style>${new Markup(renderTheme(customization))}</style>
<script src="${toSiteUrl(ASSETS_PATH + earlyAsset)}"></script>
<script src="${toSiteUrl(ASSETS_PATH + (needsFullScript ? fullScriptAsset : scriptAsset))}" defer data-told="${JSON.stringify(buildScriptConfig(context, page))}"></script>
${headMarkup}</head>`;
}

/** What the script of the page needs to know. */
function buildScriptConfig(context: RequestContext, page: string | undefined): ScriptConfig {
  const { messages, toSiteUrl, site, isExport } = context;
  const { copy, copied, search, close, nothingFound, results, diagram } = messages;
  return {
    ...{ copy, copied, search, close, nothingFound, results },
    ...omitUndefined({
      searchAt: isExport ? undefined : toSiteUrl("~octavo/search.json"),
      asking: canAskQuestions(context)
        ? { at: toSiteUrl("~octavo/ask"), ask: messages.ask, answering: messages.answering, failed: messages.askFailed }
        : undefined,
    }),
    ...(site.options.countViews && page !== undefined && !isExport ? { viewAt: toSiteUrl("~octavo/view"), page } : {}),
    base: isExport ? "" : toSiteUrl("").split("?")[0]!,
    ...(site.diagramAsset === undefined || isExport ? {} : { diagram, diagramAt: toSiteUrl("~octavo/diagram") }),
  };
}

type Icon = RequestContext["customization"]["favicon"] | RequestContext["profile"]["site"]["icon"];

/** The sign of the site in a browser's tab: of the look, else of the site. */
function renderFavicon(...icons: readonly Icon[]): Markup | undefined {
  for (const icon of icons) {
    if (icon && "icon" in icon && icon.icon)
      return html`<link rel="icon" href="${icon.icon.light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${icon.icon.dark}" media="(prefers-color-scheme: dark)">
`;
    if (icon && "emoji" in icon && icon.emoji)
      return html`<link rel="icon" href="${renderCharacterIcon(decodeEmoji(icon.emoji))}">
`;
  }
  // Without one, browsers ask the host for a file that is not there.
  return html`<link rel="icon" href="data:,">
`;
}

/** A character as a picture. */
function renderCharacterIcon(character: string): string {
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${character}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture.text)}`;
}
