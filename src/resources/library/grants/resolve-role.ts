// The one function that decides a user's role on a space or a collection.

import type { Role } from "../../../operation/common-schemas";
import { getHighestRole } from "../../../operation/roles";

/** The inputs of the decision: the role in the organization, and the grants and default levels up to the top. */
export interface RoleInputs {
  /** The role in the organization; null: a guest; undefined: not a member. */
  readonly organizationRole: Role | null | undefined;
  /** For the node and each collection above it: the roles granted to the user and their teams, and the default level. */
  readonly path: readonly { readonly granted: readonly Role[]; readonly defaultLevel: Role | null | "inherit" }[];
}

/**
 * Returns the role of a user on a node; null: no access.
 *
 * An admin of the organization is admin of everything. For others it is the highest role granted on the node or above
 * it; without a grant, the nearest default level that is not `inherit`; without that, the role in the organization. A
 * guest has only grants.
 */
export function resolveRole({ organizationRole, path }: RoleInputs): Role | null {
  if (organizationRole === undefined) return null;
  if (organizationRole === "admin") return "admin";
  const granted = getHighestRole(path.flatMap((node) => node.granted));
  if (granted !== null || organizationRole === null) return granted;
  const level = path.find((node) => node.defaultLevel !== "inherit")?.defaultLevel;
  return level === undefined || level === "inherit" ? organizationRole : level;
}
