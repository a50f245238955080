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
import { findVisibleSpace } from "../audience/visible-alone";
import { getVisibleItems } from "../audience/visible-items";
import { createVisiblePages, type VisiblePages } from "../reading/visible-pages";
import type { SiteSpaceRecord } from "../records";
import { getChildSiteSpaces, getSections, type Structure } from "../structure/structure";
import { getPathOnSite } from "./locate-site";
import { getPagePathOnSite, matchSiteSpace } from "./page-urls";
import { redirects } from "./redirect-records";
import { getItemPath, getPublishedUrl } from "./site-urls";
import { getTargetUrl, openSpaceView, type SiteTarget, type SiteUrlContext } from "./targets";
import { formatUrlPath } from "./url-paths";

/** What is at a path. */
export interface PathContent {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  /** Undefined when a space has no page to show. */
  readonly page?: { readonly id: string; readonly path: string };
}

export type PathResolution =
  | { readonly is: "content"; readonly shown: PathContent; readonly path: readonly string[] }
  | { readonly is: "redirect"; readonly url: string; readonly redirect?: string };

/** The most redirects that are followed in a row. */
export const MAX_REDIRECTS = 10;

/** What is at a path for a visitor; undefined: nothing. */
export async function resolveSitePath(
  reading: SiteUrlContext,
  parts: readonly string[],
): Promise<PathResolution | undefined> {
  const standing = await resolveWithoutRedirects(reading, parts);
  if (standing?.is === "content") return standing;
  return (await followRedirects(reading, parts)) ?? standing;
}

/** The final target of the redirects that begin at a path. */
async function followRedirects(reading: SiteUrlContext, parts: readonly string[]): Promise<PathResolution | undefined> {
  let at = parts;
  let first: string | undefined;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const redirect = await redirects.find(reading.tx, "source", reading.site.id, formatUrlPath(at));
    if (!redirect) return undefined;
    first ??= redirect.id;
    const { destination } = redirect;
    const own = destination.kind === "url" ? getPathOnSite(reading, destination.url) : undefined;
    if (!own) return createRedirectResolution(await getTargetUrl(reading, destination), first);
    const standing = await resolveWithoutRedirects(reading, own);
    if (standing?.is === "content")
      return createRedirectResolution(getPublishedUrl(reading, reading.visitor.shareKey, own), first);
    if (!(await redirects.find(reading.tx, "source", reading.site.id, formatUrlPath(own))))
      return standing && createRedirectResolution(standing.url, first);
    at = own;
  }
  return undefined;
}

function createRedirectResolution(url: string | undefined, redirect?: string): PathResolution | undefined {
  return url === undefined ? undefined : { is: "redirect", url, ...omitUndefined({ redirect }) };
}

/** What is at a path without redirects: content, or something that has moved. */
async function resolveWithoutRedirects(
  reading: SiteUrlContext,
  parts: readonly string[],
): Promise<PathResolution | undefined> {
  const place = matchSiteSpace(reading.structure, parts);
  const space = place && (await findVisibleSpace(reading, reading.structure, place.siteSpace));
  if (!space) return place?.rest.length === 0 ? redirectToVisibleSibling(reading, parts, place.siteSpace) : undefined;
  const { siteSpace, rest } = place;
  const view = await openSpaceView(reading, space);
  if (!view) return undefined;
  const sight = await createVisiblePages(view, reading.visitor.claims);
  const path = rest.join("/");
  const found = (rest.length > 0 && (await view.findPageByPath(path))) || (await findPageByHtmlPath(view, path));
  const isFirst = rest.length === 0 || (!found && rest.length === 1 && isHtmlIndex(path));
  const page = isFirst ? await findFirstPage(sight, null) : found;
  if (isFirst) {
    const shown = { siteSpace, space, ...omitUndefined({ page: page ? await named(view, page) : undefined }) };
    return resolveToContent(reading, parts, getPagePathOnSite(reading.structure, siteSpace, ""), shown);
  }
  const way = page && (await sight.getAncestry(page.id));
  const shown = way && (await resolvePage(reading, parts, { siteSpace, space, view, sight, way }));
  return shown?.is === "content" ? shown : redirected(shown, await view.findRedirect(path));
}

