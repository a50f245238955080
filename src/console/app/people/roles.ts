// The roles of users, from the weakest to the strongest.

import type { Role } from "../../../generated/resources";
import type { Messages } from "../messages/messages";

/** A role or `none`, which is a guest who sees only granted content. */
export type RoleOrNone = Role | "none";

export function listRoleOptions(messages: Messages): readonly (readonly [RoleOrNone, string])[] {
  return [
    ["none", messages.people.roleGuest],
    ["read", messages.people.roleRead],
    ["comment", messages.people.roleComment],
    ["edit", messages.people.roleEdit],
    ["review", messages.people.roleReview],
    ["create", messages.people.roleCreate],
    ["admin", messages.people.roleAdmin],
  ];
}

/** Returns the roles that can be granted. */
export function listGrantOptions(messages: Messages): readonly (readonly [Role, string])[] {
  return listRoleOptions(messages).filter((it): it is readonly [Role, string] => it[0] !== "none");
}

export const toRole = (role: RoleOrNone): Role | null => (role === "none" ? null : role);
