// The one function that says what somebody may do with a space or a collection.

import { highest } from "../../../roles";
import type { Role } from "../../../shapes";

/** What decides a role on a thing: of the caller, and of the thing and what it lies in, from itself to the top. */
export interface AccessQuestion {
  /** The role in the organization; null: a guest; undefined: not a member. */
  readonly own: Role | null | undefined;
  /** For the thing and each collection above it: what the user and their teams were given, and the default level. */
  readonly path: readonly { readonly given: readonly Role[]; readonly defaultLevel: Role | null | "inherit" }[];
}

/**
 * An admin of the organization is admin of everything. Otherwise the highest that was given, on the thing and above it;
 * else the nearest default level that is not `inherit`; else the role in the organization. A guest has only what was
 * given. Null: no access.
 */
export function roleOn({ own, path }: AccessQuestion): Role | null {
  if (own === undefined) return null;
  if (own === "admin") return "admin";
  const given = highest(path.flatMap((node) => node.given));
  if (given !== null || own === null) return given;
  const level = path.find((node) => node.defaultLevel !== "inherit")?.defaultLevel;
  return level === undefined || level === "inherit" ? own : level;
}
