// The targets and rights of organizations and subdomains.

import * as v from "valibot";
import { createError, type Reason } from "../../../errors";
import { foldText, type Role } from "../../../operation/common-schemas";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { getClaimingPartition, nameClaims } from "../../../storage/claims";
import { DIRECTORY, formatOrganizationId, getPartitionByCode } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { defineExtensionPoint } from "../../../utils/extension-point";
import { findActiveMember, type MemberRecord, members, memberships } from "../members/records";
import { teamMembers } from "../teams/records";
import { isActiveUser, users } from "../users/records";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  getProvenDomains,
  type OrganizationRecord,
  organizations,
} from "./records";
import { Subdomain } from "./schema";

/** An organization with the caller's membership. */
export interface OrganizationContext {
  readonly organization: OrganizationRecord;
  /** The caller's member record; undefined for strangers. */
  readonly me: MemberRecord | undefined;
  readonly ownedTeams: number;
}

/** Returns true if an organization has a site of this id. The sites module implements it. */
export const hasSite = defineExtensionPoint<(tx: Reader, id: string) => Promise<boolean>>(
  "which sites an organization has",
);

const hasRole =
  (role: Role) =>
  ({ me }: OrganizationContext) =>
    isRoleAtLeast(me?.role ?? null, role);

export const organization: Target<
  OrganizationContext,
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
  | "installIntegration"
  | "viewOpenAPISpecs"
> = {
  findPartition: (params) => findOrganizationPartition(params.organizationId!),
  async load({ tx, actor, params }) {
    const found = await organizations.get(tx, params.organizationId!);
    if (!found) return undefined;
    const me = await findActiveMember(tx, actor.user.id);
    return { organization: found, me, ownedTeams: me ? await teamMembers.total(tx, "owned", me.user) : 0 };
  },
  notFoundReason: "organization_not_found",
  rights: {
    view: ({ me }) => me !== undefined,
    admin: hasRole("admin"),
    ownTeam: (it) => hasRole("admin")(it) || it.ownedTeams > 0,
    createContent: hasRole("create"),
    createOpenAPISpec: hasRole("create"),
    ingestConversations: hasRole("create"),
    viewBilling: hasRole("admin"),
    listMembers: hasRole("read"),
    listTeams: hasRole("read"),
    listSites: hasRole("read"),
    listIntegrations: hasRole("read"),
    listInstallations: hasRole("read"),
    installIntegration: hasRole("admin"),
    viewOpenAPISpecs: hasRole("read"),
  },
};

/**
 * An organization that the caller can join: a domain that it has proven is that of the caller's address, which is verified.
 * Everybody else sees it only as a member.
 */
export const joinableOrganization: Target<
  OrganizationContext & { readonly isUser: boolean; readonly isInDomain: boolean; readonly isFormerMember: boolean },
  "join"
> = {
  ...organization,
  async load(context) {
    const found = await organization.load(context);
    if (!found) return undefined;
    const { id } = context.actor.user;
    const account = await users.get(context.directory, id);
    const domain = foldText(account?.email ?? "")
      .split("@")
      .at(-1)!;
    const isInDomain =
      isActiveUser(account) && !account.emailUnverified && getProvenDomains(found.organization).includes(domain);
    // The directory lists the organizations that a user has ever been in. The member record of a disabled member still exists.
    const isFormerMember =
      found.me === undefined &&
      ((await memberships.get(context.directory, id, found.organization.id)) !== undefined ||
        (await members.get(context.tx, id)) !== undefined);
    return { ...found, isUser: account !== undefined, isInDomain, isFormerMember };
  },
  rights: {
    view: ({ me, isInDomain }) => me !== undefined || isInDomain,
    // Guests do not learn who joins.
    join: ({ isUser, me }) => isUser && me?.role !== null,
  },
};

/** An organization that is being created. A repeated request shows the existing one only to its members. */
export const newOrganization: Target<{ readonly organizationId: string; readonly isFounded: boolean }, "found"> = {
  findPartition: (_, code) => getPartitionByCode(code),
  async load({ tx, partitionCode, actor }) {
    const isFounded = (await findPartitionOrganization(tx)) !== undefined;
    if (isFounded && !(await findActiveMember(tx, actor.user.id))) throw createError("idempotency_key_spent");
    return { organizationId: formatOrganizationId(partitionCode), isFounded };
  },
  notFoundReason: "organization_not_found",
  rights: { view: () => true, found: () => true },
  isVacant: ({ isFounded }) => !isFounded,
};

/** Loads the organization above another target in the path. Throws its own 404 if it is absent or hidden. */
export async function loadParentOrganization(context: TargetContext): Promise<OrganizationContext> {
  const found = await organization.load(context);
  if (found?.me === undefined) throw createError("organization_not_found");
  return found;
}

/** Creates the target of things in an organization. `load` returns what the path names, if it exists. */
export function defineOrganizationTarget<Item extends object, Right extends string>(
  notFoundReason: Reason,
  load: (context: TargetContext, above: OrganizationContext) => Promise<Item | undefined>,
  rights: Target<OrganizationContext & Item, Right>["rights"],
): Target<OrganizationContext & Item, Right> {
  return {
    findPartition: organization.findPartition,
    async load(context) {
      const above = await loadParentOrganization(context);
      const item = await load(context, above);
      return item && { ...above, ...item };
    },
    notFoundReason,
    rights,
  };
}

/** The rights on things that only the admins of their organization see. */
export const adminRights = { view: hasRole("admin"), admin: hasRole("admin") };

/** A subdomain is public, as host names are. It resolves only while its organization uses it. */
export const subdomain: Target<{ readonly owner: OrganizationRecord }, "view"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, params, peek }) {
    if (!v.is(Subdomain, params.subdomain)) return undefined;
    const partition = await getClaimingPartition(tx, nameClaims.subdomain(params.subdomain));
    const owner = partition && (await findPartitionOrganization(await peek(partition)));
    return owner && owner.hostname === params.subdomain ? { owner } : undefined;
  },
  notFoundReason: "subdomain_not_found",
  rights: { view: () => true },
};
