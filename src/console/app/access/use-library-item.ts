// Queries and mutations for the grants on a space or a collection.

import type { Collection, Role, Space, TeamGrant, UserGrant } from "../../../generated/resources";
import { runMutation } from "../api/mutations";
import { type ListQuery, type QueryState, useList, useQuery } from "../api/queries";
import type { LibraryItem } from "./gather-access";

export function useLibraryItem({ kind, id }: LibraryItem): QueryState<Space | Collection> {
  const space = useQuery("getSpace", kind === "space" ? { params: { spaceId: id } } : undefined);
  const collection = useQuery("getCollection", kind === "collection" ? { params: { collectionId: id } } : undefined);
  return kind === "space" ? space : collection;
}

export interface GrantLists {
  readonly users: ListQuery<UserGrant>;
  readonly teams: ListQuery<TeamGrant>;
  /** All users with access, with their effective roles. */
  readonly everybody: ListQuery<UserGrant>;
}

export function useGrants({ kind, id }: LibraryItem): GrantLists {
  const onSpace = kind === "space" ? { params: { spaceId: id } } : undefined;
  const onCollection = kind === "collection" ? { params: { collectionId: id } } : undefined;
  const space = {
    users: useList("listUserGrantsOnSpace", onSpace),
    teams: useList("listTeamGrantsOnSpace", onSpace),
    everybody: useList("listAccessToSpace", onSpace),
  };
  const collection = {
    users: useList("listUserGrantsOnCollection", onCollection),
    teams: useList("listTeamGrantsOnCollection", onCollection),
    everybody: useList("listAccessToCollection", onCollection),
  };
  return kind === "space" ? space : collection;
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
