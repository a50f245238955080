// What users and teams were given on spaces and collections. The two have the same operations under their own paths, so
// each is declared twice and does the same thing once.

import type * as v from "valibot";
import { invalid } from "../../errors";
import { filteredPageOf, pageOf, type Walk } from "../../kernel/pages";
import { type Listing, operation, type Page } from "../../operation";
import { checkGrantable } from "../../roles";
import type { Role } from "../../shapes";
import type { Reader, Transaction } from "../../store/transaction";
import type { Urls } from "../../urls";
import { collection } from "../collections/rules";
import type { GranteeKind } from "../members/given";
import { type MemberRecord, members } from "../members/records";
import { space } from "../spaces/rules";
import { teams } from "../teams/records";
import { teamViews } from "../teams/views";
import { type InTree, roleIn, viewerOn } from "../tree/rules";
import { usersById, userView } from "../users/records";
import { type GrantRecord, grants } from "./records";
import { grantOn, type InGrant } from "./rules";
import { GrantChanges, NewGrants, TeamGrant, UserGrant } from "./schema";

const userGrantOnSpace = grantOn(space, "user");
const teamGrantOnSpace = grantOn(space, "team");
const userGrantOnCollection = grantOn(collection, "user");
const teamGrantOnCollection = grantOn(collection, "team");

type Reading = InTree & { readonly tx: Reader; readonly directory: Reader; readonly page: Page; readonly urls: Urls };
type Changing = InTree & { readonly tx: Transaction; readonly now: Date };

export const grantOnSpace = operation("POST /spaces/:spaceId/permissions", {
  summary: "Give users and teams a role on a space",
  on: space,
  right: "admin",
  body: NewGrants,
  handle: (context) => give(context, context.body),
});

export const listUserGrantsOnSpace = operation("GET /spaces/:spaceId/permissions/users", {
  summary: "List what users were given on a space",
  on: space,
  right: "view",
  list: UserGrant,
  handle: listUserGrants,
});

export const updateUserGrantOnSpace = operation("PATCH /spaces/:spaceId/permissions/users/:userId", {
  summary: "Change what a user was given on a space",
  on: userGrantOnSpace,
  right: "admin",
  body: GrantChanges,
  handle: (context) => put(context, "user", context.params.userId, context.body.role),
});

export const removeUserGrantOnSpace = operation("DELETE /spaces/:spaceId/permissions/users/:userId", {
  summary: "Take away what a user was given on a space",
  on: userGrantOnSpace,
  right: "admin",
  handle: remove,
});

export const listTeamGrantsOnSpace = operation("GET /spaces/:spaceId/permissions/teams", {
  summary: "List what teams were given on a space",
  on: space,
  right: "view",
  list: TeamGrant,
  handle: listTeamGrants,
});

export const updateTeamGrantOnSpace = operation("PATCH /spaces/:spaceId/permissions/teams/:teamId", {
  summary: "Change what a team was given on a space",
  on: teamGrantOnSpace,
  right: "admin",
  body: GrantChanges,
  handle: (context) => put(context, "team", context.params.teamId, context.body.role),
});

export const removeTeamGrantOnSpace = operation("DELETE /spaces/:spaceId/permissions/teams/:teamId", {
  summary: "Take away what a team was given on a space",
  on: teamGrantOnSpace,
  right: "admin",
  handle: remove,
});

export const listAccessToSpace = operation("GET /spaces/:spaceId/permissions/aggregate", {
  summary: "List everybody who has access to a space, and the role that they have there in the end",
  on: space,
  right: "view",
  list: UserGrant,
  handle: listAccess,
});

export const grantOnCollection = operation("POST /collections/:collectionId/permissions", {
  summary: "Give users and teams a role on a collection and everything in it",
  on: collection,
  right: "admin",
  body: NewGrants,
  handle: (context) => give(context, context.body),
});

export const listUserGrantsOnCollection = operation("GET /collections/:collectionId/permissions/users", {
  summary: "List what users were given on a collection",
  on: collection,
  right: "view",
  list: UserGrant,
  handle: listUserGrants,
});

export const updateUserGrantOnCollection = operation("PATCH /collections/:collectionId/permissions/users/:userId", {
  summary: "Change what a user was given on a collection",
  on: userGrantOnCollection,
  right: "admin",
  body: GrantChanges,
  handle: (context) => put(context, "user", context.params.userId, context.body.role),
});

export const removeUserGrantOnCollection = operation("DELETE /collections/:collectionId/permissions/users/:userId", {
  summary: "Take away what a user was given on a collection",
  on: userGrantOnCollection,
  right: "admin",
  handle: remove,
});

