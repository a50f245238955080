// The default access of members to a space or a collection.

import type { DefaultLevel, Role } from "../../../generated/resources";
import type { Messages } from "../messages/messages";
import { listRoleOptions } from "../people/roles";

type DefaultLevelChoice = Role | "inherit" | "none";

export function listLevelOptions(messages: Messages): readonly (readonly [DefaultLevelChoice, string])[] {
  return [["inherit", messages.levelInherit], ["none", messages.levelNone], ...listGrantOptions(messages)];
}

/** Returns the roles that can be granted. */
export function listGrantOptions(messages: Messages): readonly (readonly [Role, string])[] {
  return listRoleOptions(messages).filter((it): it is readonly [Role, string] => it[0] !== "none");
}

export const toDefaultLevel = (level: DefaultLevelChoice): DefaultLevel => (level === "none" ? null : level);
