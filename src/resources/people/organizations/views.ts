// Organizations on the wire.

import type * as v from "valibot";
import { getPermissions } from "../../../operation/target";
import type { DomainVerifier } from "../../../ports/domain-verification";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { getProvenDomains, type OrganizationRecord } from "./records";
import { type OrganizationContext, organization } from "./rules";
import { type Organization, organizationPermissions } from "./schema";

// Guests see no sites.
const { listSites } = organization.rights;

/** Returns an organization as it is on the wire. Admins see the proofs of its domains, if `domains` is given. */
export function presentOrganization(it: OrganizationContext, urls: Urls, domains?: DomainVerifier) {
  const { hostname, useCase, communityType, logo, defaultRole, emailDomains, defaultSite, ...others } = it.organization;
  const { provenDomains: _, domainsNamedAt: __, ...rest } = others;
  const provenDomains = getProvenDomains(it.organization);
  const domainProofs =
    domains && organization.rights.admin(it)
      ? emailDomains.map((domain) => ({
          domain,
          verified: provenDomains.includes(domain),
          record: domains.getProofRecord(it.organization.id, domain),
        }))
      : undefined;
  return {
    object: "organization" as const,
    ...rest,
    ...omitUndefined({
      hostname: hostname ?? undefined,
      useCase: useCase ?? undefined,
      communityType: communityType ?? undefined,
    }),
    emailDomains: [...emailDomains],
    ...omitUndefined({ domainProofs: domainProofs?.length ? domainProofs : undefined }),
    defaultRole,
    ...omitUndefined({
      defaultContent: defaultSite && listSites(it) ? { type: "site", site: defaultSite } : undefined,
    }),
    trial: { status: "notapplicable" as const },
    urls: getOrganizationUrls(it.organization, urls),
    permissions: getPermissions(organization, it, organizationPermissions),
  } as v.InferOutput<typeof Organization>;
}

/** Returns an organization as people see it who are not members. `emailDomains` are the domains that they know already. */
export function presentOrganizationToStranger(
  it: OrganizationContext,
  emailDomains: string[],
  urls: Urls,
): v.InferOutput<typeof Organization> {
  const { id, title, createdAt, type, inviteLinks, plan } = it.organization;
  return {
    object: "organization",
    id,
    title,
    createdAt,
    emailDomains,
    type,
    inviteLinks,
    plan,
    trial: { status: "notapplicable" },
    urls: getOrganizationUrls(it.organization, urls),
    permissions: getPermissions(organization, it, organizationPermissions),
  };
}

function getOrganizationUrls({ id, logo }: OrganizationRecord, urls: Urls) {
  return {
    location: urls.api(`/orgs/${id}`),
    app: urls.app(`/o/${id}`),
    ...omitUndefined({ logo: logo ?? undefined }),
  };
}
