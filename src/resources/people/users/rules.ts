// Users as targets: the caller, and the people whom the caller may see.

import type { Actor } from "../../../operation/actor";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { DIRECTORY, getOrganizationPartition, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { activeMember, members, memberships } from "../members/records";
import { type UserRecord, users, usersById } from "./records";

/** The caller's own account. Callers have every right on it, within their token's scopes. */
export const self: Target<object, "manage"> = {
  findPartition: () => DIRECTORY,
  load: async () => ({}),
  notFoundReason: "route_not_found",
  rights: { view: () => true, manage: () => true },
};

/** The caller's own account, as it is stored. An installation has none. */
export const ownAccount: Target<{ readonly account: UserRecord }, "end"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, actor }) {
    const account = await users.get(tx, actor.user.id);
    return account && { account };
  },
  notFoundReason: "user_not_found",
  rights: { view: () => true, end: () => true },
};

/**
 * A user whom the caller may see: the caller, and everybody who is, or was installed, in an organization whose members
 * the caller may list.
 */
export const user: Target<{ readonly user: Actor["user"]; readonly isKnown: boolean }, "view"> = {
  findPartition: () => DIRECTORY,
  async load(scope) {
    const id = scope.params.userId!;
    const found = (await usersById(scope.tx, [id])).get(id);
    return found && { user: found, isKnown: id === scope.actor.user.id || (await isInMine(scope, id)) };
  },
  notFoundReason: "user_not_found",
  rights: { view: ({ isKnown }) => isKnown },
};

async function isInMine(scope: TargetContext, other: string): Promise<boolean> {
  const code = parsePartitionCode("installation", other);
  if (code === undefined) return sharesOrganization(scope, other);
  const me = await activeMember(await scope.peek(getPartitionByCode(code)), scope.actor.user.id);
  return isRoleAtLeast(me?.role ?? null, "read");
}

async function sharesOrganization({ tx, actor, peek }: TargetContext, other: string): Promise<boolean> {
  const rows = await memberships.list(tx, "ofUser", { under: [other], limit: 1000 });
  const mine = await memberships.getMany(
    tx,
    rows.map(({ record }) => [actor.user.id, record.organization]),
  );
  for (const line of mine) {
    if (!line?.isMember) continue;
    const view = await peek(getOrganizationPartition(line.organization));
    const me = await activeMember(view, actor.user.id);
    if (isRoleAtLeast(me?.role ?? null, "read") && (await members.get(view, other))) return true;
  }
  return false;
}
