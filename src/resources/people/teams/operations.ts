// Teams of an organization and their members.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { foldText, Id, textSchema } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered, paginateGroup, paginateList } from "../../../operation/pagination";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import type { Transaction } from "../../../storage/transaction";
import { members } from "../members/records";
import { organization } from "../organizations/rules";
import { forgetDefaultTeam } from "../saml/records";
import {
  emptyTeam,
  putChangedTeam,
  type TeamMemberRecord,
  type TeamRecord,
  type TeamRole,
  teamMembers,
  teams,
} from "./records";
import { team, teamMember } from "./rules";
import { NewTeam, Team, TeamChanges, TeamMember, TeamMemberChanges, TeamMemberRole } from "./schema";
import { presentTeamMembers, presentTeams } from "./views";

export const listTeams = defineOperation("GET /orgs/:organizationId/teams", {
  summary: "List teams",
  target: organization,
  right: "listTeams",
  query: { owner: v.optional(Id), title: v.optional(textSchema(0, 64)) },
  list: Team,
  async handle(context) {
    const { tx, query, pageRequest } = context;
    const readRows = (slice: { after?: string | undefined; limit: number }) => teams.list(tx, "title", slice);
    const present = (records: readonly TeamRecord[]) => presentTeams(records, context);
    if (query.owner === undefined && !query.title)
      return paginateList(pageRequest, readRows, await teams.total(tx, "all"), present);

    const owner = query.owner === undefined ? undefined : await members.get(tx, query.owner);
    const ownedTeamIds = new Set<string>();
    if (owner) {
      const rows = await teamMembers.list(tx, "ofUser", { under: [owner.user], limit: 10_000 });
      for (const { record } of rows) if (record.role === "owner") ownedTeamIds.add(record.team);
    }
    const isManaged = ({ id }: TeamRecord) =>
      query.owner === undefined || owner?.role === "admin" || ownedTeamIds.has(id);
    const searchText = foldText(query.title ?? "");
    const matches = (team: TeamRecord) => isManaged(team) && foldText(team.title).includes(searchText);
    return paginateFiltered(pageRequest, readRows, matches, present);
  },
});

export const createTeam = defineOperation("PUT /orgs/:organizationId/teams", {
  summary: "Create a team",
  target: organization,
  right: "admin",
  body: NewTeam,
  returns: Team,
  status: 201,
  async handle(context) {
    const { tx, body, now, newId } = context;
    const created = { id: newId("team"), title: body.title, createdAt: now.toISOString() };
    await rejectDuplicates(teams.put(tx, created), "title_taken");
    await addToTeam(tx, created.id, body.members ?? [], "body.members", now);
    return (await presentTeams([created], context))[0]!;
  },
});

export const getTeam = defineOperation("GET /orgs/:organizationId/teams/:teamId", {
  summary: "Get a team",
  target: team,
  right: "view",
  returns: Team,
  handle: async (context) => (await presentTeams([context.team], context))[0]!,
});

export const updateTeam = defineOperation("PATCH /orgs/:organizationId/teams/:teamId", {
  summary: "Update a team",
  target: team,
  right: "admin",
  body: TeamChanges,
  returns: Team,
  async handle(context) {
    const changed = { ...context.team, title: context.body.title ?? context.team.title };
    await rejectDuplicates(putChangedTeam(context.tx, changed, context.now), "title_taken");
    return (await presentTeams([changed], context))[0]!;
  },
});

export const deleteTeam = defineOperation("DELETE /orgs/:organizationId/teams/:teamId", {
  summary: "Delete a team",
  target: team,
  right: "delete",
  async handle({ tx, organization, team, enqueueJob }) {
    await teams.delete(tx, team.id);
    await forgetDefaultTeam(tx, team.id);
    enqueueJob(emptyTeam, { organization: organization.id, team: team.id });
  },
});

