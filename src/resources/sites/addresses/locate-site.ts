// Finds the site of a URL: by its host, which one organization has proven, or by the common URL of sites without a
// host.

import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { getClaimingPartition, isNameHeld } from "../../../storage/claims";
import type { Reader } from "../../../storage/transaction";
import { parseUrl, tryParseUrl } from "../../../utils/url";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  getHostnameClaim,
  type OrganizationRecord,
} from "../../people/organizations/records";
import { getProvenAddresses, type SiteRecord, sites } from "../records";
import { getHostClaim } from "./hosts";
import { formatUrlPath, parseUrlPath } from "./url-paths";

/** A site, and the rest of the URL after the site's own. */
export interface SiteLocation {
  readonly tx: Reader;
  readonly organization: OrganizationRecord;
  readonly site: SiteRecord;
  readonly segments: readonly string[];
}

type Looking = Pick<TargetContext, "directory" | "peek"> & { readonly urls: Urls };

/** The most directories of a proxy that are tried. */
const MAX_DIRECTORIES = 64;

/** The site of a URL, published or not; undefined when there is none. */
export async function locateSite(context: Looking, url: string): Promise<SiteLocation | undefined> {
  const asked = tryParseUrl(url);
  const parts = asked && parseUrlPath(asked.pathname);
  if (!parts) return undefined;
  const { findByHost, hasOriginPerOrganization } = context.urls.sites;
  const shared = findByHost(asked.host);
  const under = shared && removeBasePath(shared.url, asked, parts);
  if (under)
    return findSiteByBasename(context, shared.organization === undefined ? under : [shared.organization, ...under]);
  // A host that names an organization is of nobody else.
  if (asked.port !== "" || (shared && hasOriginPerOrganization)) return undefined;
  const claim = getHostClaim(asked.hostname);
  const partition = await getClaimingPartition(context.directory, claim);
  const tx = partition === undefined ? undefined : await context.peek(partition);
  return tx && (await isNameHeld(tx, claim)) ? findSiteByHost(tx, asked.hostname, parts) : undefined;
}

async function findSiteByBasename({ directory, peek }: Looking, [name, basename, ...parts]: readonly string[]) {
  if (name === undefined || basename === undefined) return undefined;
  const partition = findOrganizationPartition(name) ?? (await getClaimingPartition(directory, getHostnameClaim(name)));
  const tx = partition === undefined ? undefined : await peek(partition);
  const organization = tx && (await findPartitionOrganization(tx));
  if (!organization || (organization.id !== name && organization.hostname !== name)) return undefined;
  const site = await sites.find(tx, "basename", basename);
  return site && { tx, organization, site, segments: parts };
}

async function findSiteByHost(tx: Reader, host: string, parts: readonly string[]): Promise<SiteLocation | undefined> {
  const organization = await findPartitionOrganization(tx);
  if (!organization) return undefined;
  const own = await sites.find(tx, "hostname", host);
  if (own) return isProven(own, host) ? { tx, organization, site: own, segments: parts } : undefined;
  for (let length = 1; length <= Math.min(parts.length, MAX_DIRECTORIES); length++) {
    const site = await sites.find(tx, "proxy", host + formatUrlPath(parts.slice(0, length)));
    if (site) return isProven(site, host) ? { tx, organization, site, segments: parts.slice(length) } : undefined;
  }
  return undefined;
}

function isProven({ proven = [] }: SiteRecord, host: string): boolean {
  return proven.includes(host);
}

/** The rest of a URL after another one; undefined when it does not begin with that. */
export function removeBasePath(base: string, asked: URL, parts: readonly string[]): readonly string[] | undefined {
  const { host, pathname } = parseUrl(base);
  const above = parseUrlPath(pathname) ?? [];
  return asked.host === host && above.every((part, i) => parts[i] === part) ? parts.slice(above.length) : undefined;
}

/** The rest of a URL after one of the site's own URLs; undefined when it leads elsewhere. */
export function getPathOnSite(
  {
    site,
    organization,
    urls,
  }: { readonly site: SiteRecord; readonly organization: OrganizationRecord; readonly urls: Urls },
  url: string,
): readonly string[] | undefined {
  const asked = tryParseUrl(url);
  const parts = asked && parseUrlPath(asked.pathname);
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
    const rest = parts && removeBasePath(base, asked, parts);
    if (rest) return rest;
  }
  return undefined;
}
