// Roles as one ladder: each holds all of the one before.

import { failure } from "./errors";
import { type Role, roles } from "./shapes";

/** The place of a role on the ladder; a guest stands below all of them. */
export function rank(role: Role | null): number {
  return role === null ? -1 : roles.indexOf(role);
}

/** Whether a role holds everything that another one holds. */
export function atLeast(role: Role | null, needed: Role): boolean {
  return rank(role) >= rank(needed);
}

/** Nobody gives a role above their own. */
export function checkGrantable(own: Role | null, given: Role | null): void {
  if (rank(given) > rank(own)) throw failure("above_own_role");
}
