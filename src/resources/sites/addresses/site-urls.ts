// Builds the URLs of a site and of its pages. Its own URL comes from its proven hostname or proxy, or from its basename. Below it, the
// default section and the default site-space of a section have no path of their own; all others have one.
//
//   <site>                       the default site-space of the default section, or of a site without sections
//   <site>/<section>             the default site-space of another section
//   <site>/<space>               every other site-space of the default section, or of a site without sections
//   <site>/<section>/<space>     every other site-space of another section
//
// Paths are unique among siblings, so no two site-spaces have the same URL. A site-space of the default section whose path is that of a
// section has the URL below its section. On a site with share links the key comes
// before these paths. A page whose path could be mistaken for a path of the structure gets the long form with section and site-space, so
// that every URL leads back to its page.

import type { Urls } from "../../../ports/urls";
import type { OrganizationRecord } from "../../people/organizations/records";
import type { Visitor } from "../audience/audience";
import { getProvenAddresses, type SiteRecord, type SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import { getChildSiteSpaces, getSections, type Structure } from "../structure/structure";

export function getSiteUrlBehindProxy(site: SiteRecord, organization: OrganizationRecord, urls: Urls): string {
  const { hostname } = getProvenAddresses(site);
  if (hostname !== null) return `https://${hostname}`;
  const { sites } = urls;
  const organizationUrl =
    (organization.hostname === null ? undefined : sites.getOrganizationUrl(organization.hostname)) ??
    sites.getOrganizationUrl(organization.id);
  return `${organizationUrl}/${encodeURIComponent(site.basename)}`;
}

/** Returns the path segments of a section or a site-space below the URL of the site. Other items have no path. */
export function getItemPath(structure: Structure, id: string): readonly string[] | undefined {
  const item = structure.get(id);
  if (item?.type === "site-section") return item.id === structure.defaultItem ? [] : [item.path];
  if (item?.type !== "site-space") return undefined;
  const section = item.parent === null ? undefined : structure.get(item.parent);
  if (section?.type !== "site-section") return item.id === structure.defaultItem ? [] : [item.path];
  if (item.id === section.defaultItem) return getItemPath(structure, section.id);
  const isAtRoot =
    section.id === structure.defaultItem && !getSections(structure).some(({ path }) => path === item.path);
  return isAtRoot ? [item.path] : [section.path, item.path];
}

function buildSiteUrl(base: string, shareKey: string | undefined, path: readonly string[]): string {
  return [base, ...(shareKey === undefined ? [] : [shareKey]), ...path.map(encodeURIComponent)].join("/");
}

/** A site and the visitor whom its URLs are for. */
interface SiteAddressContext {
  readonly site: SiteRecord;
  readonly organization: OrganizationRecord;
  readonly urls: Urls;
  readonly visitor?: { readonly preview?: object } | undefined;
}

/**
 * Returns the public URL of a site, or of a path on it. An unpublished site has none, nor has a site with share links if no key is
 * known, because a URL without the key opens nothing. In a preview it is the URL without a key, published or not.
 */
export function getPublishedUrl(
  { site, organization, urls, visitor }: SiteAddressContext,
  shareKey: string | undefined,
  path: readonly string[] = [],
): string | undefined {
  const needsKey = site.visibility === "share-link";
  if (!visitor?.preview && (!site.published || (needsKey && shareKey === undefined))) return undefined;
  const { proxy } = getProvenAddresses(site);
  const siteUrl = proxy !== null ? `https://${proxy}` : getSiteUrlBehindProxy(site, organization, urls);
  return buildSiteUrl(siteUrl, needsKey && !visitor?.preview ? shareKey : undefined, path);
}

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
  const namedSiteSpace = siteSpaces.find(({ path }) => path === rest[0]);
  const defaultId = section ? section.defaultItem : structure.defaultItem;
  const siteSpace = namedSiteSpace ?? siteSpaces.find(({ id }) => id === defaultId);
  return siteSpace && { siteSpace, rest: namedSiteSpace ? rest.slice(1) : rest };
}

/** Returns the site-space that has the URL of the site. On an empty site there is none. */
export function getRootSiteSpace(structure: Structure): SiteSpaceRecord | undefined {
  return matchSiteSpace(structure, [])?.siteSpace;
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
