// The one function that decides a user's role on a space or a collection.

import type { Role } from "../../../operation/common-schemas";
import { getHighestRole } from "../../../operation/roles";

/**
 * What decides a role: the caller's role in the organization, and the grants and default levels from the thing up to
 * the top.
 */
export interface AccessQuestion {
  /** The role in the organization; null: a guest; undefined: not a member. */
  readonly own: Role | null | undefined;
  /** For the thing and each collection above it: the grants of the user and their teams, and the default level. */
  readonly path: readonly { readonly given: readonly Role[]; readonly defaultLevel: Role | null | "inherit" }[];
}

/**
 * An admin of the organization is admin of everything. Otherwise it is the highest grant on the thing or above it;
 * without a grant, the nearest default level that is not `inherit`; without that, the role in the organization. A guest
 * has only grants. Null: no access.
 */
export function roleOn({ own, path }: AccessQuestion): Role | null {
  if (own === undefined) return null;
  if (own === "admin") return "admin";
  const given = getHighestRole(path.flatMap((node) => node.given));
  if (given !== null || own === null) return given;
  const level = path.find((node) => node.defaultLevel !== "inherit")?.defaultLevel;
  return level === undefined || level === "inherit" ? own : level;
}
