// Grants of users and teams on spaces and collections. Both have the same operations under their own paths.

import type * as v from "valibot";
import { invalid } from "../../../errors";
import { type Listing, operation, type Page, type Target } from "../../../operation/operation";
import { filteredPageOf, pageOf, type Walk } from "../../../operation/pages";
import { checkGrantable } from "../../../roles";
import type { Role } from "../../../shapes";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Urls } from "../../../urls";
import type { GranteeKind } from "../../people/members/given";
import { type MemberRecord, members } from "../../people/members/records";
import { teams } from "../../people/teams/records";
import { teamViews } from "../../people/teams/views";
import { usersById, userView } from "../../people/users/records";
import { collection } from "../collections/rules";
import { space } from "../spaces/rules";
import { type InTree, roleIn, viewerOn } from "../tree/rules";
import { type GrantRecord, grants } from "./records";
import { grantOn, type InGrant } from "./rules";
import { GrantChanges, NewGrants, TeamGrant, UserGrant } from "./schema";

type Reading = InTree & { readonly tx: Reader; readonly directory: Reader; readonly page: Page; readonly urls: Urls };
type Changing = InTree & { readonly tx: Transaction; readonly now: Date };

type Changes<Names> = Changing & { readonly params: Names; readonly body: v.InferOutput<typeof GrantChanges> };

/** The operations on the grants of a thing, each without its route. */
function grantsOn<Above extends InTree>(thing: string, above: Target<Above, "admin">) {
  const [ofUser, ofTeam] = [grantOn(above, "user"), grantOn(above, "team")];
  return {
    give: {
      summary: `Give users and teams a role on ${thing}`,
      on: above,
      right: "admin" as const,
      body: NewGrants,
      handle: (context: Changing & { readonly body: v.InferOutput<typeof NewGrants> }) => give(context, context.body),
    },
    listOfUsers: {
      summary: `List what users were given on ${thing}`,
      on: above,
      right: "view" as const,
      list: UserGrant,
      handle: listUserGrants,
    },
    updateOfUser: {
      summary: `Change what a user was given on ${thing}`,
      on: ofUser,
      right: "admin" as const,
      body: GrantChanges,
      handle: (context: Changes<{ readonly userId: string }>) =>
        put(context, "user", context.params.userId, context.body.role),
    },
    removeOfUser: {
      summary: `Take away what a user was given on ${thing}`,
      on: ofUser,
      right: "admin" as const,
      handle: remove,
    },
    listOfTeams: {
      summary: `List what teams were given on ${thing}`,
      on: above,
      right: "view" as const,
      list: TeamGrant,
      handle: listTeamGrants,
    },
    updateOfTeam: {
      summary: `Change what a team was given on ${thing}`,
      on: ofTeam,
      right: "admin" as const,
      body: GrantChanges,
      handle: (context: Changes<{ readonly teamId: string }>) =>
        put(context, "team", context.params.teamId, context.body.role),
    },
    removeOfTeam: {
      summary: `Take away what a team was given on ${thing}`,
      on: ofTeam,
      right: "admin" as const,
      handle: remove,
    },
    listAccess: {
      summary: `List everybody who has access to ${thing}, and the role that they have there in the end`,
      on: above,
      right: "view" as const,
      list: UserGrant,
      handle: listAccess,
    },
  };
}

const onSpace = grantsOn("a space", space);

export const grantOnSpace = operation("POST /spaces/:spaceId/permissions", onSpace.give);

export const listUserGrantsOnSpace = operation("GET /spaces/:spaceId/permissions/users", onSpace.listOfUsers);

export const updateUserGrantOnSpace = operation(
  "PATCH /spaces/:spaceId/permissions/users/:userId",
  onSpace.updateOfUser,
);

export const removeUserGrantOnSpace = operation(
  "DELETE /spaces/:spaceId/permissions/users/:userId",
  onSpace.removeOfUser,
);

export const listTeamGrantsOnSpace = operation("GET /spaces/:spaceId/permissions/teams", onSpace.listOfTeams);

export const updateTeamGrantOnSpace = operation(
  "PATCH /spaces/:spaceId/permissions/teams/:teamId",
  onSpace.updateOfTeam,
);

export const removeTeamGrantOnSpace = operation(
  "DELETE /spaces/:spaceId/permissions/teams/:teamId",
  onSpace.removeOfTeam,
);

export const listAccessToSpace = operation("GET /spaces/:spaceId/permissions/aggregate", onSpace.listAccess);

const onCollection = grantsOn("a collection", collection);

export const grantOnCollection = operation("POST /collections/:collectionId/permissions", {
  ...onCollection.give,
  summary: "Give users and teams a role on a collection and everything in it",
});

export const listUserGrantsOnCollection = operation(
  "GET /collections/:collectionId/permissions/users",
  onCollection.listOfUsers,
);

export const updateUserGrantOnCollection = operation(
  "PATCH /collections/:collectionId/permissions/users/:userId",
  onCollection.updateOfUser,
);

export const removeUserGrantOnCollection = operation(
  "DELETE /collections/:collectionId/permissions/users/:userId",
  onCollection.removeOfUser,
);

export const listTeamGrantsOnCollection = operation(
  "GET /collections/:collectionId/permissions/teams",
  onCollection.listOfTeams,
);

export const updateTeamGrantOnCollection = operation(
  "PATCH /collections/:collectionId/permissions/teams/:teamId",
  onCollection.updateOfTeam,
);

export const removeTeamGrantOnCollection = operation(
  "DELETE /collections/:collectionId/permissions/teams/:teamId",
  onCollection.removeOfTeam,
);

export const listAccessToCollection = operation(
  "GET /collections/:collectionId/permissions/aggregate",
  onCollection.listAccess,
);

/** Gives roles, all or none. An earlier grant is replaced. */
async function give(context: Changing, wanted: v.InferOutput<typeof NewGrants>): Promise<void> {
  for (const kind of ["user", "team"] as const) {
    const list = (kind === "user" ? wanted.users : wanted.teams) ?? [];
    for (const [i, { id, role = wanted.role }] of list.entries()) {
      if (role === undefined)
        throw invalid(`body.${kind}s.${i}.role`, "Say the role, here or for all of them in `role`");
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

/** Everybody with access, each with the role that their own requests would have. */
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
