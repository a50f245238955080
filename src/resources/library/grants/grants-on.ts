// The operations on the grants of a thing: a space, a collection, a site. Each has them under its own paths.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import type { Role } from "../../../operation/common-schemas";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { paginateList, paginateRows, type ReadRows } from "../../../operation/pagination";
import { checkCanGrantRole } from "../../../operation/roles";
import type { Target } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Reader, Transaction } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import type { StampedCache } from "../../../utils/stamped-cache";
import type { GranteeKind } from "../../people/members/grants-extension";
import { getMemberStandings } from "../../people/members/member-standings";
import { isActiveMember, type MemberStanding, members } from "../../people/members/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { teams } from "../../people/teams/records";
import { presentTeams } from "../../people/teams/views";
import { findUsersById, presentUser } from "../../people/users/records";
import { type GrantRecord, givenToAll, grants } from "./records";
import { grantOn, type InGrant } from "./rules";
import { GrantChanges, NewGrants, TeamGrant, UserGrant } from "./schema";

/** A thing as the caller sees it, with the caller's role on it; null: none. */
export interface Granted extends OrganizationContext {
  readonly role: Role | null;
}

/** What the grants of a kind of thing need to know about it. */
export interface Granting<Above> {
  readonly idOf: (found: Above) => string;
  /** The things whose grants decide a role on it. */
  readonly decidedBy: (found: Above) => readonly string[];
  /** The role of a member in the end; `given`: what they and their teams were given, by thing. */
  readonly roleOf: (member: MemberStanding, given: ReadonlyMap<string, readonly Role[]>, found: Above) => Role | null;
}

type Reading = Granted & {
  readonly tx: Reader;
  readonly directory: Reader;
  readonly pageRequest: PageRequest;
  readonly urls: Urls;
  readonly ports: { readonly cache: StampedCache };
};
type Changing = Granted & { readonly tx: Transaction; readonly now: Date };

type Changes<Names> = Changing & { readonly params: Names; readonly body: v.InferOutput<typeof GrantChanges> };

/** The operations on the grants of a thing, each without its route. */
export function grantsOn<Above extends Granted>(
  thing: string,
  above: Target<Above, "admin">,
  { idOf, decidedBy, roleOf }: Granting<Above>,
) {
  const [ofUser, ofTeam] = [grantOn(above, idOf, "user"), grantOn(above, idOf, "team")];
  return {
    give: {
      summary: `Give users and teams a role on ${thing}`,
      target: above,
      right: "admin" as const,
      body: NewGrants,
      handle: (context: Above & Changing & { readonly body: v.InferOutput<typeof NewGrants> }) =>
        give(context, idOf(context), context.body),
    },
    listOfUsers: {
      summary: `List what users were given on ${thing}`,
      target: above,
      right: "view" as const,
      list: UserGrant,
      handle: (context: Above & Reading) => listUserGrants(context, idOf(context)),
    },
    updateOfUser: {
      summary: `Change what a user was given on ${thing}`,
      target: ofUser,
      right: "admin" as const,
      body: GrantChanges,
      handle: (context: Above & Changes<{ readonly userId: string }>) =>
        put(context, idOf(context), "user", context.params.userId, context.body.role),
    },
    removeOfUser: {
      summary: `Take away what a user was given on ${thing}`,
      target: ofUser,
      right: "admin" as const,
      handle: remove,
    },
    listOfTeams: {
      summary: `List what teams were given on ${thing}`,
      target: above,
      right: "view" as const,
      list: TeamGrant,
      handle: (context: Above & Reading) => listTeamGrants(context, idOf(context)),
    },
    updateOfTeam: {
      summary: `Change what a team was given on ${thing}`,
      target: ofTeam,
      right: "admin" as const,
      body: GrantChanges,
      handle: (context: Above & Changes<{ readonly teamId: string }>) =>
        put(context, idOf(context), "team", context.params.teamId, context.body.role),
    },
    removeOfTeam: {
      summary: `Take away what a team was given on ${thing}`,
      target: ofTeam,
      right: "admin" as const,
      handle: remove,
    },
    listAccess: {
      summary: `List everybody who has access to ${thing}, and the role that they have there in the end`,
      target: above,
      right: "view" as const,
      list: UserGrant,
      async handle(context: Above & Reading) {
        const given = await givenToAll(context.tx, decidedBy(context));
        return listAccess(context, given, (member) => roleOf(member, given.get(member.user) ?? NOTHING, context));
      },
    },
  };
}

const NOTHING: ReadonlyMap<string, readonly Role[]> = new Map();

