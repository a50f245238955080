// Organizations made into answers.

import type * as v from "valibot";
import { permissions, type Urls } from "../../operation";
import { defined } from "../../shapes";
import type { OrganizationRecord } from "./records";
import { type InOrganization, organization } from "./rules";
import type { Organization } from "./schema";

/** Guests are told of no sites. */
const { listSites } = organization.rights;

/** An organization on the wire. */
export function organizationView(it: InOrganization, urls: Urls) {
  const { hostname, useCase, communityType, logo, defaultRole, emailDomains, defaultSite, ...rest } = it.organization;
  return {
    object: "organization" as const,
    ...rest,
    ...defined({
      hostname: hostname ?? undefined,
      useCase: useCase ?? undefined,
      communityType: communityType ?? undefined,
    }),
    emailDomains: [...emailDomains],
    defaultRole,
    defaultContent: defaultSite && listSites(it) ? { type: "site", site: defaultSite } : null,
    trial: { status: "notapplicable" as const },
    urls: organizationUrls(it.organization, urls),
    permissions: permissionsOf(it),
  } as v.InferOutput<typeof Organization>;
}

/** What somebody sees who is not a member; `emailDomains` are those that they know of. */
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
  return { location: urls.api(`/orgs/${id}`), app: urls.app(`/o/${id}`), ...(logo === null ? {} : { logo }) };
}

function permissionsOf(it: InOrganization) {
  return permissions(organization, it, [
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
  ]);
}
