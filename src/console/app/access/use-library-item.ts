// Queries and mutations for the grants on a space or a collection.

import type { Role, TeamGrant, UserGrant } from "../../../generated/resources";
import { runMutation } from "../api/mutations";
import type { ListQuery } from "../api/queries";
import type { LibraryItem } from "./gather-access";

export interface GrantLists {
  readonly users: ListQuery<UserGrant>;
  readonly teams: ListQuery<TeamGrant>;
  /** All users with access, with their effective roles. */
  readonly everybody: ListQuery<UserGrant>;
}

/** Grants a role to a user or a team, or replaces the current one. */
export function grantRole(
  { kind, id }: LibraryItem,
  to: "users" | "teams",
  grantee: string,
  role: Role,
): Promise<unknown> {
  const body = { [to]: [{ id: grantee, role }] };
  return kind === "space"
    ? runMutation("grantOnSpace", { params: { spaceId: id }, body })
    : runMutation("grantOnCollection", { params: { collectionId: id }, body });
}

export function revokeGrant({ kind, id }: LibraryItem, from: "users" | "teams", grantee: string): Promise<unknown> {
  if (kind === "space")
    return from === "users"
      ? runMutation("removeUserGrantOnSpace", { params: { spaceId: id, userId: grantee } })
      : runMutation("removeTeamGrantOnSpace", { params: { spaceId: id, teamId: grantee } });
  return from === "users"
    ? runMutation("removeUserGrantOnCollection", { params: { collectionId: id, userId: grantee } })
    : runMutation("removeTeamGrantOnCollection", { params: { collectionId: id, teamId: grantee } });
}
