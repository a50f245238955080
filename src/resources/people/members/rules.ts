// Who may do what with a member of an organization.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import type { Transaction } from "../../../storage/transaction";
import { type InOrganization, organization, organizationAbove } from "../organizations/rules";
import { type MemberRecord, members } from "./records";

/** A member of an organization, as the caller sees it. */
export interface InMember extends InOrganization {
  readonly member: MemberRecord;
  readonly isMe: boolean;
}

const isAdmin = organization.rights.admin;

export const member: Target<InMember, "admin" | "remove"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await organizationAbove(scope);
    const found = await members.get(scope.tx, scope.params.userId!);
    return found && { ...above, member: found, isMe: found.user === scope.actor.user.id };
  },
  notFoundReason: "member_not_found",
  rights: {
    view: (it) => it.isMe || organization.rights.listMembers(it),
    admin: isAdmin,
    remove: (it) => it.isMe || isAdmin(it),
  },
};

/**
 * Refuses to remove the last admin. The total is part of the commit's checks, so two concurrent removals cannot both
 * succeed.
 */
export async function checkNotLastAdmin(tx: Transaction, leaving: MemberRecord): Promise<void> {
  if (leaving.role === "admin" && !leaving.disabled && (await members.total(tx, "byRole", "admin")) <= 1)
    throw createError("last_admin");
}
