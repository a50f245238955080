// Builds the URLs of a site. Its own URL comes from its proven hostname or proxy, or from its basename. Below it, the default section and
// the default site-space of a section have no path of their own; all others have one.
//
//   <site>                       the default site-space of the default section, or of a site without sections
//   <site>/<section>             the default site-space of another section
//   <site>/<section>/<space>     every other site-space of a section
//   <site>/<space>               every other site-space of a site without sections
//
// Paths are unique among siblings, so no two site-spaces have the same URL. On a site with share links the key comes
// before these paths.

import type { Urls } from "../../../ports/urls";
import type { OrganizationRecord } from "../../people/organizations/records";
import { getProvenAddresses, type SiteRecord } from "../records";
import type { Structure } from "../structure/structure";

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
  return item.id === section.defaultItem ? getItemPath(structure, section.id) : [section.path, item.path];
}

export function buildSiteUrl(base: string, shareKey: string | undefined, path: readonly string[]): string {
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
