// Grants: the role of a user or a team on a space, a collection or a site.

import type { Role } from "../../../operation/common-schemas";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import { parsePartitionCode } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
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

/** Lists the roles that some users and teams were granted on some nodes, by node. */
export async function listGrantedRoles(
  tx: Reader,
  nodeIds: readonly string[],
  grantees: readonly (readonly [GranteeKind, string])[],
): Promise<Map<string, Role[]>> {
  const checked = await grants.readGuarded(tx, "onNode", nodeIds);
  const found = await grants.getMany(
    checked,
    nodeIds.flatMap((id) => grantees.map((grantee) => [id, ...grantee])),
  );
  return groupRolesByNode(found.flatMap((grant) => grant ?? []));
}

/** Lists the roles that all users were granted on some nodes, themselves or by their teams: by user, then by node. */
export async function listGrantedRolesByUser(
  tx: Reader,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, Map<string, Role[]>>> {
  const found = new Map<string, GrantRecord[]>();
  const add = (user: string, grant: GrantRecord) => {
    const others = found.get(user);
    if (others) others.push(grant);
    else found.set(user, [grant]);
  };
  for (const id of nodeIds)
    for await (const { record } of iterateRows((slice) => grants.list(tx, "ofNode", { under: [id], ...slice }))) {
      if (record.kind === "user") add(record.grantee, record);
      else {
        const inTeam: ReadRows<TeamMemberRecord> = (slice) =>
          teamMembers.list(tx, "ofTeam", { under: [record.grantee], ...slice });
        for await (const { record: member } of iterateRows(inTeam)) add(member.user, record);
      }
    }
  return new Map([...found].map(([user, records]) => [user, groupRolesByNode(records)]));
}

function groupRolesByNode(found: readonly GrantRecord[]): Map<string, Role[]> {
  const roles = new Map<string, Role[]>();
  for (const { node, role } of found) roles.set(node, [...(roles.get(node) ?? []), role]);
  return roles;
}

export async function listAllGrantedRoles(
  tx: Reader,
  user: string,
  teams: readonly string[],
): Promise<Map<string, Role[]>> {
  const found: GrantRecord[] = [];
  const all = await grants.readGuarded(tx, "any", [[]]);
  for (const under of listGrantees(user, teams)) {
    for (const { record } of await grants.list(all, "ofGrantee", { under, limit: 10_000 })) found.push(record);
  }
  return groupRolesByNode(found);
}

export function listGrantees(user: string, teams: readonly string[]): (readonly [GranteeKind, string])[] {
  return [["user", user], ...teams.map((team) => ["team", team] as const)];
}