export const listTeamMembers = defineOperation("GET /orgs/:organizationId/teams/:teamId/members", {
  summary: "List team members",
  target: team,
  right: "view",
  list: TeamMember,
  async handle(context) {
    const { tx, team } = context;
    return paginateGroup(context, teamMembers, "ofTeam", [team.id], async (records) => {
      const found = await members.getMany(
        tx,
        records.map(({ user }) => user),
      );
      return presentTeamMembers(
        records.flatMap((teamMember, i) => (found[i] ? [{ teamMember, member: found[i] }] : [])),
        context,
      );
    });
  },
});

export const updateTeamMembers = defineOperation("PUT /orgs/:organizationId/teams/:teamId/members", {
  summary: "Update team members",
  target: team,
  right: "admin",
  body: TeamMemberChanges,
  async handle({ tx, team, body, now }) {
    const { add = [], remove = [], memberships = [] } = body;
    const newMemberships = Array.isArray(memberships)
      ? memberships.map(({ id, role }, i) => ({ id, role, field: `body.memberships.${i}.id` }))
      : Object.entries(memberships).map(([id, it]) => ({
          id,
          role: typeof it === "string" ? it : it.role,
          field: `body.memberships.${id}`,
        }));
    const removedKeys = remove.map((user) => [team.id, user]);
    const removed = await teamMembers.getMany(tx, removedKeys);
    // Ids of people who are not in the team change nothing.
    if (add.length + newMemberships.length > 0 || removed.some((it) => it !== undefined))
      await putChangedTeam(tx, team, now);
    for (const user of remove) await teamMembers.delete(tx, team.id, user);
    await addToTeam(tx, team.id, add, "body.add", now);
    for (const { id, role, field } of newMemberships) {
      if (!(await members.get(tx, id))) throw createValidationError(field, NO_SUCH_MEMBER);
      await putIntoTeam(tx, team.id, id, role, now);
    }
  },
});

export const setTeamMember = defineOperation("PUT /orgs/:organizationId/teams/:teamId/members/:userId", {
  summary: "Add or update a team member",
  target: team,
  right: "admin",
  body: TeamMemberRole,
  returns: TeamMember,
  async handle(context) {
    const { tx, team, params, body, now } = context;
    const member = await members.get(tx, params.userId);
    if (!member) throw createError("member_not_found");
    await putChangedTeam(tx, team, now);
    const teamMember = await putIntoTeam(tx, team.id, member.user, body.role, now);
    const isMe = member.user === context.me?.user;
    const caller = { ...context, mine: isMe ? teamMember : context.mine };
    return (await presentTeamMembers([{ teamMember, member }], caller))[0]!;
  },
});

export const removeTeamMember = defineOperation("DELETE /orgs/:organizationId/teams/:teamId/members/:userId", {
  summary: "Remove a team member",
  target: teamMember,
  right: "remove",
  async handle({ tx, team, teamMember, now }) {
    await putChangedTeam(tx, team, now);
    await teamMembers.delete(tx, teamMember.team, teamMember.user);
  },
});

const NO_SUCH_MEMBER = "The organization has no such member";

/** Puts a member into a team, or changes the role there. */
async function putIntoTeam(
  tx: Transaction,
  team: string,
  user: string,
  requestedRole: TeamRole | undefined,
  now: Date,
): Promise<TeamMemberRecord> {
  const existing = await teamMembers.get(tx, team, user);
  const role = requestedRole ?? existing?.role ?? "member";
  const record = { team, user, role, joinedAt: existing?.joinedAt ?? now.toISOString() };
  await teamMembers.put(tx, record);
  return record;
}

/** Adds members of the organization to a team. A member who is already in it keeps the role. */
async function addToTeam(
  tx: Transaction,
  team: string,
  users: readonly string[],
  path: string,
  now: Date,
): Promise<void> {
  for (const [i, user] of users.entries()) {
    if (!(await members.get(tx, user))) throw createValidationError(`${path}.${i}`, NO_SUCH_MEMBER);
    if (await teamMembers.get(tx, team, user)) continue;
    await teamMembers.put(tx, { team, user, role: "member", joinedAt: now.toISOString() });
  }
}
