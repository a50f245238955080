// Roles in ascending order, each including the one before; and the scopes of tokens.

import { createError } from "../errors";
import { type Role, roles } from "./common-schemas";

/** The rank of a role; a guest is below all roles. */
export function getRoleRank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role);
}

/** Whether a role includes another one. */
export function isRoleAtLeast(role: Role | null, needed: Role): boolean {
  return getRoleRank(role) >= getRoleRank(needed);
}

/** The highest of several roles; null when there is none. */
export function getHighestRole(given: readonly Role[]): Role | null {
  return given.reduce<Role | null>((top, role) => (getRoleRank(role) > getRoleRank(top) ? role : top), null);
}

/** Refuses to give a role above one's own. */
export function checkCanGrantRole(own: Role | null, given: Role | null): void {
  if (getRoleRank(given) > getRoleRank(own)) throw createError("above_own_role");
}

/** Whether scopes include an operation, by its resource or by its name; null: no limit. */
export function canCallOperation(held: readonly string[] | null, name: string, scope: string): boolean {
  return !held || hasScope(held, scope) || held.includes(name);
}

/** `teams:write` includes `teams:read`. */
export function hasScope(held: readonly string[], needed: string): boolean {
  return held.includes(needed) || held.includes(needed.replace(/:read$/, ":write"));
}
