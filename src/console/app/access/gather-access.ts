// Gathers the data that determines who sees a space or a collection: the collections above it, the grants on each, and the
// members of the teams. Data that the user may not see is left out.

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
import type { AccessLevel } from "./access-reasons";

/** Calls an operation. Throws an error with its status on failure. */
export type AccessApiCall = <Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
) => Promise<ClientOutput<Name>>;

export interface LibraryItem {
  readonly kind: "space" | "collection";
  readonly id: string;
}

export interface AccessSources {
  /** The item and the collections above it, up to the top. */
  readonly path: readonly AccessLevel[];
  /** The roles of the members in the organization. Null means a guest. */
  readonly roles: ReadonlyMap<string, Role | null>;
}

/** The largest page of a list. */
const LIMIT = 1000;

export async function gatherAccess(
  ask: AccessApiCall,
  organization: string,
  thing: LibraryItem,
): Promise<AccessSources> {
  const params = { organizationId: organization };
  const roles = new Map<string, Role | null>();
  const members = await readUnlessHidden(() => readCompleteList(ask, "listMembers", { params }));
  for (const { user, role } of members ?? []) roles.set(user.id, role);
  const teams = new Map<string, Promise<ReadonlySet<string>>>();
  const listTeamMembers = (teamId: string) => {
    const cached = teams.get(teamId);
    if (cached !== undefined) return cached;
    const listed = readUnlessHidden(() =>
      readCompleteList(ask, "listTeamMembers", { params: { organizationId: organization, teamId } }),
    );
    const ids = listed.then((teamMembers) => new Set((teamMembers ?? []).map(({ user }) => user.id)));
    teams.set(teamId, ids);
    return ids;
  };
  const path: AccessLevel[] = [];
  let next: LibraryItem | undefined = thing;
  while (next) {
    const item: LibraryItem = next;
    const { kind, id } = item;
    const step: { readonly level: AccessLevel; readonly parent: string | undefined } | undefined =
      await readUnlessHidden(async () => {
        const [it, users, teams] =
          kind === "space"
            ? await Promise.all([
                ask("getSpace", { params: { spaceId: id } }),
                readCompleteList(ask, "listUserGrantsOnSpace", { params: { spaceId: id } }),
                readCompleteList(ask, "listTeamGrantsOnSpace", { params: { spaceId: id } }),
              ])
            : await Promise.all([
                ask("getCollection", { params: { collectionId: id } }),
                readCompleteList(ask, "listUserGrantsOnCollection", {
                  params: { collectionId: id },
                }),
                readCompleteList(ask, "listTeamGrantsOnCollection", {
                  params: { collectionId: id },
                }),
              ]);
        const level: AccessLevel = {
          id,
          title: it.title,
          defaultLevel: it.defaultLevel,
          users: new Map(users.map(({ user, permission }) => [user.id, permission])),
          teams: await Promise.all(
            teams.map(async ({ team, permission }) => ({
              title: team.title,
              role: permission,
              members: await listTeamMembers(team.id),
            })),
          ),
        };
        return { level, parent: it.parent };
      });
    if (!step) break;
    path.push(step.level);
    next = step.parent === undefined ? undefined : { kind: "collection", id: step.parent };
  }
  return { path, roles };
}

/** Reads all pages of a list. */
async function readCompleteList<Name extends ListOperationName>(
  ask: AccessApiCall,
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

/** Returns undefined for data that is hidden from the user. */
async function readUnlessHidden<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    const { status } = error as { readonly status?: number };
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
}
