// The roles that can be granted on a space or a collection.

import type { Role } from "../../../generated/resources";
import type { Messages } from "../messages/messages";
import { listRoleOptions } from "../people/roles";

export function listGrantOptions(messages: Messages): readonly (readonly [Role, string])[] {
  return listRoleOptions(messages).filter((it): it is readonly [Role, string] => it[0] !== "none");
}
