// Resolves a path of a site for a visitor. A path with content is never redirected. After that come the redirects that
// were set, then those of the book, former paths of pages, and addresses of HTML that was made of their files. Redirects lead only to stored targets; no part of a request becomes a target.
//
//  1. The longest match finds section and site-space; the rest of the path is that of a page.
//  2. A path in a longer form than needed redirects to the shorter one.
//  3. What the visitor may not see counts as absent.

import type { ContentRef } from "../../../content/document";
import type { PageEntry } from "../../../content/revision/entries";
import { findPageByHtmlPath, isHtmlIndex } from "../../../content/revision/html-paths";
import { buildPagePath, type RevisionView, type WithId } from "../../../content/revision/view";
import { omitUndefined } from "../../../utils/objects";
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

/** What is at a path. */
export interface Shown {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  /** Undefined when a space has no page to show. */
  readonly page?: { readonly id: string; readonly path: string };
}

export type Found =
  | { readonly is: "content"; readonly shown: Shown; readonly path: readonly string[] }
  | { readonly is: "redirect"; readonly url: string; readonly redirect?: string };

/** The most redirects that are followed in a row. */
export const MAX_HOPS = 10;

/** What is at a path for a visitor; undefined: nothing. */
export async function lookUp(reading: SiteReading, parts: readonly string[]): Promise<Found | undefined> {
  const standing = await standingAt(reading, parts);
  if (standing?.is === "content") return standing;
  return (await followed(reading, parts)) ?? standing;
}

/** The final target of the redirects that begin at a path. */
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
  return url === undefined ? undefined : { is: "redirect", url, ...omitUndefined({ redirect }) };
}

/** What is at a path without redirects: content, or something that has moved. */
async function standingAt(reading: SiteReading, parts: readonly string[]): Promise<Found | undefined> {
  const place = placeAt(reading.structure, parts);
  const space = place && (await spaceSeenOn(reading, reading.structure, place.siteSpace));
  if (!space) return place?.rest.length === 0 ? standIn(reading, parts, place.siteSpace) : undefined;
  const { siteSpace, rest } = place;
  const view = await viewOf(reading, space);
  if (!view) return undefined;
  const sight = await sightOf(view, reading.visitor.claims);
  const path = rest.join("/");
  const found = (rest.length > 0 && (await view.findPageByPath(path))) || (await findPageByHtmlPath(view, path));
  const isFirst = rest.length === 0 || (!found && rest.length === 1 && isHtmlIndex(path));
  const page = isFirst ? await firstPage(sight, null) : found;
  if (isFirst) {
    const shown = { siteSpace, space, ...omitUndefined({ page: page ? await named(view, page) : undefined }) };
    return contentOr(reading, parts, pagePathIn(reading.structure, siteSpace, ""), shown);
  }
  const way = page && (await sight.wayTo(page.id));
  const shown = way && (await pageFound(reading, parts, { siteSpace, space, view, sight, way }));
  return shown?.is === "content" ? shown : redirected(shown, await view.findRedirect(path));
}

/** What a redirect of the book adds: the anchor on the page that it led to, or a URL where there is no page. */
function redirected(found: Found | undefined, to: ContentRef | undefined): Found | undefined {
  if (to?.kind === "url") return found ?? leadsTo(to.url);
  if (to?.kind !== "anchor" || found?.is !== "redirect") return found;
  return { ...found, url: `${found.url}#${encodeURIComponent(to.anchor)}` };
}

/** Content, if this is its own path; otherwise a redirect to that path. */
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
  readonly view: RevisionView;
  readonly sight: Sight;
  readonly way: readonly WithId<PageEntry>[];
}

/** A page with a text is shown; a group redirects to its first page, a link to its target. */
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
    const first = await firstPage(sight, page.id);
    const path = first && pathTo((await view.getPagePath(first.id))!);
    return path && leadsTo(publishedUrl(reading, reading.visitor.shareKey, path));
  }
  const path = buildPagePath(way);
  return contentOr(reading, parts, pathTo(path), { siteSpace, space, page: { id: page.id, path } });
}

/** The target of a link page, if it is a URL or on a site. */
function siteTarget({ target }: PageEntry, home: string): SiteTarget | undefined {
  if (target?.kind === "url") return /^https?:\/\//i.test(target.url) ? target : undefined;
  if (target?.kind === "page") return { kind: "page", page: target.page, space: target.space ?? home };
  return target?.kind === "space" ? { kind: "space", space: target.space } : undefined;
}

async function named(view: RevisionView, { id }: WithId<PageEntry>) {
  return { id, path: (await view.getPagePath(id))! };
}

/** The first visible page with a text, under a parent or in the groups below it. */
async function firstPage(sight: Sight, parent: string | null): Promise<WithId<PageEntry> | undefined> {
  for await (const page of sight.below(parent, { wanted: 1 })) {
    if (page.type !== "group" && page.type !== "link") return page;
    const inside = page.type === "group" ? await firstPage(sight, page.id) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

/** The redirect for a default that the visitor does not see: to the first sibling that they see. */
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
