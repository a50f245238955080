// Organizations, each in its own partition. The directory maps e-mail domains to organizations.

import { defineJob, enqueueJob, type JobType } from "../../../jobs/jobs";
import type { Role } from "../../../operation/common-schemas";
import { getNextVerification } from "../../../ports/domain-verification";
import type { Ports } from "../../../ports/ports";
import { type Claim, forgetEntry } from "../../../storage/claims";
import { DIRECTORY, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";

export type OrganizationRecord = {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly emailDomains: readonly string[];
  /** The e-mail domains that are proven; the others have no effect. */
  readonly provenDomains?: readonly string[];
  /** When the last unproven domains were named. */
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
  /** The site that is shown first to the public. */
  readonly defaultSite?: string | null;
};

export const organizations = defineRecordSet("organization", {
  key: (organization: OrganizationRecord) => [organization.id],
  indexes: { all: () => [] },
});

/** The proven e-mail domains of an organization. */
export function leadingDomains({ emailDomains, provenDomains = [] }: OrganizationRecord): string[] {
  return emailDomains.filter((domain) => provenDomains.includes(domain));
}

/** The organization of a partition; undefined while it is being created. */
export async function theOrganization(tx: Reader): Promise<OrganizationRecord | undefined> {
  return (await organizations.list(tx, "all", { limit: 1 }))[0]?.record;
}

/** The partition of an organization; undefined when this is not the id of an organization. */
export function partitionOf(id: string): string | undefined {
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

/**
 * Updates the organization's e-mail domains in the directory. The later version wins, in whichever order they arrive.
 */
export const syncDomains = defineJob<{ organization: string }>("sync-domains", async ({ store }, { organization }) => {
  const view = await store.read(partitionOf(organization)!);
  const found = await organizations.get(view, organization);
  const wanted = found ? leadingDomains(found) : [];
  await store.write(DIRECTORY, async (tx) => {
    const known = await domainLists.get(tx, organization);
    if (known && known.asOf >= view.version) return;
    for (const domain of known?.domains ?? [])
      if (!wanted.includes(domain)) await domains.delete(tx, domain, organization);
    for (const domain of wanted) await domains.put(tx, { domain, organization });
    await domainLists.put(tx, { organization, domains: wanted, asOf: view.version });
  });
});

/** The domains among these that are proven for the organization. */
export async function provenDomainsOf(
  { domainVerifier: proofs }: Pick<Ports, "domainVerifier">,
  organization: string,
  wanted: readonly string[],
): Promise<string[]> {
  const answers = await Promise.all(wanted.map((domain) => proofs.isProven({ domain, kind: "email", organization })));
  return wanted.filter((_, i) => answers[i]);
}

type Named = { readonly organization: string; readonly namedAt: string };

/** Checks the unproven e-mail domains of an organization again, for some days. */
export const proveDomains: JobType<Named> = defineJob<Named>(
  "prove-email-domains",
  async (work, { organization, namedAt }) => {
    const { store, ports } = work;
    const place = { partition: partitionOf(organization)!, code: parsePartitionCode("organization", organization)! };
    const isCurrent = (it: OrganizationRecord | undefined): it is OrganizationRecord => it?.domainsNamedAt === namedAt;
    const before = await organizations.get(await store.read(place.partition), organization);
    if (!isCurrent(before)) return;
    const proven = await provenDomainsOf(ports, organization, unprovenDomains(before));
    await store.write(place.partition, async (tx) => {
      const found = await organizations.get(tx, organization);
      if (!isCurrent(found)) return;
      const changed = { ...found, provenDomains: [...new Set([...leadingDomains(found), ...proven])] };
      if (proven.length > 0) {
        await organizations.put(tx, changed);
        enqueueJob(work, place, tx, syncDomains, { organization });
      }
      const when = unprovenDomains(changed).length === 0 ? undefined : getNextVerification(namedAt, store.now());
      if (when) enqueueJob(work, place, tx, proveDomains, { organization, namedAt }, when);
    });
  },
  { isLong: true },
);

/** The unproven e-mail domains of an organization. */
export function unprovenDomains(it: OrganizationRecord): string[] {
  const leading = leadingDomains(it);
  return it.emailDomains.filter((domain) => !leading.includes(domain));
}

/** The claim on a hostname, unique across organizations. */
export function hostnameClaim(name: string): Claim {
  return { kind: "subdomain", name };
}

/** Removes from the directory a hostname that an organization no longer uses. */
export const releaseHostname = defineJob<{ organization: string; hostname: string }>(
  "release-hostname",
  ({ store }, { organization, hostname }) => forgetEntry(store, partitionOf(organization)!, hostnameClaim(hostname)),
);
