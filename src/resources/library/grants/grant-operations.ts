// The operations on grants. Spaces, collections and sites each have them under their own paths.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import type { Role } from "../../../operation/common-schemas";
import type { CallContext } from "../../../operation/operation";
import { paginateGroup, paginateRows } from "../../../operation/pagination";
import { checkCanGrantRole } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import type { Transaction } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import type { GranteeKind } from "../../people/members/grants-extension";
import { getMemberStandings } from "../../people/members/member-standings";
import { isActiveMember, type MemberStanding, members } from "../../people/members/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { teams } from "../../people/teams/records";
import { presentTeams } from "../../people/teams/views";
import { findUsersById, presentUser } from "../../people/users/records";
import { type GrantRecord, grants, listGrantedRolesByUser } from "./records";
import { createGrantTarget, type GrantContext } from "./rules";
import { GrantChanges, NewGrants, TeamGrant, UserGrant } from "./schema";

/** The space, collection or site that a grant is on, with the caller's role on it; null: none. */
export interface GrantTarget extends OrganizationContext {
  readonly role: Role | null;
}

/** The functions that the operations need for one type of target. */
export interface GrantTargetAccess<Above> {
  readonly getId: (target: Above) => string;
  /** Returns the ids of the nodes whose grants decide a role on the target. */
  readonly getDecidingIds: (target: Above) => readonly string[];
  /** Returns the effective role of a member; `grantedRoles`: the roles granted to them and their teams, by node. */
  readonly getMemberRole: (
    member: MemberStanding,
    grantedRoles: ReadonlyMap<string, readonly Role[]>,
    target: Above,
  ) => Role | null;
}

type GrantListContext = GrantTarget &
  Pick<TargetContext, "tx" | "directory" | "ports"> &
  Pick<CallContext, "pageRequest" | "urls">;

type GrantChangeContext<Body = v.InferOutput<typeof GrantChanges>> = GrantTarget & {
  readonly tx: Transaction;
  readonly now: Date;
  readonly body: Body;
};

const NO_ROLES: ReadonlyMap<string, readonly Role[]> = new Map();

/** Creates the operations on the grants of a type of target, without their routes. `noun` names the target in texts. */
export function createGrantOperations<Above extends GrantTarget>(
  noun: string,
  above: Target<Above, "admin">,
  { getId, getDecidingIds, getMemberRole }: GrantTargetAccess<Above>,
) {
  const createKindOperations = <Grant extends v.GenericSchema>(
    kind: GranteeKind,
    list: Grant,
    present: (found: readonly GrantRecord[], context: GrantListContext) => Promise<v.InferInput<Grant>[]>,
  ) => {
    const grantTarget = createGrantTarget(above, getId, kind);
    return {
      list: {
        summary: `List ${kind} grants on ${noun}`,
        target: above,
        right: "view" as const,
        list,
        handle: (context: Above & GrantListContext) =>
          paginateGroup(context, grants, "ofNode", [getId(context), kind], (found) => present(found, context)),
      },
      update: {
        summary: `Update a ${kind} grant on ${noun}`,
        target: grantTarget,
        right: "admin" as const,
        body: GrantChanges,
        handle: (context: Above & GrantContext & GrantChangeContext) =>
          putGrant(context, context.grant.node, kind, context.grant.grantee, context.body.role),
      },
      remove: {
        summary: `Revoke a ${kind} grant on ${noun}`,
        target: grantTarget,
        right: "admin" as const,
        handle: ({ tx, grant }: GrantContext & { readonly tx: Transaction }) =>
          grants.delete(tx, grant.node, grant.kind, grant.grantee),
      },
    };
  };
  return {
    add: {
      summary: `Grant access to ${noun}`,
      target: above,
      right: "admin" as const,
      body: NewGrants,
      // All roles of a request are granted, or none. An earlier grant is replaced.
      async handle(context: Above & GrantChangeContext<v.InferOutput<typeof NewGrants>>) {
        const { tx, body } = context;
        for (const kind of ["user", "team"] as const) {
          const list = (kind === "user" ? body.users : body.teams) ?? [];
          for (const [i, item] of list.entries()) {
            const field = `body.${kind}s.${i}`;
            const { id: grantee, role = body.role } = typeof item === "string" ? { id: item } : item;
            if (role === undefined)
              throw typeof item === "string"
                ? createValidationError("body.role", "A role is required for users and teams given by ID only")
                : createValidationError(`${field}.role`, "A role is required, either here or in `role` for everyone");
            const exists = kind === "user" ? await members.get(tx, grantee) : await teams.get(tx, grantee);
            if (!exists)
              throw createValidationError(
                typeof item === "string" ? field : `${field}.id`,
                `The organization has no such ${kind === "user" ? "member" : "team"}`,
              );
            await putGrant(context, getId(context), kind, grantee, role);
          }
        }
      },
    },
    user: createKindOperations("user", UserGrant, async (found, { directory, urls }) => {
      const people = await findUsersById(
        directory,
        found.map(({ grantee }) => grantee),
      );
      return found.flatMap(({ grantee, role }) => {
        const user = people.get(grantee);
        return user ? [{ permission: role, user: presentUser(user, urls) }] : [];
      });
    }),
    team: createKindOperations("team", TeamGrant, async (found, context) => {
      const ids = found.map(({ grantee }) => grantee);
      const records = await teams.getMany(context.tx, ids);
      const existing = records.flatMap((team, i) => (team ? [{ team, role: found[i]!.role }] : []));
      const views = await presentTeams(
        existing.map(({ team }) => team),
        context,
      );
      return views.map((team, i) => ({ permission: existing[i]!.role, team }));
    }),
    listAccess: {
      summary: `List users with access to ${noun}`,
      target: above,
      right: "view" as const,
      list: UserGrant,
      async handle(context: Above & GrantListContext) {
        const { tx, directory, pageRequest, urls } = context;
        const rolesByUser = await listGrantedRolesByUser(tx, getDecidingIds(context));
        const getRole = (member: MemberStanding) =>
          getMemberRole(member, rolesByUser.get(member.user) ?? NO_ROLES, context);
        // Members without grants differ only by their role in the organization.
        const rolesWithoutGrants = new Map<string, Role | null>();
        const hasAccess = ({ record }: PositionedRecord<MemberStanding>) => {
          if (rolesByUser.has(record.user)) return getRole(record) !== null;
          const key = `${record.role} ${isActiveMember(record)}`;
          if (!rolesWithoutGrants.has(key)) rolesWithoutGrants.set(key, getRole(record));
          return rolesWithoutGrants.get(key) !== null;
        };
        return paginateRows(pageRequest, (await getMemberStandings(context)).filter(hasAccess), async (shown) => {
          const userIds = shown.map(({ user }) => user);
          const found = await members.getMany(tx, userIds);
          const people = await findUsersById(directory, userIds);
          return found.flatMap((member) => {
            const role = member ? getRole(member) : null;
            const user = member && people.get(member.user);
            return user && role ? [{ permission: role, user: presentUser(user, urls) }] : [];
          });
        });
      },
    },
  };
}

/** Grants a role that is no higher than the caller's own. */
async function putGrant(
  { tx, role: ownRole, now }: Pick<GrantChangeContext, "tx" | "role" | "now">,
  node: string,
  kind: GranteeKind,
  grantee: string,
  role: Role,
): Promise<void> {
  checkCanGrantRole(ownRole, role);
  const existing = await grants.get(tx, node, kind, grantee);
  await grants.put(tx, { node, kind, grantee, role, createdAt: existing?.createdAt ?? now.toISOString() });
}
