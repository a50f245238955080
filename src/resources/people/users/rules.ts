// The targets and rights of users: the caller, and the people whom the caller may see.

import type { Actor } from "../../../operation/actor";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { DIRECTORY, getOrganizationPartition, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { findActiveMember, members, memberships } from "../members/records";
import { findUsersById, type UserRecord, users } from "./records";

/** The caller's account. Callers have every right on it, within the scopes of their token. */
export const self: Target<object, "manage"> = {
  findPartition: () => DIRECTORY,
  load: async () => ({}),
  notFoundReason: "route_not_found",
  rights: { view: () => true, manage: () => true },
};

/** The caller's stored account. An installation has none. */
export const ownAccount: Target<{ readonly account: UserRecord }, "edit" | "end"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, actor }) {
    const account = await users.get(tx, actor.user.id);
    return account && { account };
  },
  notFoundReason: "user_not_found",
  rights: { view: () => true, edit: () => true, end: () => true },
};

/**
 * A user whom the caller may see: themselves, and members of organizations whose members they may list. `account` is the
 * stored account of the caller, if the user is the caller.
 */
export const user: Target<
  { readonly user: Actor["user"]; readonly isKnown: boolean; readonly account: UserRecord | undefined },
  "edit"
> = {
  findPartition: () => DIRECTORY,
  async load(context) {
    const id = context.params.userId!;
    const user = (await findUsersById(context.tx, [id])).get(id);
    const isSelf = id === context.actor.user.id;
    const account = isSelf ? await users.get(context.tx, id) : undefined;
    return user && { user, account, isKnown: isSelf || (await canListAsMember(context, id)) };
  },
  notFoundReason: "user_not_found",
  rights: { view: ({ isKnown }) => isKnown, edit: ({ account }) => account !== undefined },
};

/** Returns true if the caller may list the members of an organization in which another user or installation is. */
async function canListAsMember({ tx, actor, peek }: TargetContext, otherId: string): Promise<boolean> {
  const callerId = actor.user.id;
  const code = parsePartitionCode("installation", otherId);
  if (code !== undefined) {
    const me = await findActiveMember(await peek(getPartitionByCode(code)), callerId);
    return isRoleAtLeast(me?.role ?? null, "read");
  }

  const rows = await memberships.list(tx, "ofUser", { under: [otherId], limit: 1000 });
  const callerKeys = rows.map(({ record }) => [callerId, record.organization]);
  for (const membership of await memberships.getMany(tx, callerKeys)) {
    if (!membership?.isMember) continue;
    const organizationTx = await peek(getOrganizationPartition(membership.organization));
    const me = await findActiveMember(organizationTx, callerId);
    if (isRoleAtLeast(me?.role ?? null, "read") && (await members.get(organizationTx, otherId))) return true;
  }
  return false;
}
