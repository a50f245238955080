// Why somebody has a role on a space or a collection. The API says which role somebody has in the end; this says where it
// comes from, by the rules of the API (docs/users.md).

import type { Role } from "../../../generated/resources";

/** The space or collection in question, or a collection above it, with what was given there. */
export interface Level {
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

export type Reason =
  | { readonly why: "admin"; readonly role: Role }
  | { readonly why: "given"; readonly role: Role; readonly on: string }
  | { readonly why: "team"; readonly role: Role; readonly on: string; readonly team: string }
  | { readonly why: "default"; readonly role: Role; readonly on: string }
  | { readonly why: "organization"; readonly role: Role };

const order: readonly Role[] = ["read", "comment", "edit", "review", "create", "admin"];

/**
 * The reasons that somebody has a role, the one that decides first. An admin of the organization is admin of everything.
 * Else the highest grant counts; without a grant the nearest level for everybody; without one the role in the organization.
 */
export function reasonsOf(
  user: { readonly id: string; readonly role: Role | null },
  path: readonly Level[],
): readonly Reason[] {
  const given: Reason[] = path.flatMap(({ title: on, users, teams }) => {
    const own = users.get(user.id);
    return [
      ...(own === undefined ? [] : [{ why: "given" as const, role: own, on }]),
      ...teams.flatMap(({ title, role, members }) =>
        members.has(user.id) ? [{ why: "team" as const, role, on, team: title }] : [],
      ),
    ];
  });
  given.sort((one, other) => order.indexOf(other.role) - order.indexOf(one.role));
  if (user.role === "admin") return [{ why: "admin", role: "admin" }, ...given];
  if (given.length > 0 || user.role === null) return given;
  const nearest = path.find(({ defaultLevel }) => defaultLevel !== "inherit");
  if (!nearest || nearest.defaultLevel === "inherit") return [{ why: "organization", role: user.role }];
  return nearest.defaultLevel === null ? [] : [{ why: "default", role: nearest.defaultLevel, on: nearest.title }];
}
