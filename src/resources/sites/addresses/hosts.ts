// The hosts of sites. Anybody can enter a host, but it belongs to the organization that proves it, which claims it in the directory
// while one of its sites uses it. An organization keeps a host while its proof holds; afterwards another organization with a proof
// can claim it. A host serves either one site, by its hostname, or sites in directories, none inside another. So no two sites have
// the same URL.

import { createError } from "../../../errors";
import { defineJob, enqueueJob, type JobType } from "../../../jobs/jobs";
import { OutdatedError } from "../../../operation/outdated-error";
import { getNextVerification } from "../../../ports/domain-verification";
import type { Ports } from "../../../ports/ports";
import {
  deleteDirectoryEntry,
  getClaimingPartition,
  getReservation,
  holdName,
  nameClaims,
  releaseName,
  reserveName,
} from "../../../storage/claims";
import { DIRECTORY, parsePartitionCode } from "../../../storage/ids";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  verifyDomains,
} from "../../people/organizations/records";
import { getProxyHost, listSiteHosts, type SiteRecord, sites } from "../records";

type Addresses = Pick<SiteRecord, "hostname" | "proxy" | "proven">;

/** The organization that claims hosts, and the verifier of its proofs. */
interface HostClaimContext {
  readonly store: Store;
  readonly partition: string;
  readonly ports: Pick<Ports, "domainVerifier">;
}

/** Claims a proven host. Returns undefined if another organization has the host and still proves it. */
export async function reserveHost(
  { store, partition, ports }: HostClaimContext,
  host: string,
): Promise<string | undefined> {
  const claim = nameClaims.siteHost(host);
  const attempt = await reserveName(store, partition, claim);
  if (attempt !== undefined) return attempt;
  const holder = await getClaimingPartition(await store.read(DIRECTORY), claim);
  const other = holder === undefined ? undefined : await findPartitionOrganization(await store.read(holder));
  if (other && (await verifyDomains(ports, other.id, "site", [host])).length > 0) return undefined;
  // The other organization no longer proves the host. Its sites keep the name, but aren't served there any more.
  if (holder !== undefined && holder !== partition)
    await store.write(holder, async (tx) => {
      releaseName(tx, claim);
      const siteByHostname = await sites.find(tx, "hostname", host);
      for (const site of siteByHostname ? [siteByHostname] : await listSitesInDirectories(tx, host))
        if (site.proven?.includes(host))
          await sites.put(tx, { ...site, proven: site.proven.filter((it) => it !== host) });
    });
  return reserveName(store, partition, claim);
}

/** Returns the sites in directories of a host. The commit fails if another site is added in the meantime. */
async function listSitesInDirectories(tx: Reader, host: string): Promise<SiteRecord[]> {
  const proxies = await sites.readGuarded(tx, "proxiesOn", [[host]]);
  const count = await sites.total(proxies, "proxiesOn", host);
  const rows = count === 0 ? [] : await sites.list(proxies, "proxiesOn", { under: [host], limit: count });
  return rows.map(({ record }) => record);
}

/** Refuses an address that equals the address of another site of the organization, or is inside or around it. */
export async function rejectOverlappingAddresses(tx: Reader, site: SiteRecord): Promise<void> {
  for (const host of listSiteHosts(site)) {
    const owner = await sites.find(tx, "hostname", host);
    if (owner && owner.id !== site.id) throw createError("site_host_taken");
    const others = (await listSitesInDirectories(tx, host)).filter(({ id }) => id !== site.id);
    if (site.hostname === host && (others.length > 0 || (site.proxy !== null && getProxyHost(site.proxy) === host)))
      throw createError("site_host_taken");
    const directory = `${site.proxy}/`;
    const overlaps = ({ proxy }: SiteRecord) => directory.startsWith(`${proxy}/`) || `${proxy}/`.startsWith(directory);
    if (site.proxy !== null && others.some(overlaps)) throw createError("site_host_taken");
  }
}

/** Confirms the hosts claimed for a site and returns all proven ones. An outdated claim repeats the operation. */
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
      // Another site of the organization may have released the host in the meantime.
      if ((await getReservation(tx, nameClaims.siteHost(host)))?.attempt !== attempt) throw new OutdatedError();
      await holdName(tx, nameClaims.siteHost(host), attempt);
      proven.push(host);
    } else if (before.proven?.includes(host) && listSiteHosts(before).includes(host)) proven.push(host);
  }
  return proven;
}

/** Releases the hosts that no site of the organization uses after the change in `tx`, and returns them. */
export async function releaseHosts(tx: Transaction, before: Addresses, after: Addresses): Promise<string[]> {
  const released: string[] = [];
  for (const host of listSiteHosts(before)) {
    if (listSiteHosts(after).includes(host) || released.includes(host)) continue;
    if (await sites.find(tx, "hostname", host)) continue;
    if ((await sites.total(tx, "proxiesOn", host)) > 0) continue;
    releaseName(tx, nameClaims.siteHost(host));
    released.push(host);
  }
  return released;
}

export const releaseHost = defineJob<{ organization: string; host: string }>(
  "release-site-host",
  ({ store }, { organization, host }) =>
    deleteDirectoryEntry(store, findOrganizationPartition(organization)!, nameClaims.siteHost(host)),
);

type HostProofPayload = { readonly organization: string; readonly site: string; readonly namedAt: string };

/** Checks the unproven hosts of a site again, for some days. Entering new hosts starts another job. */
export const proveHosts: JobType<HostProofPayload> = defineJob<HostProofPayload>(
  "prove-site-hosts",
  async (context, payload) => {
    const { store, ports } = context;
    const { organization, site: siteId, namedAt } = payload;
    const partition = findOrganizationPartition(organization)!;
    const before = await sites.get(await store.read(partition), siteId);
    if (before?.namedAt !== namedAt) return;
    for (const host of await verifyDomains(ports, organization, "site", listUnprovenHosts(before))) {
      const attempt = await reserveHost({ store, partition, ports }, host);
      if (attempt === undefined) continue;
      await store.write(partition, async (tx) => {
        const site = await sites.get(tx, siteId);
        if (!site || !listUnprovenHosts(site).includes(host)) return;
        if ((await getReservation(tx, nameClaims.siteHost(host)))?.attempt !== attempt) return;
        await holdName(tx, nameClaims.siteHost(host), attempt);
        await sites.put(tx, { ...site, proven: [...(site.proven ?? []), host] });
      });
    }
    await store.write(partition, async (tx) => {
      const site = await sites.get(tx, siteId);
      if (site?.namedAt !== namedAt || listUnprovenHosts(site).length === 0) return;
      const when = getNextVerification(namedAt, store.now());
      const place = { partition, code: parsePartitionCode("organization", organization)! };
      if (when) enqueueJob(context, place, tx, proveHosts, payload, when);
    });
  },
  { isLong: true },
);

export function listUnprovenHosts(site: Addresses): string[] {
  return listSiteHosts(site).filter((host) => !site.proven?.includes(host));
}
