// A page of the reader's own in the frame of a site: results of a search, thanks, and what is not there. Nobody indexes it.

import type { Markup } from "../../utils/html";
import { getAssetSources } from "../appearance/assets";
import { renderTheme } from "../appearance/theme";
import type { CacheableResponse } from "../cache/response-cache";
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
    /** Default: no. */
    readonly needsFullScript?: boolean;
    /** What was asked of the search. */
    readonly searchQuery?: string;
    /** Whether the table of contents stands beside it. Default: yes. */
    readonly hasContents?: boolean;
  },
): Promise<CacheableResponse> {
  const { status = 200, holders = "nobody", hasContents = true, ...shown } = page;
  const tree = hasContents ? await context.getPageTree() : [];
  const layout = { tableOfContents: hasContents };
  const text = renderLayout(context, { tree, trail: [], outline: [], isIndexed: false, layout, ...shown });
  return createPageResponse(text, {
    status,
    styles: [renderTheme(context.customization)],
    ownScripts: getAssetSources(context),
    holders,
  });
}
