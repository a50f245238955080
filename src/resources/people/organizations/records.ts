// Organizations, each in its own partition. The directory maps e-mail domains to organizations.

import { defineJob, enqueueJob, type JobType } from "../../../jobs/jobs";
import type { Role } from "../../../operation/common-schemas";
import { getNextVerification } from "../../../ports/domain-verification";
import type { Ports } from "../../../ports/ports";
import { deleteDirectoryEntry, nameClaims } from "../../../storage/claims";
import { DIRECTORY, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";

export type OrganizationRecord = {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly emailDomains: readonly string[];
  /** The proven e-mail domains; the others have no effect. */
  readonly provenDomains?: readonly string[];
  /** The time at which the last unproven domains were added. */
  readonly domainsNamedAt?: string;
  readonly hostname: string | null;
  readonly type: "business" | "community";
  readonly useCase: string | null;
  readonly communityType: string | null;
  readonly defaultRole: Role | null;
  readonly logo: string | null;
  readonly sso: boolean;
  readonly ai: boolean;
  readonly inviteLinks: boolean;
  readonly plan: string;
  readonly defaultSite?: string | null;
};

export const organizations = defineRecordSet("organization", {
  key: (organization: OrganizationRecord) => [organization.id],
  indexes: { all: () => [] },
});

export function getProvenDomains({ emailDomains, provenDomains = [] }: OrganizationRecord): string[] {
  return emailDomains.filter((domain) => provenDomains.includes(domain));
}

/** Returns the organization of a partition, or undefined while it is being created. */
export async function findPartitionOrganization(tx: Reader): Promise<OrganizationRecord | undefined> {
  return (await organizations.list(tx, "all", { limit: 1 }))[0]?.record;
}

export function findOrganizationPartition(id: string): string | undefined {
  const code = parsePartitionCode("organization", id);
  return code === undefined ? undefined : getPartitionByCode(code);
}

/** A row of the directory: the e-mail domains of an organization, as of a version of its partition. */
export type DomainListRecord = {
  readonly organization: string;
  readonly domains: readonly string[];
  readonly asOf: number;
};

export const domainLists = defineRecordSet("domain-list", { key: (list: DomainListRecord) => [list.organization] });

/** A row of the directory: an e-mail domain and its organization. */
export const domains = defineRecordSet("domain", {
  key: (line: { readonly domain: string; readonly organization: string }) => [line.domain, line.organization],
  indexes: { ofDomain: (line) => [line.domain] },
});

/** Updates the organization's e-mail domains in the directory. The later version wins, in any order of jobs. */
export const syncDomains = defineJob<{ organization: string }>("sync-domains", async ({ store }, { organization }) => {
  const view = await store.read(findOrganizationPartition(organization)!);
  const found = await organizations.get(view, organization);
  const wanted = found ? getProvenDomains(found) : [];
  await store.write(DIRECTORY, async (tx) => {
    const known = await domainLists.get(tx, organization);
    if (known && known.asOf >= view.version) return;
    for (const domain of known?.domains ?? [])
      if (!wanted.includes(domain)) await domains.delete(tx, domain, organization);
    for (const domain of wanted) await domains.put(tx, { domain, organization });
    await domainLists.put(tx, { organization, domains: wanted, asOf: view.version });
  });
});

/** Returns the domains that the host confirms for the organization: those of e-mail addresses, or the hosts of sites. */
export async function verifyDomains(
  { domainVerifier }: Pick<Ports, "domainVerifier">,
  organization: string,
  kind: "email" | "site",
  candidates: readonly string[],
): Promise<string[]> {
  const results = await Promise.all(
    candidates.map((domain) => domainVerifier.isProven({ domain, kind, organization })),
  );
  return candidates.filter((_, i) => results[i]);
}

type DomainsToProve = { readonly organization: string; readonly namedAt: string };

/** Checks the unproven e-mail domains of an organization again, for some days. */
export const proveDomains: JobType<DomainsToProve> = defineJob<DomainsToProve>(
  "prove-email-domains",
  async (jobContext, { organization, namedAt }) => {
    const { store, ports } = jobContext;
    const place = {
      partition: findOrganizationPartition(organization)!,
      code: parsePartitionCode("organization", organization)!,
    };
    const isCurrent = (it: OrganizationRecord | undefined): it is OrganizationRecord => it?.domainsNamedAt === namedAt;
    const before = await organizations.get(await store.read(place.partition), organization);
    if (!isCurrent(before)) return;
    const proven = await verifyDomains(ports, organization, "email", getUnprovenDomains(before));
    await store.write(place.partition, async (tx) => {
      const found = await organizations.get(tx, organization);
      if (!isCurrent(found)) return;
      const changed = { ...found, provenDomains: [...new Set([...getProvenDomains(found), ...proven])] };
      if (proven.length > 0) {
        await organizations.put(tx, changed);
        enqueueJob(jobContext, place, tx, syncDomains, { organization });
      }
      const when = getUnprovenDomains(changed).length === 0 ? undefined : getNextVerification(namedAt, store.now());
      if (when) enqueueJob(jobContext, place, tx, proveDomains, { organization, namedAt }, when);
    });
  },
  { isLong: true },
);

export function getUnprovenDomains(it: OrganizationRecord): string[] {
  const provenDomains = getProvenDomains(it);
  return it.emailDomains.filter((domain) => !provenDomains.includes(domain));
}

/** Removes from the directory a hostname that an organization no longer uses. */
export const releaseHostname = defineJob<{ organization: string; hostname: string }>(
  "release-hostname",
  ({ store }, { organization, hostname }) =>
    deleteDirectoryEntry(store, findOrganizationPartition(organization)!, nameClaims.subdomain(hostname)),
);
