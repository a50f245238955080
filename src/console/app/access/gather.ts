// Gathers what decides who sees a space or a collection: the collections above it, what was given on each, and who is in
// the teams. What the person who asks may not see is left out, and then it is said that something is missing.

import type {
  ClientInput,
  ClientListItem,
  ClientOutput,
  Envelope,
  ListOperationName,
  OperationName,
} from "../../../client";
import type { Role } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import type { Level } from "./reasons";

/** Asks the API. What is refused is thrown, with its status. */
export type Ask = <Name extends OperationName>(name: Name, input: ClientInput<Name>) => Promise<ClientOutput<Name>>;

export interface Thing {
  readonly kind: "space" | "collection";
  readonly id: string;
}

export interface Gathered {
  /** From the thing to the top. */
  readonly path: readonly Level[];
  /** The roles of members in the organization; null: a guest. */
  readonly roles: ReadonlyMap<string, Role | null>;
}

/** The most in one answer. */
const LIMIT = 1000;

export async function gatherAccess(ask: Ask, organization: string, thing: Thing): Promise<Gathered> {
  const params = { organizationId: organization };
  const roles = new Map<string, Role | null>();
  const members = await unlessHidden(() => whole(ask, "listMembers", { params }));
  for (const { user, role } of members ?? []) roles.set(user.id, role);
  const teams = new Map<string, Promise<ReadonlySet<string>>>();
  const membersOf = (teamId: string) => {
    const known = teams.get(teamId) ?? membersOfTeam(ask, organization, teamId);
    teams.set(teamId, known);
    return known;
  };
  const path: Level[] = [];
  let next: Thing | undefined = thing;
  while (next) {
    const at: Thing = next;
    const found = await unlessHidden(() => levelOf(ask, at, membersOf));
    if (!found) break;
    path.push(found.level);
    next = found.parent === undefined ? undefined : { kind: "collection", id: found.parent };
  }
  return { path, roles };
}

async function levelOf(
  ask: Ask,
  { kind, id }: Thing,
  membersOf: (team: string) => Promise<ReadonlySet<string>>,
): Promise<{ readonly level: Level; readonly parent: string | undefined }> {
  const [it, users, teams] =
    kind === "space"
      ? await Promise.all([
          ask("getSpace", { params: { spaceId: id } }),
          whole(ask, "listUserGrantsOnSpace", { params: { spaceId: id } }),
          whole(ask, "listTeamGrantsOnSpace", { params: { spaceId: id } }),
        ])
      : await Promise.all([
          ask("getCollection", { params: { collectionId: id } }),
          whole(ask, "listUserGrantsOnCollection", {
            params: { collectionId: id },
          }),
          whole(ask, "listTeamGrantsOnCollection", {
            params: { collectionId: id },
          }),
        ]);
  const level: Level = {
    id,
    title: it.title,
    defaultLevel: it.defaultLevel,
    users: new Map(users.map(({ user, permission }) => [user.id, permission])),
    teams: await Promise.all(
      teams.map(async ({ team, permission }) => ({
        title: team.title,
        role: permission,
        members: await membersOf(team.id),
      })),
    ),
  };
  return { level, parent: it.parent };
}

async function membersOfTeam(ask: Ask, organizationId: string, teamId: string): Promise<ReadonlySet<string>> {
  const params = { organizationId, teamId };
  const found = await unlessHidden(() => whole(ask, "listTeamMembers", { params }));
  return new Set((found ?? []).map(({ user }) => user.id));
}

/** A list to its end. */
async function whole<Name extends ListOperationName>(
  ask: Ask,
  name: Name,
  input: ClientInput<Name>,
): Promise<readonly ClientListItem<Name>[]> {
  const all: ClientListItem<Name>[] = [];
  let page: string | undefined;
  do {
    const query = { limit: LIMIT, ...omitUndefined({ page }) };
    const part = (await ask(name, { ...(input as object), query } as never)) as unknown as Envelope<
      ClientListItem<Name>
    >;
    all.push(...part.items);
    page = part.next?.page;
  } while (page !== undefined);
  return all;
}

/** What is refused or hidden is undefined. */
async function unlessHidden<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    const { status } = error as { readonly status?: number };
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
}
