// Builds the URLs of pages of a site, below their site-space. A page whose path could be mistaken for a path of the structure gets the
// long form with section and site-space, so that every URL leads back to its page.

import type { Urls } from "../../../ports/urls";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import { getChildSiteSpaces, getSections, type Structure } from "../structure/structure";
import { buildSiteUrl, getItemPath, getPublishedUrl } from "./site-urls";

/** Returns the path segments of a page below the URL of the site. */
export function getPagePathOnSite(structure: Structure, siteSpace: SiteSpaceRecord, page: string): readonly string[] {
  return createPagePathBuilder(structure, siteSpace)(page);
}

/** Returns `getPagePathOnSite` for many pages of one site-space. It looks up once what doesn't depend on the page. */
function createPagePathBuilder(structure: Structure, siteSpace: SiteSpaceRecord): (page: string) => readonly string[] {
  const { parent, path } = siteSpace;
  const section = parent === null ? undefined : structure.get(parent);
  const short = getItemPath(structure, siteSpace.id) ?? [];
  const long = section?.type === "site-section" ? [section.path, path] : [path];
  const names = new Set<string | undefined>(structure.items.flatMap((item) => ("path" in item ? item.path : [])));
  const isFound = (rest: readonly string[]) => {
    const match = matchSiteSpace(structure, [...short, ...rest]);
    return match?.siteSpace.id === siteSpace.id && match.rest.length === rest.length;
  };
  const isFoundWithOtherNames = isFound([]);
  return (page) => {
    const rest = page === "" ? [] : page.split("/");
    // Only the first two segments of a page's path can equal those of a section or a site-space.
    const isAmbiguous = names.has(rest[0]) || names.has(rest[1]);
    return [...((isAmbiguous ? isFound(rest) : isFoundWithOtherNames) ? short : long), ...rest];
  };
}

/** Returns the site-space with the longest match of a path, and the rest of the path. On an empty site there is none. */
export function matchSiteSpace(
  structure: Structure,
  segments: readonly string[],
): { readonly siteSpace: SiteSpaceRecord; readonly rest: readonly string[] } | undefined {
  const sections = getSections(structure);
  const namedSection = sections.find(({ path }) => path === segments[0]);
  const rest = namedSection ? segments.slice(1) : segments;
  const section = namedSection ?? sections.find(({ id }) => id === structure.defaultItem);
  const siteSpaces = getChildSiteSpaces(structure, section?.id ?? null);
  // The site-spaces of the default section are found only with the path of the section.
  const namedSiteSpace = namedSection || !section ? siteSpaces.find(({ path }) => path === rest[0]) : undefined;
  const defaultId = section ? section.defaultItem : structure.defaultItem;
  const siteSpace = namedSiteSpace ?? siteSpaces.find(({ id }) => id === defaultId);
  return siteSpace && { siteSpace, rest: namedSiteSpace ? rest.slice(1) : rest };
}

/** A site and the visitor whom its URLs are for. */
type PageUrlContext = Pick<SiteViewerContext, "site" | "organization"> & {
  readonly visitor: Visitor;
  readonly urls: Urls;
};

interface PublishedUrls {
  readonly published?: string;
}

export function getPageUrls(
  context: PageUrlContext,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
  page: string,
): PublishedUrls {
  return createPageUrlBuilder(context, structure, siteSpace)(page);
}

/** Returns `getPageUrls` for many pages of one site-space. */
export function createPageUrlBuilder(
  context: PageUrlContext,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
): (page: string) => PublishedUrls {
  const siteUrl = getPublishedUrl(context, context.visitor.shareKey);
  if (siteUrl === undefined) return () => ({});
  const buildPath = createPagePathBuilder(structure, siteSpace);
  return (page) => ({ published: buildSiteUrl(siteUrl, undefined, buildPath(page)) });
}
