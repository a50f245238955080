// Users as targets: the caller, and the people that the caller may know of.

import type { Scope, Target } from "../../operation";
import { atLeast } from "../../roles";
import { codeOf, DIRECTORY, organizationPartition } from "../../store/ids";
import { activeMember, members, memberships } from "../members/records";
import { type UserRecord, users } from "./records";

/** The caller's own account. Everybody may do everything with it, as far as the token's scopes reach. */
export const self: Target<object, "manage"> = {
  partition: () => DIRECTORY,
  load: async () => ({}),
  absent: "route_not_found",
  rights: { view: () => true, manage: () => true },
};

/** Somebody whom the caller may know of: oneself, and whoever is in an organization whose members the caller may list. */
export const user: Target<{ readonly user: UserRecord; readonly isKnown: boolean }, "view"> = {
  partition: () => DIRECTORY,
  async load(scope) {
    const found = await users.get(scope.tx, scope.params.userId!);
    return (
      found && { user: found, isKnown: found.id === scope.actor.user.id || (await sharesOrganization(scope, found)) }
    );
  },
  absent: "user_not_found",
  rights: { view: ({ isKnown }) => isKnown },
};

async function sharesOrganization({ tx, actor, peek }: Scope, other: UserRecord): Promise<boolean> {
  const rows = await memberships.list(tx, "ofUser", { under: [other.id], limit: 1000 });
  const mine = await memberships.getMany(
    tx,
    rows.map(({ record }) => [actor.user.id, record.organization]),
  );
  for (const line of mine) {
    if (!line?.isMember) continue;
    const view = await peek(organizationPartition(codeOf("organization", line.organization)!));
    const me = await activeMember(view, actor.user.id);
    if (atLeast(me?.role ?? null, "read") && (await members.get(view, other.id))) return true;
  }
  return false;
}
