// Pages in the layout of a site that are not content, such as search results and confirmations. They are never indexed.

import type { Markup } from "../../utils/html";
import { getAssetSources } from "../appearance/assets";
import { renderTheme } from "../appearance/theme";
import type { CacheableResponse } from "../cache/site-cache";
import { renderLayout } from "../layout/layout";
import type { RequestContext } from "../request/request-context";
import { type CacheAudience, createPageResponse } from "./responses";

export async function renderUtilityPage(
  context: RequestContext,
  page: {
    readonly title: string;
    readonly main: Markup;
    /** Default: 200. */
    readonly status?: number;
    /** Default: nobody. */
    readonly holders?: CacheAudience;
    /** Default: false. */
    readonly needsFullScript?: boolean;
    /** The query of a search page. */
    readonly searchQuery?: string;
    /** True if the page shows the table of contents. Default: true. */
    readonly hasContents?: boolean;
  },
): Promise<CacheableResponse> {
  const { status = 200, holders = "nobody", hasContents = true, ...content } = page;
  const tree = hasContents ? await context.getPageTree() : [];
  const layout = { tableOfContents: hasContents };
  const text = renderLayout(context, { tree, trail: [], outline: [], isIndexed: false, layout, ...content });
  return createPageResponse(text, {
    status,
    styles: [renderTheme(context.customization)],
    ownScripts: getAssetSources(context),
    holders,
  });
}
