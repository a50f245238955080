// Members of an organization on the wire.

import * as v from "valibot";
import { Id, MemberRole, roles, Timestamp, User } from "../../../operation/common-schemas";

export const Member = v.pipe(
  v.object({
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
  }),
  v.title("Member"),
);

export const MemberChanges = v.strictObject({ role: MemberRole });

export const RoleFilter = v.picklist([...roles, "guest"], `Expected one of ${roles.join(", ")}, guest`);
export const MemberSort = v.picklist(["joinedAt", "lastSeenAt"], "Expected joinedAt or lastSeenAt");
