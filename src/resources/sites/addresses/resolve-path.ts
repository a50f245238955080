// Resolves a path of a site for a visitor. A path with content is never redirected. Otherwise the redirects of the site apply, then
// those of the book, the former paths of pages, and the addresses of HTML files that pages were generated from. Redirects lead only to
// stored targets; no part of a request becomes a target.
//
//  1. The longest match determines the section and the site-space; the rest of the path is that of a page.
//  2. A path in a longer form than needed redirects to the shorter one.
//  3. Content that the visitor may not see is treated as absent.
//  4. A path that leads nowhere in the site-space or section that it names may still be that of a page at the URL of the site, which had
//     it before. It redirects to the longer form of that page.

import type { PageEntry } from "../../../content/revision/entries";
import { findPageByHtmlPath, htmlIndex } from "../../../content/revision/html-paths";
import { buildPagePath, type RevisionView, type WithId } from "../../../content/revision/view";
import { omitUndefined } from "../../../utils/objects";
import type { SpaceRecord } from "../../library/tree/records";
import { findVisibleSpace, getVisibleItems } from "../audience/visible-items";
import { createVisiblePages, type VisiblePages } from "../reading/visible-pages";
import type { SiteSpaceRecord } from "../records";
import { getChildSiteSpaces, getSections } from "../structure/structure";
import { getPathOnSite } from "./locate-site";
import { findLiveRedirect } from "./redirect-records";
import { getItemPath, getPagePathOnSite, getPublishedUrl, getRootSiteSpace, matchSiteSpace } from "./site-urls";
import { getTargetUrl, openSpaceView, type SiteTarget, type SiteUrlContext } from "./targets";
import { formatUrlPath } from "./url-paths";

export interface PathContent {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  /** Undefined if the space has no page to show. */
  readonly page?: { readonly id: string; readonly path: string };
}

export type PathResolution =
  | { readonly is: "content"; readonly shown: PathContent; readonly path: readonly string[] }
  | { readonly is: "redirect"; readonly url: string; readonly redirect?: string };

/** The limit of redirects that are followed in a row. */
export const MAX_REDIRECTS = 10;

/** Resolves a path for a visitor, or returns undefined if they see nothing there. */
export async function resolveSitePath(
  context: SiteUrlContext,
  segments: readonly string[],
): Promise<PathResolution | undefined> {
  const resolution = await resolveWithoutRedirects(context, segments);
  if (resolution?.is === "content") return resolution;

  // The redirects that begin at the path are followed to their final target.
  let path = segments;
  let firstId: string | undefined;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const redirect = await findLiveRedirect(context.tx, context.site.id, formatUrlPath(path));
    if (!redirect) return resolution;
    firstId ??= redirect.id;
    const { destination } = redirect;
    const next = destination.kind === "url" ? getPathOnSite(context, destination.url) : undefined;
    if (!next) return createRedirectResolution(await getTargetUrl(context, destination), firstId) ?? resolution;
    const reached = await resolveWithoutRedirects(context, next);
    if (reached?.is === "content") {
      const url = getPublishedUrl(context, context.visitor.shareKey, next);
      return createRedirectResolution(url, firstId) ?? resolution;
    }
    if (!(await findLiveRedirect(context.tx, context.site.id, formatUrlPath(next))))
      return reached ? createRedirectResolution(reached.url, firstId) : resolution;
    path = next;
  }
  return resolution;
}

function createRedirectResolution(url: string | undefined, redirect?: string): PathResolution | undefined {
  return url === undefined ? undefined : { is: "redirect", url, ...omitUndefined({ redirect }) };
}

/** Resolves a path without the redirects of the site: to content, or to a redirect if the content has moved. */
async function resolveWithoutRedirects(
  context: SiteUrlContext,
  segments: readonly string[],
): Promise<PathResolution | undefined> {
  const match = matchSiteSpace(context.structure, segments);
  const resolution = match && (await resolveInSiteSpace(context, segments, match));
  if (resolution || !match || match.rest.length === segments.length) return resolution;
  const siteSpace = getRootSiteSpace(context.structure)!;
  return resolveInSiteSpace(context, segments, { siteSpace, rest: segments });
}

