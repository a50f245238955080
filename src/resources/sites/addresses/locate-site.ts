// Finds the site of a URL: by its host, which one organization has proven, or by its basename below the common URL of sites.

import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { getClaimingPartition, getReservation, nameClaims } from "../../../storage/claims";
import { parseUrl, tryParseUrl } from "../../../utils/url";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  type OrganizationRecord,
} from "../../people/organizations/records";
import { getProvenAddresses, type SiteRecord, sites } from "../records";
import { formatUrlPath, parseUrlPath } from "./url-paths";

/** The limit of directories of a proxy that are tried. */
const MAX_DIRECTORIES = 64;

export async function locateSite(
  context: Pick<TargetContext, "directory" | "peek"> & { readonly urls: Urls },
  url: string,
) {
  const parsedUrl = tryParseUrl(url);
  const segments = parsedUrl && parseUrlPath(parsedUrl.pathname);
  if (!segments) return undefined;
  const { findByHost, hasOriginPerOrganization } = context.urls.sites;
  const commonUrl = findByHost(parsedUrl.host);
  const rest = commonUrl && removeBasePath(commonUrl.url, parsedUrl, segments);
  if (rest) {
    // The path begins with the organization, unless the host names it, and the basename of the site.
    const path = commonUrl.organization === undefined ? rest : [commonUrl.organization, ...rest];
    const [name, basename, ...siteSegments] = path;
    if (name === undefined || basename === undefined) return undefined;
    const partition =
      findOrganizationPartition(name) ?? (await getClaimingPartition(context.directory, nameClaims.subdomain(name)));
    const tx = partition === undefined ? undefined : await context.peek(partition);
    const organization = tx && (await findPartitionOrganization(tx));
    if (!organization || (organization.id !== name && organization.hostname !== name)) return undefined;
    const site = await sites.find(tx, "basename", basename);
    return site && { tx, organization, site, segments: siteSegments };
  }

  // A host that names an organization belongs to nobody else.
  if (parsedUrl.port !== "" || (commonUrl && hasOriginPerOrganization)) return undefined;
  const claim = nameClaims.siteHost(parsedUrl.hostname);
  const partition = await getClaimingPartition(context.directory, claim);
  const tx = partition === undefined ? undefined : await context.peek(partition);
  if (!tx || !(await getReservation(tx, claim))?.held) return undefined;
  const organization = await findPartitionOrganization(tx);
  if (!organization) return undefined;
  const host = parsedUrl.hostname;
  let site = await sites.find(tx, "hostname", host);
  let siteSegments = segments;
  for (let length = 1; !site && length <= Math.min(segments.length, MAX_DIRECTORIES); length++) {
    site = await sites.find(tx, "proxy", host + formatUrlPath(segments.slice(0, length)));
    siteSegments = segments.slice(length);
  }
  return site?.proven?.includes(host) ? { tx, organization, site, segments: siteSegments } : undefined;
}

/** Returns the path segments of a URL behind a base URL, or undefined if it isn't below that. */
export function removeBasePath(base: string, url: URL, segments: readonly string[]): readonly string[] | undefined {
  const { host, pathname } = parseUrl(base);
  const baseSegments = parseUrlPath(pathname) ?? [];
  const isBelow = url.host === host && baseSegments.every((segment, i) => segments[i] === segment);
  return isBelow ? segments.slice(baseSegments.length) : undefined;
}

/** Returns the path segments of a URL behind one of the URLs of a site, or undefined if it isn't on the site. */
export function getPathOnSite(
  {
    site,
    organization,
    urls,
  }: { readonly site: SiteRecord; readonly organization: OrganizationRecord; readonly urls: Urls },
  url: string,
): readonly string[] | undefined {
  const parsedUrl = tryParseUrl(url);
  const segments = parsedUrl && parseUrlPath(parsedUrl.pathname);
  const names = [organization.id, ...(organization.hostname === null ? [] : [organization.hostname])];
  const { proxy, hostname } = getProvenAddresses(site);
  const bases = [
    ...(proxy === null ? [] : [`https://${proxy}`]),
    ...(hostname === null ? [] : [`https://${hostname}`]),
    ...names
      .flatMap((name) => urls.sites.getOrganizationUrl(name) ?? [])
      .map((url) => `${url}/${encodeURIComponent(site.basename)}`),
  ];
  for (const base of bases) {
    const rest = segments && removeBasePath(base, parsedUrl, segments);
    if (rest) return rest;
  }
  return undefined;
}
