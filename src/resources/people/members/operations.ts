// The members of an organization: listing, changing roles, removing, leaving.

import * as v from "valibot";
import { createError } from "../../../errors";
import { foldText, SortOrder, textSchema } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered, paginateList } from "../../../operation/pagination";
import { checkCanGrantRole } from "../../../operation/roles";
import { joinableOrganization, organization } from "../organizations/rules";
import { teamMembers, teams } from "../teams/records";
import { MemberTeam } from "../teams/schema";
import { presentTeams } from "../teams/views";
import { findUsersById } from "../users/records";
import { addMember, members, removeMember as remove, syncMembership } from "./records";
import { checkNotLastAdmin, member } from "./rules";
import { Member, MemberChanges, MemberSort, RoleFilter } from "./schema";
import { presentMembers } from "./views";

export const listMembers = defineOperation("GET /orgs/:organizationId/members", {
  summary: "List members",
  target: organization,
  right: "listMembers",
  query: {
    order: v.optional(SortOrder, "desc"),
    role: v.optional(RoleFilter),
    search: v.optional(textSchema(0, 256)),
    sort: v.optional(MemberSort, "joinedAt"),
  },
  list: Member,
  async handle(context) {
    const { tx, directory, query, pageRequest } = context;
    const reverse = query.order === "desc";
    const readRows = async (slice: { after?: string | undefined; limit: number }) => {
      const rows = await members.list(tx, query.sort, { ...slice, reverse });
      const userIds = rows.map((row) => row.record.user);
      const people = await findUsersById(directory, userIds);
      return rows.map(({ record, position }) => ({ record: { ...record, person: people.get(record.user) }, position }));
    };
    type MemberWithPerson = Awaited<ReturnType<typeof readRows>>[number]["record"];
    const present = (records: readonly MemberWithPerson[]) => presentMembers(records, context);
    if (query.role === undefined && !query.search)
      return paginateList(pageRequest, readRows, await members.total(tx, query.sort), present);

    const searchText = foldText(query.search ?? "");
    const matches = ({ role, person }: MemberWithPerson) =>
      (query.role === undefined || (role ?? "guest") === query.role) &&
      [person?.displayName, person?.email].some((name) => foldText(name ?? "").includes(searchText));
    return paginateFiltered(pageRequest, readRows, matches, present, { reverse });
  },
});

export const joinOrganization = defineOperation("POST /orgs/:organizationId/join", {
  summary: "Join an organization",
  target: joinableOrganization,
  right: "join",
  returns: Member,
  async handle(context) {
    const { tx, organization, me, isFormerMember, actor, now, enqueueJob } = context;
    const user = actor.user.id;
    const joinedAt = now.toISOString();
    const joined = me ?? {
      user,
      role: organization.defaultRole,
      disabled: false,
      sso: false,
      joinedAt,
      lastSeenAt: null,
    };
    if (!me) {
      if (isFormerMember) throw createError("former_member");
      if (organization.sso) throw createError("sso_required");
      await addMember(tx, joined);
      enqueueJob(syncMembership, { organization: organization.id, user });
    }
    return (await presentMembers([joined], context))[0]!;
  },
});

export const getMember = defineOperation("GET /orgs/:organizationId/members/:userId", {
  summary: "Get a member",
  target: member,
  right: "view",
  returns: Member,
  handle: async (context) => (await presentMembers([context.member], context))[0]!,
});

export const updateMember = defineOperation("PATCH /orgs/:organizationId/members/:userId", {
  summary: "Update a member",
  target: member,
  right: "admin",
  body: MemberChanges,
  returns: Member,
  async handle(context) {
    const { tx, me, member, body, now } = context;
    checkCanGrantRole(me!.role, body.role);
    if (body.role !== "admin") await checkNotLastAdmin(tx, member);
    const changed = { ...member, role: body.role, updatedAt: now.toISOString() };
    await members.put(tx, changed);
    return (await presentMembers([changed], context))[0]!;
  },
});

export const removeMember = defineOperation("DELETE /orgs/:organizationId/members/:userId", {
  summary: "Remove a member",
  target: member,
  right: "remove",
  async handle({ tx, organization, member, enqueueJob }) {
    await checkNotLastAdmin(tx, member);
    await remove(tx, organization.id, member.user, enqueueJob);
  },
});

export const makeMemberSso = defineOperation("POST /orgs/:organizationId/members/:userId/sso", {
  summary: "Require SSO for a member",
  target: member,
  right: "admin",
  returns: Member,
  async handle(context) {
    const changed = { ...context.member, sso: true };
    await members.put(context.tx, changed);
    return (await presentMembers([changed], context))[0]!;
  },
});

export const listMemberTeams = defineOperation("GET /orgs/:organizationId/members/:userId/teams", {
  summary: "List teams of a member",
  target: member,
  right: "view",
  query: { title: v.optional(textSchema(0, 64)) },
  list: MemberTeam,
  async handle(context) {
    const { tx, member, query, pageRequest } = context;
    const readRows = async (slice: { after?: string | undefined; limit: number }) => {
      const rows = await teamMembers.list(tx, "ofUser", { under: [member.user], ...slice });
      const teamKeys = rows.map((row) => [row.record.team] as const);
      const found = await teams.getMany(tx, teamKeys);
      return rows.flatMap(({ record, position }, i) =>
        found[i] ? [{ record: { team: found[i], role: record.role }, position }] : [],
      );
    };
    return paginateFiltered(
      pageRequest,
      readRows,
      ({ team }) => foldText(team.title).includes(foldText(query.title ?? "")),
      async (memberTeams) => {
        const teamRecords = memberTeams.map(({ team }) => team);
        const views = await presentTeams(teamRecords, context);
        return views.map((team, i) => ({ team, member: { role: memberTeams[i]!.role } }));
      },
    );
  },
});
