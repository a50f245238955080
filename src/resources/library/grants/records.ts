// Grants: the role of a user or a team on a space, a collection or a site.

import type { Role } from "../../../operation/common-schemas";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import { parsePartitionCode } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import type { GranteeKind } from "../../people/members/grants-extension";
import { type TeamMemberRecord, teamMembers } from "../../people/teams/records";

export type GrantRecord = {
  /** The space, collection or site. */
  readonly node: string;
  readonly kind: GranteeKind;
  /** The user or team. */
  readonly grantee: string;
  readonly role: Role;
  readonly createdAt: string;
};

export const grants = defineRecordSet("grant", {
  key: (grant: GrantRecord) => [grant.node, grant.kind, grant.grantee],
  indexes: {
    ofNode: (grant) => [grant.node, grant.kind, grant.createdAt],
    ofGrantee: (grant) => [grant.kind, grant.grantee],
  },
  totals: {
    ofNode: (grant) => [grant.node, grant.kind],
    /** Only spaces. */
    spaces: (grant) =>
      parsePartitionCode("space", grant.node) === undefined ? undefined : [grant.kind, grant.grantee],
  },
  guards: {
    onNode: (grant) => [grant.node],
    /** All grants. */
    any: () => [],
  },
});

/** The granted roles on things, by thing, for some users and teams. */
export async function rolesGivenOn(
  tx: Reader,
  things: readonly string[],
  grantees: readonly (readonly [GranteeKind, string])[],
): Promise<Map<string, Role[]>> {
  const checked = await grants.readGuarded(
    tx,
    "onNode",
    things.map((thing) => [thing]),
  );
  const found = await grants.getMany(
    checked,
    things.flatMap((thing) => grantees.map((grantee) => [thing, ...grantee])),
  );
  return byThing(found.flatMap((grant) => grant ?? []));
}

/** What everybody was given on some things, themselves or by their teams: by user, then by thing. */
export async function givenToAll(
  tx: Reader,
  things: readonly string[],
): Promise<ReadonlyMap<string, Map<string, Role[]>>> {
  const found = new Map<string, GrantRecord[]>();
  const add = (user: string, grant: GrantRecord) => {
    const others = found.get(user);
    if (others) others.push(grant);
    else found.set(user, [grant]);
  };
  for (const thing of things)
    for await (const { record } of iterateRows((slice) => grants.list(tx, "ofNode", { under: [thing], ...slice }))) {
      if (record.kind === "user") add(record.grantee, record);
      else {
        const inTeam: ReadRows<TeamMemberRecord> = (slice) =>
          teamMembers.list(tx, "ofTeam", { under: [record.grantee], ...slice });
        for await (const { record: member } of iterateRows(inTeam)) add(member.user, record);
      }
    }
  return new Map([...found].map(([user, given]) => [user, byThing(given)]));
}

function byThing(found: readonly GrantRecord[]): Map<string, Role[]> {
  const given = new Map<string, Role[]>();
  for (const { node, role } of found) given.set(node, [...(given.get(node) ?? []), role]);
  return given;
}

/** The grants of a user and their teams, by the thing. */
export async function grantsOf(tx: Reader, user: string, teams: readonly string[]): Promise<Map<string, Role[]>> {
  const found: GrantRecord[] = [];
  const all = await grants.readGuarded(tx, "any", [[]]);
  for (const under of granteesOf(user, teams)) {
    for (const { record } of await grants.list(all, "ofGrantee", { under, limit: 10_000 })) found.push(record);
  }
  return byThing(found);
}

/** A user and their teams, as receivers of grants. */
export function granteesOf(user: string, teams: readonly string[]): (readonly [GranteeKind, string])[] {
  return [["user", user], ...teams.map((team) => ["team", team] as const)];
}

/** Removes the grants on a thing, or of a user or a team, as many as there is room for. True: there are more. */
export function dropGrants(tx: Transaction, by: "ofNode" | "ofGrantee", under: readonly string[]): Promise<boolean> {
  return grants.drain(tx, by, under);
}
