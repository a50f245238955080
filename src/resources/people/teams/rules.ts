// The targets and rights of teams and their members.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import { defineOrganizationTarget, type OrganizationContext, organization } from "../organizations/rules";
import { type TeamMemberRecord, type TeamRecord, teamMembers, teams } from "./records";

/** A team, as the caller sees it. */
export interface TeamContext extends OrganizationContext {
  readonly team: TeamRecord;
  /** The caller's membership in the team, if any. */
  readonly mine: TeamMemberRecord | undefined;
}

const isAdmin = organization.rights.admin;

export const team = defineOrganizationTarget(
  "team_not_found",
  async ({ tx, params, actor }): Promise<Pick<TeamContext, "team" | "mine"> | undefined> => {
    const team = await teams.get(tx, params.teamId!);
    return team && { team, mine: await teamMembers.get(tx, team.id, actor.user.id) };
  },
  {
    view: (it) => it.mine !== undefined || organization.rights.listTeams(it),
    admin: (it) => it.mine?.role === "owner" || isAdmin(it),
    delete: isAdmin,
  },
);

export interface TeamMemberContext extends TeamContext {
  readonly teamMember: TeamMemberRecord;
}

export const teamMember: Target<TeamMemberContext, "remove"> = {
  findPartition: organization.findPartition,
  async load(context) {
    const teamContext = await team.load(context);
    if (!teamContext || !team.rights.view(teamContext)) throw createError("team_not_found");
    const teamMember = await teamMembers.get(context.tx, teamContext.team.id, context.params.userId!);
    return teamMember && { ...teamContext, teamMember };
  },
  notFoundReason: "member_not_found",
  rights: {
    view: team.rights.view,
    remove: (it) => it.teamMember.user === it.me?.user || team.rights.admin(it),
  },
};
