// Members of an organization on the wire.

import * as v from "valibot";
import { Id, MemberRole, namedObject, roles, Timestamp, User } from "../../../operation/common-schemas";

export const Member = namedObject("Member", {
  object: v.literal("member"),
  id: Id,
  role: MemberRole,
  user: User,
  disabled: v.boolean(),
  joinedAt: Timestamp,
  lastSeenAt: v.optional(Timestamp),
  sso: v.boolean(),
  spaces: v.number(),
  teams: v.number(),
});

export const MemberChanges = v.strictObject({ role: MemberRole });

export const RoleFilter = v.picklist([...roles, "guest"], `Expected one of ${roles.join(", ")}, guest`);
export const MemberSort = v.picklist(["joinedAt", "lastSeenAt"], "Expected joinedAt or lastSeenAt");
