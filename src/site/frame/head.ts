// The head of a page: what browsers, search engines and other sites read of it.

import { html, Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { isAsked } from "../ask-form";
import { ASSETS, earlyAsset, fullScriptAsset, scriptAsset, styleAsset } from "../assets";
import type { Told } from "../browser/elements";
import { emojiOf } from "../emoji";
import type { Visit } from "../visit";
import type { Framed } from "./framed";
import { themeOf } from "./theme";

export function head(
  visit: Visit,
  { title, description, canonical, isIndexed, more, page, needsFullScript }: Framed,
  siteTitle: string,
): Markup {
  const { look, own, profile } = visit;
  const { url: picture, description: sentence } = look.socialPreview;
  const said = description ?? sentence;
  return html`<head>
<meta charset="utf-8">
<title>${title === siteTitle ? title : `${title} | ${siteTitle}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${look.styling.primaryColor.light}">
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
}${favicon(look.favicon, profile.site.icon)}<link rel="stylesheet" href="${own(ASSETS + styleAsset)}">
<style>${new Markup(themeOf(look))}</style>
<script src="${own(ASSETS + earlyAsset)}"></script>
<script src="${own(ASSETS + (needsFullScript ? fullScriptAsset : scriptAsset))}" defer data-told="${JSON.stringify(toldTo(visit, page))}"></script>
${more}</head>`;
}

/** What the script of the page needs to know. */
function toldTo(visit: Visit, page: string | undefined): Told {
  const { words, own, house, isFile } = visit;
  const { copy, copied, search, close, nothingFound, results, diagram } = words;
  return {
    ...{ copy, copied, search, close, nothingFound, results },
    ...omitUndefined({
      searchAt: isFile ? undefined : own("~octavo/search.json"),
      asking: isAsked(visit)
        ? { at: own("~octavo/ask"), ask: words.ask, answering: words.answering, failed: words.askFailed }
        : undefined,
    }),
    ...(house.options.countViews && page !== undefined && !isFile ? { viewAt: own("~octavo/view"), page } : {}),
    base: isFile ? "" : own("").split("?")[0]!,
    ...(house.diagramAsset === undefined || isFile ? {} : { diagram, diagramAt: own("~octavo/diagram") }),
  };
}

type Icon = Visit["look"]["favicon"] | Visit["profile"]["site"]["icon"];

/** The sign of the site in a browser's tab: of the look, else of the site. */
function favicon(...icons: readonly Icon[]): Markup | undefined {
  for (const icon of icons) {
    if (icon && "icon" in icon && icon.icon)
      return html`<link rel="icon" href="${icon.icon.light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${icon.icon.dark}" media="(prefers-color-scheme: dark)">
`;
    if (icon && "emoji" in icon && icon.emoji)
      return html`<link rel="icon" href="${drawn(emojiOf(icon.emoji))}">
`;
  }
  // Without one, browsers ask the host for a file that is not there.
  return html`<link rel="icon" href="data:,">
`;
}

/** A character as a picture. */
function drawn(character: string): string {
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${character}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture.text)}`;
}
