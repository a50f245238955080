// Teams on the wire.

import * as v from "valibot";
import {
  Id,
  listSchema,
  namedObject,
  permissionsSchema,
  recordSchema,
  Timestamp,
  textSchema,
  UrlString,
} from "../../../operation/common-schemas";
import { Member } from "../members/schema";

export const Team = namedObject("Team", {
  object: v.literal("team"),
  id: Id,
  title: v.string(),
  members: v.number(),
  spaces: v.number(),
  createdAt: Timestamp,
  urls: v.object({ location: UrlString }),
  permissions: v.object({ admin: v.boolean(), view: v.boolean() }),
});

export const TeamRole = v.pipe(v.picklist(["owner", "member"], "Expected owner or member"), v.title("TeamRole"));

export const MemberTeam = v.object({ team: Team, member: v.object({ role: TeamRole }) });

export const TeamMember = namedObject("TeamMember", {
  ...Member.entries,
  organization: v.pipe(Id, v.description("The ID of the organization.")),
  team: v.pipe(Id, v.description("The ID of the team.")),
  teamRole: TeamRole,
  permissions: permissionsSchema(["view", "admin", "remove"]),
});

const MAX_PEOPLE = 60;
const TOO_MANY = `Expected at most ${MAX_PEOPLE} members at once`;
const People = listSchema(Id, MAX_PEOPLE, TOO_MANY);

export const NewTeam = v.strictObject({ title: textSchema(1, 64), members: v.optional(People) });
export const TeamChanges = v.strictObject({ title: v.optional(textSchema(1, 64)) });
/** The most members of one request: all must fit into one commit, and each writes several entries. */
const MAX_CHANGED = 100;
export const TeamMemberChanges = v.pipe(
  v.strictObject({
    add: v.optional(People),
    remove: v.optional(People),
    memberships: v.optional(
      v.pipe(
        v.union(
          [
            listSchema(v.strictObject({ id: Id, role: v.optional(TeamRole) }), MAX_PEOPLE, TOO_MANY),
            recordSchema(
              Id,
              v.union([TeamRole, v.strictObject({ role: v.optional(TeamRole) })], "Expected a role, or {role}"),
              MAX_PEOPLE,
              TOO_MANY,
            ),
          ],
          "Expected a list of {id, role}, or an object by ID",
        ),
        v.description(
          "The members to add, with their role in the team: a list, or an object by user ID. For existing members, the role is updated.",
        ),
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [["add"], ["remove"], ["memberships"]],
      ({ add = [], remove = [], memberships = [] }) =>
        add.length + remove.length + Object.keys(memberships).length <= MAX_CHANGED,
      `Expected at most ${MAX_CHANGED} members at once, added and removed together`,
    ),
    ["remove"],
  ),
);
export const TeamMemberRole = v.strictObject({ role: v.optional(TeamRole) });
