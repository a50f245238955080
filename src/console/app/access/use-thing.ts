// A space or a collection, and what was given on it. Only one of the two is asked for.

import type { Collection, Role, Space, TeamGrant, UserGrant } from "../../../generated/resources";
import { type Reading, type ReadingList, useList, useRead } from "../calls/reads";
import { write } from "../calls/writes";
import type { Thing } from "./gather";

export function useThing({ kind, id }: Thing): Reading<Space | Collection> {
  const space = useRead("getSpace", kind === "space" ? { params: { spaceId: id } } : undefined);
  const collection = useRead("getCollection", kind === "collection" ? { params: { collectionId: id } } : undefined);
  return kind === "space" ? space : collection;
}

export interface GivenLists {
  readonly users: ReadingList<UserGrant>;
  readonly teams: ReadingList<TeamGrant>;
  /** Everybody, with the role that they have in the end. */
  readonly everybody: ReadingList<UserGrant>;
}

export function useGiven({ kind, id }: Thing): GivenLists {
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

/** Gives a role to a person or a team, or takes another one. */
export function give({ kind, id }: Thing, to: "users" | "teams", grantee: string, role: Role): Promise<unknown> {
  const body = { [to]: [{ id: grantee, role }] };
  return kind === "space"
    ? write("grantOnSpace", { params: { spaceId: id }, body })
    : write("grantOnCollection", { params: { collectionId: id }, body });
}

export function takeAway({ kind, id }: Thing, from: "users" | "teams", grantee: string): Promise<unknown> {
  if (kind === "space")
    return from === "users"
      ? write("removeUserGrantOnSpace", { params: { spaceId: id, userId: grantee } })
      : write("removeTeamGrantOnSpace", { params: { spaceId: id, teamId: grantee } });
  return from === "users"
    ? write("removeUserGrantOnCollection", { params: { collectionId: id, userId: grantee } })
    : write("removeTeamGrantOnCollection", { params: { collectionId: id, teamId: grantee } });
}
