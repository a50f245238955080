// The roles of people, from the least to the most.

import type { Role } from "../../../generated/resources";
import type { Words } from "../words/words";

/** `none` is a guest: somebody who sees only what is given to them. */
export type RoleOrNone = Role | "none";

export function roleOptions(words: Words): readonly (readonly [RoleOrNone, string])[] {
  return [
    ["none", words.roleGuest],
    ["read", words.roleRead],
    ["comment", words.roleComment],
    ["edit", words.roleEdit],
    ["review", words.roleReview],
    ["create", words.roleCreate],
    ["admin", words.roleAdmin],
  ];
}

export const asRole = (role: RoleOrNone): Role | null => (role === "none" ? null : role);
export const fromRole = (role: Role | null): RoleOrNone => role ?? "none";
