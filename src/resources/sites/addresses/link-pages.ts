// Resolves the targets of link pages for a visitor: other URLs, and pages of the same site that the visitor can see.

import type { ContentRef } from "../../../content/document";
import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { SpaceRecord } from "../../library/tree/records";
import { getTargetUrl, type SiteUrlContext } from "./targets";

export type LinkPage = WithId<PageEntry> & { readonly target: ContentRef };

/** Returns the URL of each link page by its id. Links without a target for the visitor are omitted. */
export async function resolveLinkPageUrls(
  context: SiteUrlContext & { readonly space: SpaceRecord },
  links: readonly LinkPage[],
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (const { id, target } of links) {
    let url: string | undefined;
    if (target.kind === "url") url = target.url;
    else if (target.kind === "space") url = await getTargetUrl(context, target);
    else if ((target.kind === "page" || target.kind === "anchor") && target.page !== undefined)
      url = await getTargetUrl(context, { ...target, page: target.page, space: target.space ?? context.space.id });
    if (url !== undefined) urls.set(id, url);
  }
  return urls;
}
