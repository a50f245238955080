// A content page: the page that the API returns, rendered in the layout of its site. Its head names its translations and other formats,
// and its breadcrumbs as structured data.

import type { Block } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, Markup } from "../../utils/html";
import { getAssetSources } from "../appearance/assets";
import { renderTheme } from "../appearance/theme";
import { renderBlocks } from "../blocks/render-blocks";
import type { CacheableResponse } from "../cache/site-cache";
import { type PublishedTreePage, renderLayout } from "../layout/layout";
import { walkUpdates } from "../machine-readable/feed";
import { isIndexedPage, isIndexedSite } from "../machine-readable/listed-pages";
import { addExtension, toFeedUrl } from "../machine-readable/page-urls";
import type { RequestContext } from "../request/request-context";
import { createPageResponse } from "../responses/responses";
import { buildOutline, findPageTrail, renderArticle } from "./article";
import { createPageReferences } from "./block-context";
import { prepareBlocks } from "./prepare-blocks";

/** Renders a page. Returns undefined if it was removed after its URL was resolved. */
export async function renderContentPage(
  context: RequestContext,
  pageId: string,
): Promise<CacheableResponse | undefined> {
  const [page, tree] = await Promise.all([context.getPage(pageId, "document"), context.getPageTree(pageId)]);
  if (!page) return undefined;
  const trail = findPageTrail(tree, pageId);
  const nodes = (page.document?.nodes ?? []) as Block[];
  const references = createPageReferences(page.references ?? [], context);
  const { layout } = page;
  const { blockContext, footnotes, externalBlocks } = await prepareBlocks(context, page, references);
  const blocks = renderBlocks(nodes, blockContext);
  const body = html`${blocks}${externalBlocks.renderTryItForm(blockContext)}${footnotes}`;
  const text = renderLayout(context, {
    tree,
    trail,
    outline: layout?.outline === false ? [] : buildOutline(nodes, externalBlocks.getHeading),
    page: page.id,
    title: page.title,
    description: page.description,
    canonical: page.urls.published,
    isIndexed: isIndexedSite(context) && isIndexedPage(page, trail),
    headMarkup: await renderHeadLinks(context, page, trail),
    layout,
    needsFullScript: externalBlocks.needsFullScript,
    main: html`${renderArticle(page, { trail, references, body }, context)}${externalBlocks.scripts}`,
  });
  return createPageResponse(text, {
    styles: [renderTheme(context.customization)],
    ownScripts: getAssetSources(context),
    ...externalBlocks.policy,
    holders: context.isPublic ? "everybody" : "visitor",
  });
}

/** Renders further elements of the head. `trail` leads from the top of the tree to the page. */
async function renderHeadLinks(
  context: RequestContext,
  page: Resources.PublishedPage,
  trail: readonly PublishedTreePage[],
): Promise<Markup | undefined> {
  const { customization, profile, toLocalUrl } = context;
  const url = page.urls.published;
  if (url === undefined) return undefined;
  const isIndexed = isIndexedSite(context) && isIndexedPage(page, trail);
  const languages = (await findLanguageAlternates(context, page)).map(
    (alternate) => html`<link rel="alternate" hreflang="${alternate.language}" href="${alternate.url}">`,
  );
  const hasFeed = !walkUpdates((page.document?.nodes ?? []) as Block[]).next().done;

  // A search engine requires a URL for each breadcrumb, so groups are left out.
  const root = profile.site.urls.published;
  const breadcrumbs = [
    ...(root === undefined ? [] : [{ name: customization.title ?? profile.site.title, item: root }]),
    ...trail.flatMap(({ title, type, urls }) =>
      type === "group" || urls.published === undefined ? [] : [{ name: title, item: urls.published }],
    ),
  ];
  const breadcrumbData = serializeJsonForHtml({
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: breadcrumbs.map((breadcrumb, i) => ({ "@type": "ListItem", position: i + 1, ...breadcrumb })),
  });

  const lines = [
    ...languages,
    html`<link rel="alternate" type="text/markdown" href="${toLocalUrl(addExtension(url, ".md"))}">`,
    hasFeed &&
      html`<link rel="alternate" type="application/rss+xml" title="${page.title}" href="${toLocalUrl(toFeedUrl(url))}">`,
    !customization.socialPreview.url && html`<meta name="twitter:card" content="summary">`,
    isIndexed &&
      breadcrumbs.length > 1 &&
      html`<script type="application/ld+json">${new Markup(breadcrumbData)}</script>`,
  ];
  return html`${lines.map((line) => line && html`${line}\n`)}`;
}

/**
 * Returns a page and its translations, one for each language: pages of the same book in other languages, and pages at the same path
 * of site-spaces of the same section whose spaces are in other languages. Returns none if the page has no translation.
 */
async function findLanguageAlternates(
  context: RequestContext,
  page: Resources.PublishedPage,
): Promise<readonly { readonly language: string; readonly url: string }[]> {
  const { siteSpaces, siteSpace } = context;
  const urls = new Map<string, string>();
  const addUrl = (language: string, url: string | undefined) => {
    if (url !== undefined && !urls.has(language)) urls.set(language, url);
  };
  addUrl(page.language ?? siteSpace.space.language ?? context.language, page.urls.published);

  const translations = Object.entries(page.translations ?? {});
  const pages = await Promise.all(translations.map(([, id]) => context.getPage(id, "markdown")));
  for (const [i, [language]] of translations.entries()) addUrl(language, pages[i]?.urls.published);

  const ownLanguage = siteSpace.space.language;
  const otherSpaces = siteSpaces.flatMap(({ id, section, space }) =>
    ownLanguage !== undefined &&
    section === siteSpace.section &&
    space.language !== undefined &&
    space.language !== ownLanguage
      ? [{ id, language: space.language, spaceId: space.id }]
      : [],
  );
  const otherUrls = await Promise.all(
    otherSpaces.map(async ({ id, spaceId }) => {
      const other = await context.callOperation("getPageByPath", { params: { spaceId, pagePath: page.path } });
      return other && (await context.getPage(other.id, "markdown", id))?.urls.published;
    }),
  );
  for (const [i, { language }] of otherSpaces.entries()) addUrl(language, otherUrls[i]);

  return urls.size < 2 ? [] : Array.from(urls, ([language, url]) => ({ language, url }));
}

/** Serializes a value as JSON without characters that could begin or end an element. */
export function serializeJsonForHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
