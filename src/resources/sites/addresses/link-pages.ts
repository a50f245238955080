// Where link pages of a site lead a visitor: to other URLs, and to pages of the same site that they see.

import type { ContentRef } from "../../../content/document";
import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { SpaceRecord } from "../../library/tree/records";
import { getTargetUrl, type SiteUrlContext } from "./targets";

/** A page that is a link. */
export type LinkPage = WithId<PageEntry> & { readonly target: ContentRef };

/** The target of each link. Links without a target for the visitor are left out. */
export async function resolveLinkPageUrls(
  reading: SiteUrlContext & { readonly space: SpaceRecord },
  links: readonly LinkPage[],
): Promise<ReadonlyMap<string, string>> {
  const hrefs = new Map<string, string>();
  for (const { id, target } of links) {
    const href = await hrefOf(reading, target);
    if (href !== undefined) hrefs.set(id, href);
  }
  return hrefs;
}

async function hrefOf(
  reading: SiteUrlContext & { readonly space: SpaceRecord },
  target: ContentRef,
): Promise<string | undefined> {
  if (target.kind === "url") return target.url;
  if (target.kind === "space") return getTargetUrl(reading, target);
  if ((target.kind !== "page" && target.kind !== "anchor") || target.page === undefined) return undefined;
  const { page, space = reading.space.id } = target;
  return getTargetUrl(reading, { ...target, page, space });
}
