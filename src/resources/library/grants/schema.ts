// Grants on the wire.

import * as v from "valibot";
import { Id, listSchema, namedObject, Role, User } from "../../../operation/common-schemas";
import { Team } from "../../people/teams/schema";

export const UserGrant = namedObject("UserGrant", { permission: Role, user: User });
export const TeamGrant = namedObject("TeamGrant", { permission: Role, team: Team });

const Grantee = v.union([Id, v.strictObject({ id: Id, role: v.optional(Role) })], "Expected an id, or {id, role}");
const Grantees = listSchema(Grantee, 40, "Expected at most 40 at once");

/** Who gets which role. */
export const NewGrants = v.strictObject({
  users: v.optional(Grantees),
  teams: v.optional(Grantees),
  role: v.optional(Role),
});
export const GrantChanges = v.strictObject({ role: Role });
