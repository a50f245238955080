// The hosts of sites. Anybody may name a host. It belongs to the organization that proves it, which claims it in the
// directory while one of its sites uses it. An organization keeps a host while its own proof holds; after that another
// organization with a proof gets it. A host has either one site, by its hostname, or sites in directories, none inside
// another. So no two sites have the same URL.

import { createError } from "../../../errors";
import { defineJob, enqueueJob, type JobType } from "../../../jobs/jobs";
import { OutdatedError } from "../../../operation/outdated-error";
import { getNextVerification } from "../../../ports/domain-verification";
import type { Ports } from "../../../ports/ports";
import { replaceWildcard, type Urls } from "../../../ports/urls";
import {
  deleteDirectoryEntry,
  getClaimingPartition,
  holdName,
  isNameReserved,
  type NameClaim,
  releaseName,
  reserveName,
} from "../../../storage/claims";
import { DIRECTORY, parsePartitionCode } from "../../../storage/ids";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { parseUrl } from "../../../utils/url";
import { findOrganizationPartition, findPartitionOrganization } from "../../people/organizations/records";
import { getProxyHost, listSiteHosts, type SiteRecord, sites } from "../records";

type Addresses = Pick<SiteRecord, "hostname" | "proxy" | "proven">;

/** The claim on a host, unique across organizations. */
export function getHostClaim(host: string): NameClaim {
  return { kind: "site-host", name: host };
}

/** What claiming hosts needs. */
interface HostClaimContext {
  readonly store: Store;
  readonly partition: string;
  readonly ports: Pick<Ports, "domainVerifier">;
}

/** Refuses the hosts of the server itself, which nobody can claim. */
export function rejectServerHosts(urls: Urls, hosts: readonly string[]): void {
  const sites = parseUrl(replaceWildcard(urls.sites.origin, "x"));
  const ours = [...[urls.app("/"), urls.api("/")].map((url) => parseUrl(url).hostname), sites.hostname];
  // Cookies are the same at every port of a host.
  const port = sites.port && `:${sites.port}`;
  const isOurs = (host: string) => ours.includes(host) || urls.sites.findByHost(host + port) !== undefined;
  if (hosts.some(isOurs)) throw createError("site_host_taken");
}

/** The hosts among these that are proven for the organization. */
export async function filterProvenHosts(
  { domainVerifier: domains }: Pick<Ports, "domainVerifier">,
  organization: string,
  hosts: readonly string[],
): Promise<string[]> {
  const answers = await Promise.all(hosts.map((domain) => domains.isProven({ domain, kind: "site", organization })));
  return hosts.filter((_, i) => answers[i]);
}

/**
 * Claims proven hosts before the transaction that uses them. Returns for each what the transaction confirms it with.
 */
export async function reserveHosts(
  claiming: HostClaimContext,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const attempts = new Map<string, string>();
  for (const host of hosts) {
    const attempt = await reserveHost(claiming, host);
    if (attempt === undefined) throw createError("site_host_taken");
    attempts.set(host, attempt);
  }
  return attempts;
}

/** Claims a proven host; undefined when another organization has it and still proves it. */
async function reserveHost({ store, partition, ports }: HostClaimContext, host: string): Promise<string | undefined> {
  const claim = getHostClaim(host);
  const attempt = await reserveName(store, partition, claim);
  if (attempt !== undefined) return attempt;
  const holder = await getClaimingPartition(await store.read(DIRECTORY), claim);
  const other = holder === undefined ? undefined : await findPartitionOrganization(await store.read(holder));
  if (other && (await filterProvenHosts(ports, other.id, [host])).length > 0) return undefined;
  if (holder !== undefined && holder !== partition) await revokeHost(store, holder, host);
  return reserveName(store, partition, claim);
}

/** Takes a host from an organization that no longer proves it. Its sites keep the name but are not found there. */
async function revokeHost(store: Store, partition: string, host: string): Promise<void> {
  await store.write(partition, async (tx) => {
    releaseName(tx, getHostClaim(host));
    const own = await sites.find(tx, "hostname", host);
    for (const site of own ? [own] : await listSitesInDirectories(tx, host))
      if (site.proven?.includes(host))
        await sites.put(tx, { ...site, proven: site.proven.filter((it) => it !== host) });
  });
}

/** The sites in directories of a host. The read is checked, so no other site can be added meanwhile. */
async function listSitesInDirectories(tx: Reader, host: string): Promise<SiteRecord[]> {
  const proxies = await sites.readGuarded(tx, "proxiesOn", [[host]]);
  const count = await sites.total(proxies, "proxiesOn", host);
  const rows = count === 0 ? [] : await sites.list(proxies, "proxiesOn", { under: [host], limit: count });
  return rows.map(({ record }) => record);
}

