// Who is in an organization, and as what. The organization's partition decides; the directory keeps, for each user, the
// list of organizations, which a step brings up to date after every change.

import type { Role } from "../../../shapes";
import { DIRECTORY, homeOf } from "../../../store/ids";
import { records } from "../../../store/records";
import type { Reader } from "../../../store/transaction";
import { step } from "../../../work/jobs";
import { dropTeamMembers } from "../teams/records";
import { apps, isInstallation } from "./apps";
import { given } from "./given";

export type MemberRecord = {
  readonly user: string;
  /** Null: a guest. */
  readonly role: Role | null;
  readonly disabled: boolean;
  readonly sso: boolean;
  readonly joinedAt: string;
  readonly lastSeenAt: string | null;
};

export const members = records("member", {
  key: (member: MemberRecord) => [member.user],
  indexes: {
    joinedAt: (member) => [member.joinedAt],
    lastSeenAt: (member) => (member.lastSeenAt === null || member.disabled ? undefined : [member.lastSeenAt]),
  },
  totals: {
    joinedAt: () => [],
    lastSeenAt: (member) => (member.lastSeenAt === null || member.disabled ? undefined : []),
    byRole: (member) => [member.role ?? "guest"],
  },
});

/** A line of the directory: this user is, or was, in this organization, as of a version of the organization's partition. */
export type MembershipRecord = {
  readonly user: string;
  readonly organization: string;
  readonly isMember: boolean;
  readonly asOf: number;
};

export const memberships = records("membership", {
  key: (membership: MembershipRecord) => [membership.user, membership.organization],
  indexes: { ofUser: (membership) => (membership.isMember ? [membership.user] : undefined) },
  totals: { ofUser: (membership) => (membership.isMember ? [membership.user] : undefined) },
});

/** The member that a user is; undefined for strangers and for disabled members. An installation that calls with a token of its
 * own is as a guest is: it has what it was put on, and nothing else, and while it is paused not even that. */
export async function activeMember(tx: Reader, user: string): Promise<MemberRecord | undefined> {
  if (isInstallation(user)) return installationAsGuest(tx, user);
  const member = await members.get(tx, user);
  return member?.disabled ? undefined : member;
}

/** Whether it is an installation that acts, and no person. */
export function isApp(me: MemberRecord | undefined): boolean {
  return me !== undefined && isInstallation(me.user);
}

async function installationAsGuest(tx: Reader, id: string): Promise<MemberRecord | undefined> {
  const joinedAt = await apps.filling.installedAt(tx, id);
  if (joinedAt === undefined) return undefined;
  return { user: id, role: null, disabled: false, sso: false, joinedAt, lastSeenAt: null };
}

/** Makes the directory agree with the organization. What was seen later wins, whichever comes last. */
export const syncMembership = step<{ organization: string; user: string }>(
  "sync-membership",
  async ({ store }, { organization, user }) => {
    const view = await store.read(homeOf(organization));
    const isMember = (await members.get(view, user)) !== undefined;
    await store.write(DIRECTORY, async (tx) => {
      const known = await memberships.get(tx, user, organization);
      if (known && known.asOf >= view.version) return;
      await memberships.put(tx, { user, organization, isMember, asOf: view.version });
    });
  },
);

/** Takes away from a user who has left what the removal itself had no room for: teams and grants. */
export const leaveBehind = step<{ organization: string; user: string }>(
  "leave-behind",
  async ({ store }, { organization, user }) =>
    store.write(homeOf(organization), async (tx) => {
      if (await members.get(tx, user)) return false;
      const hasMoreTeams = await dropTeamMembers(tx, "ofUser", user);
      const hasMoreGrants = await given.filling.drop(tx, "user", user);
      return hasMoreTeams || hasMoreGrants;
    }),
);
