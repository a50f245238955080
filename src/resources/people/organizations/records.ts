// Organizations, each in a partition of its own. The directory lists which e-mail domains lead to which organizations.

import { nextTry } from "../../../parts/domains";
import type { Parts } from "../../../parts/parts";
import type { Role } from "../../../shapes";
import { type Claim, forgetEntry } from "../../../store/claims";
import { codeOf, DIRECTORY, organizationPartition } from "../../../store/ids";
import { records } from "../../../store/records";
import type { Reader } from "../../../store/transaction";
import { later, type Step, step } from "../../../work/jobs";

export type OrganizationRecord = {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly emailDomains: readonly string[];
  /** Those of its e-mail domains that are proven to be its own; the others lead nobody here. */
  readonly provenDomains?: readonly string[];
  /** When domains were named last that are still to be proven. */
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
  /** The site that it shows to the world before all others. */
  readonly defaultSite?: string | null;
};

export const organizations = records("organization", {
  key: (organization: OrganizationRecord) => [organization.id],
  indexes: { all: () => [] },
});

/** The e-mail domains of an organization that lead to it. */
export function leadingDomains({ emailDomains, provenDomains = [] }: OrganizationRecord): string[] {
  return emailDomains.filter((domain) => provenDomains.includes(domain));
}

/** The organization of a partition; undefined while it is only being founded. */
export async function theOrganization(tx: Reader): Promise<OrganizationRecord | undefined> {
  return (await organizations.list(tx, "all", { limit: 1 }))[0]?.record;
}

/** The partition of an organization; undefined when the id is not one of an organization. */
export function partitionOf(id: string): string | undefined {
  const code = codeOf("organization", id);
  return code === undefined ? undefined : organizationPartition(code);
}

/** A line of the directory: the e-mail domains of an organization, as of a version of its partition. */
export type DomainListRecord = {
  readonly organization: string;
  readonly domains: readonly string[];
  readonly asOf: number;
};

export const domainLists = records("domain-list", { key: (list: DomainListRecord) => [list.organization] });

/** A line of the directory: an e-mail domain leads to an organization. */
export const domains = records("domain", {
  key: (line: { readonly domain: string; readonly organization: string }) => [line.domain, line.organization],
  indexes: { ofDomain: (line) => [line.domain] },
});

/** Makes the directory list the organization's e-mail domains. What was seen later wins, whichever comes last. */
export const syncDomains = step<{ organization: string }>("sync-domains", async ({ store }, { organization }) => {
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

/** Those of some e-mail domains that an organization proves to be its own. */
export async function provenDomainsOf(
  { domains: proofs }: Pick<Parts, "domains">,
  organization: string,
  wanted: readonly string[],
): Promise<string[]> {
  const answers = await Promise.all(wanted.map((domain) => proofs.isProven({ domain, kind: "email", organization })));
  return wanted.filter((_, i) => answers[i]);
}

type Named = { readonly organization: string; readonly namedAt: string };

/** Asks again whether the e-mail domains of an organization are proven, for some days. */
export const proveDomains: Step<Named> = step<Named>(
  "prove-email-domains",
  async (work, { organization, namedAt }) => {
    const { store, parts } = work;
    const place = { partition: partitionOf(organization)!, code: codeOf("organization", organization)! };
    const isCurrent = (it: OrganizationRecord | undefined): it is OrganizationRecord => it?.domainsNamedAt === namedAt;
    const before = await organizations.get(await store.read(place.partition), organization);
    if (!isCurrent(before)) return;
    const proven = await provenDomainsOf(parts, organization, unprovenDomains(before));
    await store.write(place.partition, async (tx) => {
      const found = await organizations.get(tx, organization);
      if (!isCurrent(found)) return;
      const changed = { ...found, provenDomains: [...new Set([...leadingDomains(found), ...proven])] };
      if (proven.length > 0) {
        await organizations.put(tx, changed);
        later(work, place, tx, syncDomains, { organization });
      }
      const when = unprovenDomains(changed).length === 0 ? undefined : nextTry(namedAt, store.now());
      if (when) later(work, place, tx, proveDomains, { organization, namedAt }, when);
    });
  },
  { isLong: true },
);

/** The e-mail domains of an organization that are not proven. */
export function unprovenDomains(it: OrganizationRecord): string[] {
  const leading = leadingDomains(it);
  return it.emailDomains.filter((domain) => !leading.includes(domain));
}

/** The claim on a hostname, unique across organizations. */
export function hostnameClaim(name: string): Claim {
  return { kind: "subdomain", name };
}

/** Clears the directory of a hostname that an organization gave up. */
export const releaseHostname = step<{ organization: string; hostname: string }>(
  "release-hostname",
  ({ store }, { organization, hostname }) => forgetEntry(store, partitionOf(organization)!, hostnameClaim(hostname)),
);
