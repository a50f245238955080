// Compares roles, each of which includes those below it, and the scopes of tokens.

import { createError } from "../errors";
import { type Role, roles } from "./common-schemas";

/** Returns the rank of a role; a guest (null) is below all roles. */
export function getRoleRank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role);
}

/** Returns true if a role includes another one. */
export function isRoleAtLeast(role: Role | null, requiredRole: Role): boolean {
  return getRoleRank(role) >= getRoleRank(requiredRole);
}

/** Returns the highest of several roles, or null if there are none. */
export function getHighestRole(candidates: readonly Role[]): Role | null {
  return candidates.reduce<Role | null>(
    (highest, role) => (getRoleRank(role) > getRoleRank(highest) ? role : highest),
    null,
  );
}

export function checkCanGrantRole(ownRole: Role | null, grantedRole: Role | null): void {
  if (getRoleRank(grantedRole) > getRoleRank(ownRole)) throw createError("above_own_role");
}

/** Returns true if scopes include an operation, by its resource or by its name. Null includes everything. */
export function canCallOperation(scopes: readonly string[] | null, operation: string, requiredScope: string): boolean {
  return !scopes || hasScope(scopes, requiredScope) || scopes.includes(operation);
}

/** Returns true if scopes include another one: `teams:write` includes `teams:read`. */
export function hasScope(scopes: readonly string[], requiredScope: string): boolean {
  return scopes.includes(requiredScope) || scopes.includes(requiredScope.replace(/:read$/, ":write"));
}
