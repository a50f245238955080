// The URLs of pages of a site, under their site-space. A page whose path looks like a path of the structure gets the
// long form with both section and site-space, so every URL leads back to its page.

import type { Urls } from "../../../ports/urls";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import { getChildSiteSpaces, getSections, type Structure } from "../structure/structure";
import { buildSiteUrl, getItemPath, getPublishedUrl } from "./site-urls";

/** The path segments of a page under its site's URL. */
export function getPagePathOnSite(structure: Structure, siteSpace: SiteSpaceRecord, page: string): readonly string[] {
  return createPagePathBuilder(structure, siteSpace)(page);
}

/** The same for many pages of one site-space: what does not depend on the page is looked up once. */
function createPagePathBuilder(structure: Structure, siteSpace: SiteSpaceRecord): (page: string) => readonly string[] {
  const short = getItemPath(structure, siteSpace.id) ?? [];
  const long = longPath(structure, siteSpace);
  const names = new Set<string | undefined>(structure.items.flatMap((item) => ("path" in item ? item.path : [])));
  const isFound = (rest: readonly string[]) => {
    const found = matchSiteSpace(structure, [...short, ...rest]);
    return found?.siteSpace.id === siteSpace.id && found.rest.length === rest.length;
  };
  const isFoundByOtherNames = isFound([]);
  return (page) => {
    const rest = page === "" ? [] : page.split("/");
    // Only the first two names of a page may be those of a section or a site-space.
    const mayBeTaken = names.has(rest[0]) || names.has(rest[1]);
    return [...((mayBeTaken ? isFound(rest) : isFoundByOtherNames) ? short : long), ...rest];
  };
}

/** The site-space with the longest match of a path, and the rest of the path; undefined on an empty site. */
export function matchSiteSpace(
  structure: Structure,
  parts: readonly string[],
): { readonly siteSpace: SiteSpaceRecord; readonly rest: readonly string[] } | undefined {
  const sections = getSections(structure);
  const section = sections.find(({ path }) => path === parts[0]);
  const inside = section ? parts.slice(1) : parts;
  const home = section ?? sections.find(({ id }) => id === structure.defaultItem);
  const beside = getChildSiteSpaces(structure, home?.id ?? null);
  // The site-spaces of the default section are found only with the path of the section.
  const named = section || !home ? beside.find(({ path }) => path === inside[0]) : undefined;
  const chosen = named ?? beside.find(({ id }) => id === (home ? home.defaultItem : structure.defaultItem));
  return chosen && { siteSpace: chosen, rest: named ? inside.slice(1) : inside };
}

function longPath(structure: Structure, { parent, path }: SiteSpaceRecord): readonly string[] {
  const section = parent === null ? undefined : structure.get(parent);
  return section?.type === "site-section" ? [section.path, path] : [path];
}

/** A site, and the visitor who asks for its URLs. */
type PageUrlContext = Pick<SiteViewerContext, "site" | "organization"> & {
  readonly visitor: Visitor;
  readonly urls: Urls;
};

interface PublishedUrls {
  readonly published?: string;
}

/** The URL of a page for a visitor. */
export function getPageUrls(
  at: PageUrlContext,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
  page: string,
): PublishedUrls {
  return createPageUrlBuilder(at, structure, siteSpace)(page);
}

/** The URLs of many pages of one site-space. */
export function createPageUrlBuilder(
  at: PageUrlContext,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
): (page: string) => PublishedUrls {
  const root = getPublishedUrl(at, at.visitor.shareKey);
  if (root === undefined) return () => ({});
  const pathTo = createPagePathBuilder(structure, siteSpace);
  return (page) => ({ published: buildSiteUrl(root, undefined, pathTo(page)) });
}