/** Resolves a path, of which `rest` is the part behind the path of a site-space. */
async function resolveInSiteSpace(
  context: SiteUrlContext,
  segments: readonly string[],
  { siteSpace, rest }: { readonly siteSpace: SiteSpaceRecord; readonly rest: readonly string[] },
): Promise<PathResolution | undefined> {
  const space = await findVisibleSpace(context, context.structure, siteSpace);
  if (!space) return rest.length === 0 ? redirectToVisibleSibling(context, segments, siteSpace) : undefined;
  const view = await openSpaceView(context, space);
  if (!view) return undefined;
  const visiblePages = await createVisiblePages(view, context.visitor.claims);
  const path = rest.join("/");
  const page = (rest.length > 0 && (await view.findPageByPath(path))) || (await findPageByHtmlPath(view, path));
  if (rest.length === 0 || (!page && rest.length === 1 && htmlIndex.test(path))) {
    const first = await findFirstPage(visiblePages, null);
    const firstPage = first && { id: first.id, path: (await view.getPagePath(first.id))! };
    const shown = { siteSpace, space, ...omitUndefined({ page: firstPage }) };
    return resolveToContent(context, segments, getPagePathOnSite(context.structure, siteSpace, ""), shown);
  }
  const ancestry = page && (await visiblePages.getAncestry(page.id));
  const resolution =
    ancestry && (await resolvePageOnSite(context, segments, { siteSpace, space, view, visiblePages, ancestry }));
  if (resolution?.is === "content") return resolution;

  // A redirect of the book adds the anchor on the page that it led to, or leads to a URL if there is no page.
  const bookRedirect = await view.findRedirect(path);
  if (bookRedirect?.kind === "url") return resolution ?? createRedirectResolution(bookRedirect.url);
  if (bookRedirect?.kind !== "anchor" || !resolution) return resolution;
  return { ...resolution, url: `${resolution.url}#${encodeURIComponent(bookRedirect.anchor)}` };
}

/** Resolves to content if the path is its canonical one, otherwise to a redirect to the canonical path. */
function resolveToContent(
  context: SiteUrlContext,
  segments: readonly string[],
  path: readonly string[],
  shown: PathContent,
): PathResolution | undefined {
  if (formatUrlPath(segments) === formatUrlPath(path)) return { is: "content", shown, path };
  return createRedirectResolution(getPublishedUrl(context, context.visitor.shareKey, path));
}

interface PageOnSite {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly view: RevisionView;
  readonly visiblePages: VisiblePages;
  readonly ancestry: readonly WithId<PageEntry>[];
}

/** Resolves a visible page. A document is shown; a group redirects to its first page, a link to its target. */
async function resolvePageOnSite(
  context: SiteUrlContext,
  segments: readonly string[],
  { siteSpace, space, view, visiblePages, ancestry }: PageOnSite,
): Promise<PathResolution | undefined> {
  const page = ancestry[0]!;
  const buildPath = (path: string) => getPagePathOnSite(context.structure, siteSpace, path);
  if (page.type === "link") {
    // Only links to URLs, pages and spaces redirect.
    const { target } = page;
    let siteTarget: SiteTarget | undefined;
    if (target?.kind === "url" && /^https?:\/\//i.test(target.url)) siteTarget = target;
    if (target?.kind === "page") siteTarget = { kind: "page", page: target.page, space: target.space ?? space.id };
    if (target?.kind === "space") siteTarget = { kind: "space", space: target.space };
    return siteTarget && createRedirectResolution(await getTargetUrl(context, siteTarget));
  }
  if (page.type === "group") {
    const first = await findFirstPage(visiblePages, page.id);
    const path = first && buildPath((await view.getPagePath(first.id))!);
    return path && createRedirectResolution(getPublishedUrl(context, context.visitor.shareKey, path));
  }
  const path = buildPagePath(ancestry);
  return resolveToContent(context, segments, buildPath(path), { siteSpace, space, page: { id: page.id, path } });
}

/** Returns the first visible document below a parent, or in the groups below it. */
async function findFirstPage(
  visiblePages: VisiblePages,
  parent: string | null,
): Promise<WithId<PageEntry> | undefined> {
  for await (const page of visiblePages.listChildren(parent, { firstBatchSize: 1 })) {
    if (page.type !== "group" && page.type !== "link") return page;
    const firstInGroup = page.type === "group" ? await findFirstPage(visiblePages, page.id) : undefined;
    if (firstInGroup) return firstInGroup;
  }
  return undefined;
}

/** Redirects from a hidden default to its first visible sibling: on the whole site for its own URL, else in the section. */
async function redirectToVisibleSibling(
  context: SiteUrlContext,
  segments: readonly string[],
  hiddenDefault: SiteSpaceRecord,
): Promise<PathResolution | undefined> {
  const { structure } = await getVisibleItems(context, context.structure);
  const sections = getSections(structure);
  let siblings: readonly SiteSpaceRecord[];
  if (segments.length === 0) {
    siblings =
      sections.length === 0
        ? getChildSiteSpaces(structure, null)
        : sections.flatMap(({ id }) => getChildSiteSpaces(structure, id));
  } else {
    const section = sections.find(({ path }) => path === segments[0]);
    if (segments.length > 1 || section?.id !== hiddenDefault.parent) return undefined;
    siblings = getChildSiteSpaces(structure, section!.id);
  }
  const [first] = siblings;
  const path = first && getItemPath(context.structure, first.id)!;
  return path && createRedirectResolution(getPublishedUrl(context, context.visitor.shareKey, path));
}
