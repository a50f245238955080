// Explains the role of a user on a space or a collection. The API returns the effective role; this finds its sources, by the
// rules of the API (docs/guides/users-and-tokens.md).

import type { Role } from "../../../generated/resources";

/** A space or a collection with its grants, or a collection above it. */
export interface AccessLevel {
  readonly id: string;
  readonly title: string;
  readonly defaultLevel: Role | null | "inherit";
  readonly users: ReadonlyMap<string, Role>;
  readonly teams: readonly {
    readonly title: string;
    readonly role: Role;
    readonly members: ReadonlySet<string>;
  }[];
}

export type AccessReason =
  | { readonly why: "admin"; readonly role: Role }
  | { readonly why: "given"; readonly role: Role; readonly on: string }
  | { readonly why: "team"; readonly role: Role; readonly on: string; readonly team: string }
  | { readonly why: "default"; readonly role: Role; readonly on: string }
  | { readonly why: "organization"; readonly role: Role };

/** The roles, from the weakest to the strongest. */
const ROLE_ORDER: readonly Role[] = ["read", "comment", "edit", "review", "create", "admin"];

/**
 * Returns the reasons for the role of a user, the decisive one first. An admin of the organization is admin of everything.
 * Otherwise the highest grant counts. Without a grant it is the nearest default level, and without one the organization role.
 */
export function findAccessReasons(
  user: { readonly id: string; readonly role: Role | null },
  path: readonly AccessLevel[],
): readonly AccessReason[] {
  const grants: AccessReason[] = path.flatMap(({ title: on, users, teams }) => {
    const own = users.get(user.id);
    return [
      ...(own === undefined ? [] : [{ why: "given" as const, role: own, on }]),
      ...teams.flatMap(({ title, role, members }) =>
        members.has(user.id) ? [{ why: "team" as const, role, on, team: title }] : [],
      ),
    ];
  });
  grants.sort((one, other) => ROLE_ORDER.indexOf(other.role) - ROLE_ORDER.indexOf(one.role));
  if (user.role === "admin") return [{ why: "admin", role: "admin" }, ...grants];
  if (grants.length > 0 || user.role === null) return grants;
  const nearest = path.find(({ defaultLevel }) => defaultLevel !== "inherit");
  if (!nearest || nearest.defaultLevel === "inherit") return [{ why: "organization", role: user.role }];
  return nearest.defaultLevel === null ? [] : [{ why: "default", role: nearest.defaultLevel, on: nearest.title }];
}
