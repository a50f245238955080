// The targets and rights of members of an organization.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import type { Transaction } from "../../../storage/transaction";
import { loadParentOrganization, type OrganizationContext, organization } from "../organizations/rules";
import { type MemberRecord, members } from "./records";

export interface MemberContext extends OrganizationContext {
  readonly member: MemberRecord;
  readonly isMe: boolean;
}

const isAdmin = organization.rights.admin;

export const member: Target<MemberContext, "admin" | "remove"> = {
  findPartition: organization.findPartition,
  async load(context) {
    const organizationContext = await loadParentOrganization(context);
    const member = await members.get(context.tx, context.params.userId!);
    return member && { ...organizationContext, member, isMe: member.user === context.actor.user.id };
  },
  notFoundReason: "member_not_found",
  rights: {
    view: (it) => it.isMe || organization.rights.listMembers(it),
    admin: isAdmin,
    remove: (it) => it.isMe || isAdmin(it),
  },
};

/** Throws if the last admin would leave. The commit checks the total, so two concurrent removals cannot succeed. */
export async function checkNotLastAdmin(tx: Transaction, leaving: MemberRecord): Promise<void> {
  if (leaving.role === "admin" && !leaving.disabled && (await members.total(tx, "byRole", "admin")) <= 1)
    throw createError("last_admin");
}