/** What a redirect of the book adds: the anchor on the page that it led to, or a URL where there is no page. */
function redirected(found: PathResolution | undefined, to: ContentRef | undefined): PathResolution | undefined {
  if (to?.kind === "url") return found ?? createRedirectResolution(to.url);
  if (to?.kind !== "anchor" || found?.is !== "redirect") return found;
  return { ...found, url: `${found.url}#${encodeURIComponent(to.anchor)}` };
}

/** Content, if this is its own path; otherwise a redirect to that path. */
function resolveToContent(
  reading: SiteUrlContext,
  parts: readonly string[],
  path: readonly string[],
  shown: PathContent,
): PathResolution | undefined {
  if (formatUrlPath(parts) === formatUrlPath(path)) return { is: "content", shown, path };
  return createRedirectResolution(getPublishedUrl(reading, reading.visitor.shareKey, path));
}

interface PageOnSite {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly view: RevisionView;
  readonly sight: VisiblePages;
  readonly way: readonly WithId<PageEntry>[];
}

/** A page with a text is shown; a group redirects to its first page, a link to its target. */
async function resolvePage(
  reading: SiteUrlContext,
  parts: readonly string[],
  { siteSpace, space, view, sight, way }: PageOnSite,
): Promise<PathResolution | undefined> {
  const page = way[0]!;
  const pathTo = (path: string) => getPagePathOnSite(reading.structure, siteSpace, path);
  if (page.type === "link") {
    const target = getLinkPageTarget(page, space.id);
    return target && createRedirectResolution(await getTargetUrl(reading, target));
  }
  if (page.type === "group") {
    const first = await findFirstPage(sight, page.id);
    const path = first && pathTo((await view.getPagePath(first.id))!);
    return path && createRedirectResolution(getPublishedUrl(reading, reading.visitor.shareKey, path));
  }
  const path = buildPagePath(way);
  return resolveToContent(reading, parts, pathTo(path), { siteSpace, space, page: { id: page.id, path } });
}

/** The target of a link page, if it is a URL or on a site. */
function getLinkPageTarget({ target }: PageEntry, home: string): SiteTarget | undefined {
  if (target?.kind === "url") return /^https?:\/\//i.test(target.url) ? target : undefined;
  if (target?.kind === "page") return { kind: "page", page: target.page, space: target.space ?? home };
  return target?.kind === "space" ? { kind: "space", space: target.space } : undefined;
}

async function named(view: RevisionView, { id }: WithId<PageEntry>) {
  return { id, path: (await view.getPagePath(id))! };
}

/** The first visible page with a text, under a parent or in the groups below it. */
async function findFirstPage(sight: VisiblePages, parent: string | null): Promise<WithId<PageEntry> | undefined> {
  for await (const page of sight.listChildren(parent, { firstBatchSize: 1 })) {
    if (page.type !== "group" && page.type !== "link") return page;
    const inside = page.type === "group" ? await findFirstPage(sight, page.id) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

/** The redirect for a default that the visitor does not see: to the first sibling that they see. */
async function redirectToVisibleSibling(
  reading: SiteUrlContext,
  parts: readonly string[],
  missing: SiteSpaceRecord,
): Promise<PathResolution | undefined> {
  const { structure } = await getVisibleItems(reading, reading.structure);
  const isSites = parts.length === 0;
  const named = isSites ? undefined : getSections(structure).find(({ path }) => path === parts[0]);
  if (!isSites && (parts.length > 1 || named?.id !== missing.parent)) return undefined;
  const [first] = isSites ? inOrder(structure) : getChildSiteSpaces(structure, named!.id);
  return (
    first &&
    createRedirectResolution(
      getPublishedUrl(reading, reading.visitor.shareKey, getItemPath(reading.structure, first.id)!),
    )
  );
}

function inOrder(structure: Structure): readonly SiteSpaceRecord[] {
  const sections = getSections(structure);
  return sections.length === 0
    ? getChildSiteSpaces(structure, null)
    : sections.flatMap(({ id }) => getChildSiteSpaces(structure, id));
}
