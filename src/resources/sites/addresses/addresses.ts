// Where a site is published. Its own URL comes from its hostname or its proxy, once they are proven, or its basename; below that the structure says
// the rest: the default section and the default site-space of a section have no path of their own, all others have.
//
//   <site>                       the default site-space of the default section, or of a site without sections
//   <site>/<section>             the default site-space of another section
//   <site>/<section>/<space>     every other site-space of a section
//   <site>/<space>               every other site-space of a site without sections
//
// Paths are unique among siblings, so no two site-spaces have one URL. On a site with share links the key stands before them.

import type { Urls } from "../../../urls";
import type { OrganizationRecord } from "../../people/organizations/records";
import { provenAddresses, type SiteRecord } from "../records";
import type { Structure } from "../structure/structure";

/** The URL of a site, without a slash at its end. */
function siteUrl(site: SiteRecord, organization: OrganizationRecord, urls: Urls): string {
  const { proxy } = provenAddresses(site);
  return proxy !== null ? `https://${proxy}` : siteUrlBehindProxy(site, organization, urls);
}

/** Where a site is found without its proxy, and where that one asks for it. */
export function siteUrlBehindProxy(site: SiteRecord, organization: OrganizationRecord, urls: Urls): string {
  const { hostname } = provenAddresses(site);
  if (hostname !== null) return `https://${hostname}`;
  return urls.site(`/${organization.hostname ?? organization.id}/${encodeURIComponent(site.basename)}`);
}

/** The path of a section or a site-space under its site's URL, in its parts; undefined for what has none. */
export function pathIn(structure: Structure, id: string): readonly string[] | undefined {
  const item = structure.get(id);
  if (item?.type === "site-section") return item.id === structure.defaultItem ? [] : [item.path];
  if (item?.type !== "site-space") return undefined;
  const section = item.parent === null ? undefined : structure.get(item.parent);
  if (section?.type !== "site-section") return item.id === structure.defaultItem ? [] : [item.path];
  return item.id === section.defaultItem ? pathIn(structure, section.id) : [section.path, item.path];
}

/** A URL put together: the site's, the share key if there is one, and what follows. */
export function urlOf(base: string, shareKey: string | undefined, path: readonly string[]): string {
  return [base, ...(shareKey === undefined ? [] : [shareKey]), ...path.map(encodeURIComponent)].join("/");
}

/** Where the audience finds a site, or what is at a path of it; undefined while it is not published, and without the key
 * of a site with share links: a URL that opens nothing is none. */
export function publishedUrl(
  {
    site,
    organization,
    urls,
  }: { readonly site: SiteRecord; readonly organization: OrganizationRecord; readonly urls: Urls },
  shareKey: string | undefined,
  path: readonly string[] = [],
): string | undefined {
  const needsKey = site.visibility === "share-link";
  if (!site.published || (needsKey && shareKey === undefined)) return undefined;
  return urlOf(siteUrl(site, organization, urls), needsKey ? shareKey : undefined, path);
}
