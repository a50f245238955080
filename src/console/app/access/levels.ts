// What members have on a space or a collection without being given anything.

import type { DefaultLevel, Role } from "../../../generated/resources";
import { roleOptions } from "../people/roles";
import type { Words } from "../words/words";

type Level = Role | "inherit" | "none";

export function levelOptions(words: Words): readonly (readonly [Level, string])[] {
  return [["inherit", words.levelInherit], ["none", words.levelNone], ...givenOptions(words)];
}

/** The roles that can be given. */
export function givenOptions(words: Words): readonly (readonly [Role, string])[] {
  return roleOptions(words).filter((it): it is readonly [Role, string] => it[0] !== "none");
}

export const levelFrom = (level: DefaultLevel): Level => level ?? "none";
export const levelTo = (level: Level): DefaultLevel => (level === "none" ? null : level);
