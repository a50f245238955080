// Teams and their members on the wire, with their counts and the caller's permissions.

import type * as v from "valibot";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { grantsOfMembers } from "../members/grants-extension";
import type { MemberRecord } from "../members/records";
import { presentMembers } from "../members/views";
import type { OrganizationContext } from "../organizations/rules";
import { type TeamMemberRecord, type TeamRecord, teamMembers } from "./records";
import { type TeamContext, team as target, teamMember as teamMemberTarget } from "./rules";
import type { Team, TeamMember } from "./schema";

/** Returns teams as they are on the wire, in the given order. */
export async function presentTeams(
  records: readonly TeamRecord[],
  { tx, urls, organization, me, ownedTeams }: OrganizationContext & { readonly tx: Reader; readonly urls: Urls },
): Promise<v.InferOutput<typeof Team>[]> {
  const ids = records.map((team) => team.id);
  const [sizes, spaces, mine] = await Promise.all([
    teamMembers.totals(tx, "ofTeam", ids),
    grantsOfMembers.implementation.countSpaces(tx, "team", ids),
    teamMembers.getMany(
      tx,
      ids.map((id) => [id, me!.user]),
    ),
  ]);
  return records.map((team, i) => ({
    object: "team" as const,
    id: team.id,
    title: team.title,
    members: sizes[i]!,
    spaces: spaces[i]!,
    createdAt: team.createdAt,
    urls: { location: urls.api(`/orgs/${organization.id}/teams/${team.id}`) },
    permissions: getPermissions(target, { organization, me, ownedTeams, team, mine: mine[i] }, ["admin", "view"]),
  }));
}

/** Returns the members of a team as they are on the wire, in the given order. */
export async function presentTeamMembers(
  records: readonly { readonly teamMember: TeamMemberRecord; readonly member: MemberRecord }[],
  context: TeamContext & { readonly tx: Reader; readonly directory: Reader; readonly urls: Urls },
): Promise<v.InferOutput<typeof TeamMember>[]> {
  const { organization, team } = context;
  const views = await presentMembers(
    records.map(({ member }) => member),
    context,
  );
  const membershipByUser = new Map(records.map(({ teamMember }) => [teamMember.user, teamMember]));
  return views.map((view) => {
    const teamMember = membershipByUser.get(view.id)!;
    const { remove, view: canView } = getPermissions(teamMemberTarget, { ...context, teamMember }, ["view", "remove"]);
    return {
      ...view,
      organization: organization.id,
      team: team.id,
      teamRole: teamMember.role,
      permissions: { view: canView, admin: target.rights.admin(context), remove },
    };
  });
}