export const listTeamGrantsOnCollection = operation("GET /collections/:collectionId/permissions/teams", {
  summary: "List what teams were given on a collection",
  on: collection,
  right: "view",
  list: TeamGrant,
  handle: listTeamGrants,
});

export const updateTeamGrantOnCollection = operation("PATCH /collections/:collectionId/permissions/teams/:teamId", {
  summary: "Change what a team was given on a collection",
  on: teamGrantOnCollection,
  right: "admin",
  body: GrantChanges,
  handle: (context) => put(context, "team", context.params.teamId, context.body.role),
});

export const removeTeamGrantOnCollection = operation("DELETE /collections/:collectionId/permissions/teams/:teamId", {
  summary: "Take away what a team was given on a collection",
  on: teamGrantOnCollection,
  right: "admin",
  handle: remove,
});

export const listAccessToCollection = operation("GET /collections/:collectionId/permissions/aggregate", {
  summary: "List everybody who has access to a collection, and the role that they have there in the end",
  on: collection,
  right: "view",
  list: UserGrant,
  handle: listAccess,
});

/** Gives roles, all or none; whoever was given one before has the new one instead. */
async function give(context: Changing, wanted: v.InferOutput<typeof NewGrants>): Promise<void> {
  for (const kind of ["user", "team"] as const) {
    const list = (kind === "user" ? wanted.users : wanted.teams) ?? [];
    for (const [i, { id, role }] of list.entries()) {
      const isThere = kind === "user" ? await members.get(context.tx, id) : await teams.get(context.tx, id);
      if (!isThere)
        throw invalid(`body.${kind}s.${i}.id`, `The organization has no such ${kind === "user" ? "member" : "team"}`);
      await put(context, kind, id, role);
    }
  }
}

async function put(
  { tx, path, role: own, now }: Changing,
  kind: GranteeKind,
  grantee: string,
  role: Role,
): Promise<void> {
  checkGrantable(own, role);
  const node = path[0].id;
  const known = await grants.get(tx, node, kind, grantee);
  await grants.put(tx, { node, kind, grantee, role, createdAt: known?.createdAt ?? now.toISOString() });
}

async function remove({ tx, grant }: InGrant & { readonly tx: Transaction }): Promise<void> {
  await grants.delete(tx, grant.node, grant.kind, grant.grantee);
}

function walkGrants({ tx, path }: Reading, kind: GranteeKind): Walk<GrantRecord> {
  return (slice) => grants.list(tx, "ofNode", { under: [path[0].id, kind], ...slice });
}

async function listUserGrants(context: Reading): Promise<Listing<v.InferOutput<typeof UserGrant>>> {
  const { tx, directory, path, page, urls } = context;
  const count = await grants.total(tx, "ofNode", path[0].id, "user");
  return pageOf(page, walkGrants(context, "user"), count, async (found) => {
    const people = await usersById(
      directory,
      found.map(({ grantee }) => grantee),
    );
    return found.flatMap(({ grantee, role }) => {
      const user = people.get(grantee);
      return user ? [{ permission: role, user: userView(user, urls) }] : [];
    });
  });
}

async function listTeamGrants(context: Reading): Promise<Listing<v.InferOutput<typeof TeamGrant>>> {
  const { tx, path, page } = context;
  const count = await grants.total(tx, "ofNode", path[0].id, "team");
  return pageOf(page, walkGrants(context, "team"), count, async (found) => {
    const known = await teams.getMany(
      tx,
      found.map(({ grantee }) => [grantee]),
    );
    const there = known.flatMap((team, i) => (team ? [{ team, role: found[i]!.role }] : []));
    const views = await teamViews(
      there.map(({ team }) => team),
      context,
    );
    return views.map((team, i) => ({ permission: there[i]!.role, team }));
  });
}

/** Everybody with access: each member's role is worked out as it is when they come themselves. */
async function listAccess(context: Reading): Promise<Listing<v.InferOutput<typeof UserGrant>>> {
  const { tx, directory, path, page, urls } = context;
  const walk: Walk<{ member: MemberRecord; role: Role | null }> = async (slice) => {
    const rows = await members.list(tx, "joinedAt", slice);
    return Promise.all(
      rows.map(async ({ record, position }) => {
        const role = roleIn(await viewerOn(tx, record.user, path), path);
        return { record: { member: record, role }, position };
      }),
    );
  };
  return filteredPageOf(
    page,
    walk,
    ({ role }) => role !== null,
    async (found) => {
      const people = await usersById(
        directory,
        found.map(({ member }) => member.user),
      );
      return found.flatMap(({ member, role }) => {
        const user = people.get(member.user);
        return user && role ? [{ permission: role, user: userView(user, urls) }] : [];
      });
    },
  );
}
