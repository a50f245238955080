// Where links among the pages of a site lead a visitor: to addresses elsewhere, and to pages of the same site that they see.

import type { Ref } from "../../content/document";
import type { PageEntry } from "../../content/revision/entries";
import { type Identified, pathFrom } from "../../content/revision/view";
import { revisions } from "../revisions/records";
import type { SpaceRecord } from "../tree/records";
import { pageUrl } from "./page-urls";
import { sightOf } from "./sight";
import { siteSpacesIn } from "./structure";
import { spaceSeenOn } from "./visible-alone";
import type { AtSiteSpace, ReadingSite } from "./visiting";
import { visitorContent } from "./visitor-content";

/** A page that is a link. */
export type LinkPage = { readonly target: Ref };

/** Where each link leads; those that lead nowhere for the visitor are left out. */
export async function hrefsOf(
  context: ReadingSite & AtSiteSpace,
  links: readonly (Identified<PageEntry> & LinkPage)[],
): Promise<ReadonlyMap<string, string>> {
  const hrefs = new Map<string, string>();
  for (const { id, target } of links) {
    const href = target.kind === "url" ? target.url : await hrefOf(context, target);
    if (href !== undefined) hrefs.set(id, href);
  }
  return hrefs;
}

async function hrefOf(context: ReadingSite & AtSiteSpace, target: Ref): Promise<string | undefined> {
  if (target.kind !== "page" && target.kind !== "anchor" && target.kind !== "space") return undefined;
  const place = await placeOn(context, target.space ?? context.space.id);
  if (!place) return undefined;
  const { siteSpace, space } = place;
  const path = target.kind === "space" ? "" : await pathOf(context, space, target.page);
  if (path === undefined) return undefined;
  const { published } = pageUrl(context, context.structure, siteSpace, path);
  const anchor = target.kind === "anchor" ? `#${encodeURIComponent(target.anchor)}` : "";
  return published && published + anchor;
}

/** Where a space is on the site, if the visitor sees it there. */
async function placeOn(context: ReadingSite & AtSiteSpace, id: string) {
  const siteSpace = siteSpacesIn(context.structure).find((item) => item.space === id);
  const space = siteSpace && (await spaceSeenOn(context, context.structure, siteSpace));
  return space && { siteSpace, space };
}

async function pathOf(context: ReadingSite, space: SpaceRecord, page: string | undefined) {
  const revision = page === undefined ? undefined : await revisions.get(context.tx, space.id, space.revision);
  const sight = revision && (await sightOf(visitorContent(context, revision).view, context.visitor.claims));
  const way = await sight?.wayTo(page!);
  return way && pathFrom(way);
}
