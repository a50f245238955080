// The hosts that sites are found at. A host belongs to one organization, which claims it in the directory while one of its
// sites uses it. On a host there is either one site, by its hostname, or there are sites in directories of it, none inside
// another: so no two sites have one URL, whatever is on them.

import { failure } from "../../errors";
import { Outdated } from "../../kernel/outdated";
import type { Urls } from "../../operation";
import { type Claim, forgetEntry, hold, isReserved, release, reserve } from "../../store/claims";
import type { Store } from "../../store/store";
import type { Reader, Transaction } from "../../store/transaction";
import { step } from "../../work/jobs";
import { partitionOf } from "../organizations/records";
import { hostOfProxy, type SiteRecord, sites } from "./records";

type Addresses = Pick<SiteRecord, "hostname" | "proxy">;

/** The claim on a host, unique across organizations. */
export function hostClaim(host: string): Claim {
  return { kind: "site-host", name: host };
}

/** The hosts that a site is found at. */
export function hostsOf({ hostname, proxy }: Addresses): string[] {
  return [...(hostname === null ? [] : [hostname]), ...(proxy === null ? [] : [hostOfProxy(proxy)])];
}

/** Claims hosts before the transaction that uses them; gives what to hold each of them with. */
export async function reserveHosts(
  { store, partition, urls }: { readonly store: Store; readonly partition: string; readonly urls: Urls },
  hosts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ours = [urls.site("/"), urls.app("/"), urls.api("/")].map((url) => new URL(url).hostname);
  const attempts = new Map<string, string>();
  for (const host of hosts) {
    const attempt = ours.includes(host) ? undefined : await reserve(store, partition, hostClaim(host));
    if (attempt === undefined) throw failure("site_host_taken");
    attempts.set(host, attempt);
  }
  return attempts;
}

/** Refuses an address that another site of the organization has, or that lies inside of one, or around it. */
export async function checkAddresses(tx: Reader, site: SiteRecord): Promise<void> {
  for (const host of hostsOf(site)) {
    const owner = await sites.find(tx, "hostname", host);
    if (owner && owner.id !== site.id) throw failure("site_host_taken");
    // However many they are, none can come in between.
    const proxies = await sites.guarded(tx, "proxiesOn", [[host]]);
    const count = await sites.total(proxies, "proxiesOn", host);
    const rows = count === 0 ? [] : await sites.list(proxies, "proxiesOn", { under: [host], limit: count });
    const others = rows.map(({ record }) => record).filter(({ id }) => id !== site.id);
    if (site.hostname === host && (others.length > 0 || (site.proxy !== null && hostOfProxy(site.proxy) === host)))
      throw failure("site_host_taken");
    if (site.proxy !== null && others.some(({ proxy }) => overlap(proxy!, site.proxy!)))
      throw failure("site_host_taken");
  }
}

/** Whether one directory is the other, or lies in it. */
function overlap(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

/** Holds the hosts that a site begins to use; what was claimed for another state of the site is claimed again. */
export async function holdHosts(
  tx: Transaction,
  before: Addresses,
  after: Addresses,
  attempts: ReadonlyMap<string, string>,
): Promise<void> {
  const held = hostsOf(before);
  for (const host of hostsOf(after)) {
    if (held.includes(host)) continue;
    const attempt = attempts.get(host);
    // Another site of the organization may have given the host up since.
    if (attempt === undefined || !(await isReserved(tx, hostClaim(host), attempt))) throw new Outdated();
    await hold(tx, hostClaim(host), attempt);
  }
}

/** Gives up the hosts that a site no longer uses, once no other site of the organization does; the change is in `tx`. */
export async function releaseHosts(tx: Transaction, before: Addresses, after: Addresses): Promise<string[]> {
  const left: string[] = [];
  for (const host of hostsOf(before)) {
    if (hostsOf(after).includes(host) || left.includes(host)) continue;
    if (await sites.find(tx, "hostname", host)) continue;
    if ((await sites.total(tx, "proxiesOn", host)) > 0) continue;
    release(tx, hostClaim(host));
    left.push(host);
  }
  return left;
}

/** Clears the directory of a host that an organization gave up. */
export const releaseHost = step<{ organization: string; host: string }>(
  "release-site-host",
  ({ store }, { organization, host }) => forgetEntry(store, partitionOf(organization)!, hostClaim(host)),
);
