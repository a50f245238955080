// Grants: what a user or a team was given on a space or a collection.

import type { Role } from "../../shapes";
import { codeOf } from "../../store/ids";
import { records } from "../../store/records";
import type { Reader, Transaction } from "../../store/transaction";

export type GranteeKind = "user" | "team";

export type GrantRecord = {
  /** The space or collection. */
  readonly node: string;
  readonly kind: GranteeKind;
  /** The user or team. */
  readonly grantee: string;
  readonly role: Role;
  readonly createdAt: string;
};

export const grants = records("grant", {
  key: (grant: GrantRecord) => [grant.node, grant.kind, grant.grantee],
  indexes: {
    ofNode: (grant) => [grant.node, grant.kind, grant.createdAt],
    ofGrantee: (grant) => [grant.kind, grant.grantee],
  },
  totals: {
    ofNode: (grant) => [grant.node, grant.kind],
    /** Spaces alone, not collections. */
    spaces: (grant) => (codeOf("space", grant.node) === undefined ? undefined : [grant.kind, grant.grantee]),
  },
});

/** What a user, or the teams that they are in, were given, by space or collection: the highest of each. */
export async function grantsOf(tx: Reader, user: string, teams: readonly string[]): Promise<Map<string, Role[]>> {
  const given = new Map<string, Role[]>();
  const grantees: [GranteeKind, string][] = [
    ["user", user],
    ...teams.map((team): [GranteeKind, string] => ["team", team]),
  ];
  for (const under of grantees) {
    for (const { record } of await grants.list(tx, "ofGrantee", { under, limit: 10_000 })) {
      given.set(record.node, [...(given.get(record.node) ?? []), record.role]);
    }
  }
  return given;
}

/** Grants that one transaction takes away; each is several entries of a batch. */
const AT_ONCE = 40;

/** Takes away what a user or a team was given, as much as one transaction may; true when there may be more. */
export async function dropGrants(
  tx: Transaction,
  by: "ofNode" | "ofGrantee",
  under: readonly string[],
): Promise<boolean> {
  const rows = await grants.list(tx, by, { under, limit: AT_ONCE });
  for (const { record } of rows) await grants.delete(tx, record.node, record.kind, record.grantee);
  return rows.length === AT_ONCE;
}
