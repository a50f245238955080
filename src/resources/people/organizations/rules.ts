// Who may do what with an organization.

import * as v from "valibot";
import { createError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { claimant } from "../../../storage/claims";
import { DIRECTORY, formatOrganizationId, getPartitionByCode } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";
import { activeMember, type MemberRecord } from "../members/records";
import { teamMembers } from "../teams/records";
import { hostnameClaim, type OrganizationRecord, organizations, partitionOf, theOrganization } from "./records";
import { Subdomain } from "./schema";

/** An organization with the caller's membership. */
export interface InOrganization {
  readonly organization: OrganizationRecord;
  /** The caller's member record; undefined for strangers. */
  readonly me: MemberRecord | undefined;
  readonly ownedTeams: number;
}

/** Whether an organization has a site of this id. */
export const isSite = defineExtensionPoint<(tx: Reader, id: string) => Promise<boolean>>(
  "which sites an organization has",
);

const isMember = ({ me }: InOrganization) => me !== undefined;
const isNoGuest = ({ me }: InOrganization) => isRoleAtLeast(me?.role ?? null, "read");
const isCreator = ({ me }: InOrganization) => isRoleAtLeast(me?.role ?? null, "create");
const isAdmin = ({ me }: InOrganization) => isRoleAtLeast(me?.role ?? null, "admin");

export const organization: Target<
  InOrganization,
  | "admin"
  | "ownTeam"
  | "createContent"
  | "createOpenAPISpec"
  | "ingestConversations"
  | "viewBilling"
  | "listMembers"
  | "listTeams"
  | "listSites"
  | "listIntegrations"
  | "listInstallations"
  | "viewOpenAPISpecs"
> = {
  findPartition: (params) => partitionOf(params.organizationId!),
  async load({ tx, actor, params }) {
    const found = await organizations.get(tx, params.organizationId!);
    if (!found) return undefined;
    const me = await activeMember(tx, actor.user.id);
    return { organization: found, me, ownedTeams: me ? await teamMembers.total(tx, "owned", me.user) : 0 };
  },
  notFoundReason: "organization_not_found",
  rights: {
    view: isMember,
    admin: isAdmin,
    ownTeam: (it) => isAdmin(it) || it.ownedTeams > 0,
    createContent: isCreator,
    createOpenAPISpec: isCreator,
    ingestConversations: isCreator,
    viewBilling: isAdmin,
    listMembers: isNoGuest,
    listTeams: isNoGuest,
    listSites: isNoGuest,
    listIntegrations: isNoGuest,
    listInstallations: isNoGuest,
    viewOpenAPISpecs: isNoGuest,
  },
};

/**
 * An organization that is being created: anybody may create one. When a repeated request finds the organization that it
 * created, only current members see it.
 */
export const newOrganization: Target<{ readonly organizationId: string; readonly isFounded: boolean }, "found"> = {
  findPartition: (_, code) => getPartitionByCode(code),
  async load({ tx, partitionCode, actor }) {
    const isFounded = (await theOrganization(tx)) !== undefined;
    if (isFounded && !(await activeMember(tx, actor.user.id))) throw createError("idempotency_key_spent");
    return { organizationId: formatOrganizationId(partitionCode), isFounded };
  },
  notFoundReason: "organization_not_found",
  rights: { view: () => true, found: () => true },
  isVacant: ({ isFounded }) => !isFounded,
};

/** The organization above another target in the path; its own 404 when it is absent or hidden. */
export async function organizationAbove(scope: TargetContext): Promise<InOrganization> {
  const found = await organization.load(scope);
  if (!found || !isMember(found)) throw createError("organization_not_found");
  return found;
}

/** A subdomain is public, as host names are. It resolves only while its organization uses it. */
export const subdomain: Target<{ readonly owner: OrganizationRecord }, "view"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, params, peek }) {
    if (!v.is(Subdomain, params.subdomain)) return undefined;
    const partition = await claimant(tx, hostnameClaim(params.subdomain));
    const owner = partition && (await theOrganization(await peek(partition)));
    return owner && owner.hostname === params.subdomain ? { owner } : undefined;
  },
  notFoundReason: "subdomain_not_found",
  rights: { view: () => true },
};
