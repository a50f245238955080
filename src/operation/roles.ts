// Roles in ascending order, each including the one before; and the scopes of tokens.

import { failure } from "../errors";
import { type Role, roles } from "./schema-types";

/** The rank of a role; a guest is below all roles. */
export function rank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role);
}

/** Whether a role includes another one. */
export function atLeast(role: Role | null, needed: Role): boolean {
  return rank(role) >= rank(needed);
}

/** The highest of several roles; null when there is none. */
export function highest(given: readonly Role[]): Role | null {
  return given.reduce<Role | null>((top, role) => (rank(role) > rank(top) ? role : top), null);
}

/** Refuses to give a role above one's own. */
export function checkGrantable(own: Role | null, given: Role | null): void {
  if (rank(given) > rank(own)) throw failure("above_own_role");
}

/** Whether scopes include an operation, by its resource or by its name; null: no limit. */
export function admits(held: readonly string[] | null, name: string, scope: string): boolean {
  return !held || holdsScope(held, scope) || held.includes(name);
}

/** `teams:write` includes `teams:read`. */
export function holdsScope(held: readonly string[], needed: string): boolean {
  return held.includes(needed) || held.includes(needed.replace(/:read$/, ":write"));
}
