// Who may do what with a team.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import { type InOrganization, organization, organizationAbove } from "../organizations/rules";
import { type TeamMemberRecord, type TeamRecord, teamMembers, teams } from "./records";

/** A team, as the caller sees it. */
export interface InTeam extends InOrganization {
  readonly team: TeamRecord;
  /** The caller's membership in the team; undefined when there is none. */
  readonly mine: TeamMemberRecord | undefined;
}

const isAdmin = organization.rights.admin;

export const team: Target<InTeam, "admin" | "delete"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await organizationAbove(scope);
    const found = await teams.get(scope.tx, scope.params.teamId!);
    return found && { ...above, team: found, mine: await teamMembers.get(scope.tx, found.id, scope.actor.user.id) };
  },
  notFoundReason: "team_not_found",
  rights: {
    view: (it) => it.mine !== undefined || organization.rights.listTeams(it),
    admin: (it) => it.mine?.role === "owner" || isAdmin(it),
    delete: isAdmin,
  },
};

/** A member of a team, as the caller sees it. */
export interface InTeamMember extends InTeam {
  readonly teamMember: TeamMemberRecord;
}

export const teamMember: Target<InTeamMember, "remove"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await team.load(scope);
    if (!above || !team.rights.view(above)) throw createError("team_not_found");
    const found = await teamMembers.get(scope.tx, above.team.id, scope.params.userId!);
    return found && { ...above, teamMember: found };
  },
  notFoundReason: "member_not_found",
  rights: {
    view: team.rights.view,
    remove: (it) => it.teamMember.user === it.me?.user || team.rights.admin(it),
  },
};
