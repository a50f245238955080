// Teams of an organization and their members.

import { defineJob } from "../../../jobs/jobs";
import { foldText } from "../../../operation/common-schemas";
import { getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Transaction } from "../../../storage/transaction";
import { grantsOfMembers } from "../members/grants-extension";

export type TeamRecord = {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  /** The time at which the title or the members last changed. */
  readonly updatedAt?: string;
};

export const teams = defineRecordSet("team", {
  key: (team: TeamRecord) => [team.id],
  indexes: { title: (team) => [foldText(team.title)] },
  unique: { title: (team) => [foldText(team.title)] },
  totals: { all: () => [] },
});

/** An owner manages the members of the team. */
export type TeamRole = "owner" | "member";

export type TeamMemberRecord = {
  readonly team: string;
  readonly user: string;
  readonly role: TeamRole;
  readonly joinedAt: string;
};

export const teamMembers = defineRecordSet("team-member", {
  key: (member: TeamMemberRecord) => [member.team, member.user],
  indexes: {
    ofTeam: (member) => [member.team, member.joinedAt],
    ofUser: (member) => [member.user],
  },
  totals: {
    ofTeam: (member) => [member.team],
    ofUser: (member) => [member.user],
    owned: (member) => (member.role === "owner" ? [member.user] : undefined),
  },
});

export function putChangedTeam(tx: Transaction, team: TeamRecord, now: Date): Promise<void> {
  return teams.put(tx, { ...team, updatedAt: now.toISOString() });
}

/** Removes the members and the grants of a deleted team. */
export const emptyTeam = defineJob<{ organization: string; team: string }>(
  "empty-team",
  async ({ store }, { organization, team }) => {
    const partition = getOrganizationPartition(organization);
    return store.write(partition, async (tx) => {
      const hasMoreMembers = await teamMembers.drain(tx, "ofTeam", [team]);
      const hasMoreGrants = await grantsOfMembers.implementation.dropGrants(tx, "team", team);
      return hasMoreMembers || hasMoreGrants;
    });
  },
);