/** Gives roles, all or none. An earlier grant is replaced. */
async function give(context: Changing, thing: string, wanted: v.InferOutput<typeof NewGrants>): Promise<void> {
  for (const kind of ["user", "team"] as const) {
    const list = (kind === "user" ? wanted.users : wanted.teams) ?? [];
    for (const [i, grantee] of list.entries()) {
      const at = `body.${kind}s.${i}`;
      const { id, role = wanted.role } = typeof grantee === "string" ? { id: grantee } : grantee;
      if (role === undefined)
        throw typeof grantee === "string"
          ? createValidationError("body.role", "Expected the role of those who are named by an id alone")
          : createValidationError(`${at}.role`, "Say the role, here or for all of them in `role`");
      const isThere = kind === "user" ? await members.get(context.tx, id) : await teams.get(context.tx, id);
      if (!isThere)
        throw createValidationError(
          typeof grantee === "string" ? at : `${at}.id`,
          `The organization has no such ${kind === "user" ? "member" : "team"}`,
        );
      await put(context, thing, kind, id, role);
    }
  }
}

async function put(
  { tx, role: own, now }: Changing,
  node: string,
  kind: GranteeKind,
  grantee: string,
  role: Role,
): Promise<void> {
  checkCanGrantRole(own, role);
  const known = await grants.get(tx, node, kind, grantee);
  await grants.put(tx, { node, kind, grantee, role, createdAt: known?.createdAt ?? now.toISOString() });
}

async function remove({ tx, grant }: InGrant & { readonly tx: Transaction }): Promise<void> {
  await grants.delete(tx, grant.node, grant.kind, grant.grantee);
}

function walkGrants({ tx }: Reading, thing: string, kind: GranteeKind): ReadRows<GrantRecord> {
  return (slice) => grants.list(tx, "ofNode", { under: [thing, kind], ...slice });
}

async function listUserGrants(context: Reading, thing: string): Promise<PageOfItems<v.InferOutput<typeof UserGrant>>> {
  const { tx, directory, pageRequest, urls } = context;
  const count = await grants.total(tx, "ofNode", thing, "user");
  return paginateList(pageRequest, walkGrants(context, thing, "user"), count, async (found) => {
    const people = await findUsersById(
      directory,
      found.map(({ grantee }) => grantee),
    );
    return found.flatMap(({ grantee, role }) => {
      const user = people.get(grantee);
      return user ? [{ permission: role, user: presentUser(user, urls) }] : [];
    });
  });
}

async function listTeamGrants(context: Reading, thing: string): Promise<PageOfItems<v.InferOutput<typeof TeamGrant>>> {
  const { tx, pageRequest } = context;
  const count = await grants.total(tx, "ofNode", thing, "team");
  return paginateList(pageRequest, walkGrants(context, thing, "team"), count, async (found) => {
    const known = await teams.getMany(
      tx,
      found.map(({ grantee }) => [grantee]),
    );
    const there = known.flatMap((team, i) => (team ? [{ team, role: found[i]!.role }] : []));
    const views = await presentTeams(
      there.map(({ team }) => team),
      context,
    );
    return views.map((team, i) => ({ permission: there[i]!.role, team }));
  });
}

/** Everybody with access, each with the role that their own requests would have. */
async function listAccess(
  context: Reading,
  given: ReadonlyMap<string, unknown>,
  roleOf: (member: MemberStanding) => Role | null,
): Promise<PageOfItems<v.InferOutput<typeof UserGrant>>> {
  const { tx, directory, pageRequest, urls } = context;
  // Members who were given nothing differ only by their role in the organization.
  const ofOthers = new Map<string, Role | null>();
  const hasAccess = ({ record }: PositionedRecord<MemberStanding>) => {
    if (given.has(record.user)) return roleOf(record) !== null;
    const like = `${record.role} ${isActiveMember(record)}`;
    if (!ofOthers.has(like)) ofOthers.set(like, roleOf(record));
    return ofOthers.get(like) !== null;
  };
  return paginateRows(pageRequest, (await getMemberStandings(context)).filter(hasAccess), async (shown) => {
    const users = shown.map(({ user }) => user);
    const found = await members.getMany(
      tx,
      users.map((user) => [user]),
    );
    const people = await findUsersById(directory, users);
    return found.flatMap((member) => {
      const role = member ? roleOf(member) : null;
      const user = member && people.get(member.user);
      return user && role ? [{ permission: role, user: presentUser(user, urls) }] : [];
    });
  });
}
