// What a path of a site leads a visitor to. What shows content is never redirected; then come the redirects that were set,
// then the paths that pages had once. Every answer is made from what is stored: nothing of a request becomes a target.
//
//  1. Sections and site-spaces are found by the longest match, the rest of the path is a page's.
//  2. What stands at a path in a longer form than it needs leads to the shorter one.
//  3. What the visitor may not see is not there.

import type { PageEntry } from "../../../content/revision/entries";
import { type Identified, pathFrom, type View } from "../../../content/revision/view";
import type { SpaceRecord } from "../../library/tree/records";
import { visibleTo } from "../audience/visible";
import { spaceSeenOn } from "../audience/visible-alone";
import { type Sight, sightOf } from "../reading/sight";
import type { SiteSpaceRecord } from "../records";
import { type Structure, sectionsIn, siteSpacesUnder } from "../structure/structure";
import { pathIn, publishedUrl } from "./addresses";
import { ownParts } from "./locate-site";
import { pagePathIn, placeAt } from "./page-urls";
import { redirects } from "./redirect-records";
import { type SiteReading, type SiteTarget, urlOfTarget, viewOf } from "./targets";
import { joined } from "./url-paths";

/** What stands at a path. */
export interface Shown {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  /** Undefined where a space has no page to show. */
  readonly page?: { readonly id: string; readonly path: string };
}

export type Found =
  | { readonly is: "content"; readonly shown: Shown; readonly path: readonly string[] }
  | { readonly is: "redirect"; readonly url: string; readonly redirect?: string };

/** How many redirects are followed, one after the other. */
export const MAX_HOPS = 10;

/** What is at a path for a visitor; undefined: nothing. */
export async function lookUp(reading: SiteReading, parts: readonly string[]): Promise<Found | undefined> {
  const standing = await standingAt(reading, parts);
  if (standing?.is === "content") return standing;
  return (await followed(reading, parts)) ?? standing;
}

/** Where the redirects lead that begin at a path, to the last of them. */
async function followed(reading: SiteReading, parts: readonly string[]): Promise<Found | undefined> {
  let at = parts;
  let first: string | undefined;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const redirect = await redirects.find(reading.tx, "source", reading.site.id, joined(at));
    if (!redirect) return undefined;
    first ??= redirect.id;
    const { destination } = redirect;
    const own = destination.kind === "url" ? ownParts(reading, destination.url) : undefined;
    if (!own) return leadsTo(await urlOfTarget(reading, destination), first);
    const standing = await standingAt(reading, own);
    if (standing?.is === "content") return leadsTo(publishedUrl(reading, reading.visitor.shareKey, own), first);
    if (!(await redirects.find(reading.tx, "source", reading.site.id, joined(own))))
      return standing && leadsTo(standing.url, first);
    at = own;
  }
  return undefined;
}

function leadsTo(url: string | undefined, redirect?: string): Found | undefined {
  return url === undefined ? undefined : { is: "redirect", url, ...(redirect === undefined ? {} : { redirect }) };
}

/** What stands at a path by itself: content, or something that has moved. */
async function standingAt(reading: SiteReading, parts: readonly string[]): Promise<Found | undefined> {
  const place = placeAt(reading.structure, parts);
  const space = place && (await spaceSeenOn(reading, reading.structure, place.siteSpace));
  if (!space) return place?.rest.length === 0 ? standIn(reading, parts, place.siteSpace) : undefined;
  const { siteSpace, rest } = place;
  const view = await viewOf(reading, space);
  if (!view) return undefined;
  const sight = await sightOf(view, reading.visitor.claims);
  const page = rest.length === 0 ? await firstPage(view, sight, null) : await view.pageAt(rest.join("/"));
  if (rest.length === 0) {
    const shown = { siteSpace, space, ...(page ? { page: await named(view, page) } : {}) };
    return contentOr(reading, parts, pagePathIn(reading.structure, siteSpace, ""), shown);
  }
  const way = page && (await sight.wayTo(page.id));
  if (!way) return undefined;
  return pageFound(reading, parts, { siteSpace, space, view, sight, way });
}

/** Content, if it is at the very path that it has; else the way there. */
function contentOr(
  reading: SiteReading,
  parts: readonly string[],
  path: readonly string[],
  shown: Shown,
): Found | undefined {
  if (joined(parts) === joined(path)) return { is: "content", shown, path };
  return leadsTo(publishedUrl(reading, reading.visitor.shareKey, path));
}

interface PageOnSite {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly view: View;
  readonly sight: Sight;
  readonly way: readonly Identified<PageEntry>[];
}

/** A page with a text is shown; a group leads to its first page, a link to where it leads. */
async function pageFound(
  reading: SiteReading,
  parts: readonly string[],
  { siteSpace, space, view, sight, way }: PageOnSite,
): Promise<Found | undefined> {
  const page = way[0]!;
  const pathTo = (path: string) => pagePathIn(reading.structure, siteSpace, path);
  if (page.type === "link") {
    const target = siteTarget(page, space.id);
    return target && leadsTo(await urlOfTarget(reading, target));
  }
  if (page.type === "group") {
    const first = await firstPage(view, sight, page.id);
    const path = first && pathTo((await view.pathOf(first.id))!);
    return path && leadsTo(publishedUrl(reading, reading.visitor.shareKey, path));
  }
  const path = pathFrom(way);
  return contentOr(reading, parts, pathTo(path), { siteSpace, space, page: { id: page.id, path } });
}

/** Where a link among the pages leads, as far as that is an address or on a site. */
function siteTarget({ target }: PageEntry, home: string): SiteTarget | undefined {
  if (target?.kind === "url") return /^https?:\/\//i.test(target.url) ? target : undefined;
  if (target?.kind === "page") return { kind: "page", page: target.page, space: target.space ?? home };
  return target?.kind === "space" ? { kind: "space", space: target.space } : undefined;
}

async function named(view: View, { id }: Identified<PageEntry>) {
  return { id, path: (await view.pathOf(id))! };
}

/** The first page with a text that is seen, under a parent or under the groups in it. */
async function firstPage(view: View, sight: Sight, parent: string | null): Promise<Identified<PageEntry> | undefined> {
  const ids = (await view.childIds(parent)).map(({ id }) => id);
  for (const id of ids) {
    const page = (await sight.wayTo(id))?.[0];
    if (page && page.type !== "group" && page.type !== "link") return page;
    const inside = page?.type === "group" ? await firstPage(view, sight, page.id) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

/** Where a default that the visitor does not see leads: to the first beside it that they do. */
async function standIn(
  reading: SiteReading,
  parts: readonly string[],
  missing: SiteSpaceRecord,
): Promise<Found | undefined> {
  const { structure } = await visibleTo(reading, reading.structure);
  const isSites = parts.length === 0;
  const named = isSites ? undefined : sectionsIn(structure).find(({ path }) => path === parts[0]);
  if (!isSites && (parts.length > 1 || named?.id !== missing.parent)) return undefined;
  const [first] = isSites ? inOrder(structure) : siteSpacesUnder(structure, named!.id);
  return first && leadsTo(publishedUrl(reading, reading.visitor.shareKey, pathIn(reading.structure, first.id)!));
}

function inOrder(structure: Structure): readonly SiteSpaceRecord[] {
  const sections = sectionsIn(structure);
  return sections.length === 0
    ? siteSpacesUnder(structure, null)
    : sections.flatMap(({ id }) => siteSpacesUnder(structure, id));
}
