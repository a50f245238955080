// A page of the reader's own in the frame of a site: results of a search, thanks, and what is not there. Nobody indexes it.

import type { Markup } from "../utils/html";
import { type Holders, pageAnswer } from "./answer";
import { assetSources } from "./assets";
import { frameOf } from "./frame/frame";
import { themeOf } from "./frame/theme";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

export async function ownPage(
  visit: Visit,
  page: {
    readonly title: string;
    readonly main: Markup;
    /** Default: 200. */
    readonly status?: number;
    /** Default: nobody. */
    readonly holders?: Holders;
    /** Default: no. */
    readonly needsFullScript?: boolean;
    /** What was asked of the search. */
    readonly asked?: string;
    /** Whether the table of contents stands beside it. Default: yes. */
    readonly hasContents?: boolean;
  },
): Promise<KeptResponse> {
  const { status = 200, holders = "nobody", hasContents = true, ...shown } = page;
  const tree = hasContents ? await visit.tree() : [];
  const layout = { tableOfContents: hasContents };
  const text = frameOf(visit, { tree, way: [], outline: [], isIndexed: false, layout, ...shown });
  return pageAnswer(text, { status, styles: [themeOf(visit.look)], ownScripts: assetSources(visit), holders });
}
