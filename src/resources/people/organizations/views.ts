// Organizations on the wire.

import type * as v from "valibot";
import { getPermissions } from "../../../operation/target";
import type { DomainVerifier } from "../../../ports/domain-verification";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { leadingDomains, type OrganizationRecord } from "./records";
import { type InOrganization, organization } from "./rules";
import type { DomainProof, Organization } from "./schema";

/** Guests see no sites. */
const { listSites } = organization.rights;

/** An organization on the wire. */
export function organizationView(it: InOrganization, urls: Urls, domains?: DomainVerifier) {
  const { hostname, useCase, communityType, logo, defaultRole, emailDomains, defaultSite, ...others } = it.organization;
  const { provenDomains: _, domainsNamedAt: __, ...rest } = others;
  return {
    object: "organization" as const,
    ...rest,
    ...omitUndefined({
      hostname: hostname ?? undefined,
      useCase: useCase ?? undefined,
      communityType: communityType ?? undefined,
    }),
    emailDomains: [...emailDomains],
    ...(domains && organization.rights.admin(it) ? proofsOf(it.organization, domains) : {}),
    defaultRole,
    ...omitUndefined({
      defaultContent: defaultSite && listSites(it) ? { type: "site", site: defaultSite } : undefined,
    }),
    trial: { status: "notapplicable" as const },
    urls: organizationUrls(it.organization, urls),
    permissions: permissionsOf(it),
  } as v.InferOutput<typeof Organization>;
}

function proofsOf(
  it: OrganizationRecord,
  domains: DomainVerifier,
): { domainProofs?: v.InferOutput<typeof DomainProof>[] } {
  if (it.emailDomains.length === 0) return {};
  const leading = leadingDomains(it);
  const proofOf = (domain: string) => ({
    domain,
    verified: leading.includes(domain),
    record: domains.getProofRecord(it.id, domain),
  });
  return { domainProofs: it.emailDomains.map(proofOf) };
}

/** What people see who are not members. `emailDomains` are the domains that they know already. */
export function strangerView(
  it: InOrganization,
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
    urls: organizationUrls(it.organization, urls),
    permissions: permissionsOf(it),
  };
}

function organizationUrls({ id, logo }: OrganizationRecord, urls: Urls) {
  return {
    location: urls.api(`/orgs/${id}`),
    app: urls.app(`/o/${id}`),
    ...omitUndefined({ logo: logo === null ? undefined : logo }),
  };
}

function permissionsOf(it: InOrganization) {
  return getPermissions(organization, it, [
    "view",
    "admin",
    "ownTeam",
    "createContent",
    "createOpenAPISpec",
    "ingestConversations",
    "viewBilling",
    "listMembers",
    "listTeams",
    "listIntegrations",
    "listInstallations",
  ]);
}