/** Refuses an address that equals that of another site of the organization, or is inside or around it. */
export async function rejectOverlappingAddresses(tx: Reader, site: SiteRecord): Promise<void> {
  for (const host of listSiteHosts(site)) {
    const owner = await sites.find(tx, "hostname", host);
    if (owner && owner.id !== site.id) throw createError("site_host_taken");
    const others = (await listSitesInDirectories(tx, host)).filter(({ id }) => id !== site.id);
    if (site.hostname === host && (others.length > 0 || (site.proxy !== null && getProxyHost(site.proxy) === host)))
      throw createError("site_host_taken");
    if (site.proxy !== null && others.some(({ proxy }) => overlap(proxy!, site.proxy!)))
      throw createError("site_host_taken");
  }
}

/** Whether one directory equals the other or is inside it. */
function overlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

/**
 * Confirms the hosts that were claimed for a site. Returns all of its hosts that are proven now. Hosts that were
 * claimed for another state of the organization are claimed again.
 */
export async function confirmHosts(
  tx: Transaction,
  before: Addresses,
  after: Addresses,
  attempts: ReadonlyMap<string, string>,
): Promise<string[]> {
  const proven: string[] = [];
  for (const host of listSiteHosts(after)) {
    const attempt = attempts.get(host);
    if (attempt !== undefined) {
      // Another site of the organization may have given up the host since.
      if (!(await isNameReserved(tx, getHostClaim(host), attempt))) throw new OutdatedError();
      await holdName(tx, getHostClaim(host), attempt);
      proven.push(host);
    } else if (before.proven?.includes(host) && listSiteHosts(before).includes(host)) proven.push(host);
  }
  return proven;
}

/**
 * Gives up the hosts that a site no longer uses, when no other site of the organization uses them. The change is in
 * `tx`.
 */
export async function releaseHosts(tx: Transaction, before: Addresses, after: Addresses): Promise<string[]> {
  const left: string[] = [];
  for (const host of listSiteHosts(before)) {
    if (listSiteHosts(after).includes(host) || left.includes(host)) continue;
    if (await sites.find(tx, "hostname", host)) continue;
    if ((await sites.total(tx, "proxiesOn", host)) > 0) continue;
    releaseName(tx, getHostClaim(host));
    left.push(host);
  }
  return left;
}

/** Removes from the directory a host that an organization gave up. */
export const releaseHost = defineJob<{ organization: string; host: string }>(
  "release-site-host",
  ({ store }, { organization, host }) =>
    deleteDirectoryEntry(store, findOrganizationPartition(organization)!, getHostClaim(host)),
);

type HostProofPayload = { readonly organization: string; readonly site: string; readonly namedAt: string };

/** Checks the unproven hosts of a site again, for some days. Naming new hosts starts another job. */
export const proveHosts: JobType<HostProofPayload> = defineJob<HostProofPayload>(
  "prove-site-hosts",
  async (work, named) => {
    const { store, ports } = work;
    const partition = findOrganizationPartition(named.organization)!;
    const found = await sites.get(await store.read(partition), named.site);
    if (found?.namedAt !== named.namedAt) return;
    for (const host of await filterProvenHosts(ports, named.organization, listUnprovenHosts(found))) {
      const attempt = await reserveHost({ store, partition, ports }, host);
      if (attempt !== undefined) await store.write(partition, (tx) => nowProven(tx, named, host, attempt));
    }
    await store.write(partition, async (tx) => {
      const site = await sites.get(tx, named.site);
      if (site?.namedAt !== named.namedAt || listUnprovenHosts(site).length === 0) return;
      const when = getNextVerification(named.namedAt, store.now());
      const place = { partition, code: parsePartitionCode("organization", named.organization)! };
      if (when) enqueueJob(work, place, tx, proveHosts, named, when);
    });
  },
  { isLong: true },
);

/** The unproven hosts of a site. */
export function listUnprovenHosts(site: Addresses): string[] {
  return listSiteHosts(site).filter((host) => !site.proven?.includes(host));
}

async function nowProven(
  tx: Transaction,
  { site: id }: HostProofPayload,
  host: string,
  attempt: string,
): Promise<void> {
  const site = await sites.get(tx, id);
  if (!site || !listUnprovenHosts(site).includes(host) || !(await isNameReserved(tx, getHostClaim(host), attempt)))
    return;
  await holdName(tx, getHostClaim(host), attempt);
  await sites.put(tx, { ...site, proven: [...(site.proven ?? []), host] });
}
