// A content page: the page that the API returns, rendered in the layout of its site.

import type { Block } from "../../content/document";
import { html } from "../../utils/html";
import { getAssetSources } from "../appearance/assets";
import { renderTheme } from "../appearance/theme";
import { renderBlocks } from "../blocks/render-blocks";
import type { CacheableResponse } from "../cache/site-cache";
import { renderLayout } from "../layout/layout";
import { renderHeadLinks } from "../machine-readable/head-links";
import { isIndexedPage, isIndexedSite } from "../machine-readable/listed-pages";
import type { RequestContext } from "../request/request-context";
import { createPageResponse } from "../responses/responses";
import { findPageTrail, renderArticle } from "./article";
import { prepareBlocks } from "./create-block-context";
import { buildOutline } from "./outline";
import { createPageReferences } from "./references";

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
