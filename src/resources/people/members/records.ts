// The members of an organization and their roles. The organization's partition decides. The directory has the list of
// organizations of each user, which a step updates after every change.

import { DocsError } from "../../../errors";
import { defineJob, type JobType } from "../../../jobs/jobs";
import type { Role } from "../../../operation/common-schemas";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { dropTeamMembers } from "../teams/records";
import { apps, isInstallation } from "./apps";
import { given } from "./given";
import { scimUsers } from "./scim-names";

export type MemberRecord = {
  readonly user: string;
  /** Null: a guest. */
  readonly role: Role | null;
  readonly disabled: boolean;
  /** Whether the account is shut in all organizations. */
  readonly suspended?: true;
  /** How often the member was switched off. */
  readonly epoch?: number;
  readonly sso: boolean;
  readonly joinedAt: string;
  /** When the role, the standing or a name in the company's directory was last changed. */
  readonly updatedAt?: string;
  readonly lastSeenAt: string | null;
};

export const members = defineRecordSet("member", {
  key: (member: MemberRecord) => [member.user],
  indexes: {
    joinedAt: (member) => [member.joinedAt],
    lastSeenAt: (member) => (member.lastSeenAt === null || member.disabled ? undefined : [member.lastSeenAt]),
  },
  totals: {
    joinedAt: () => [],
    lastSeenAt: (member) => (member.lastSeenAt === null || member.disabled ? undefined : []),
    // A disabled admin is none: an organization must keep one who can act.
    byRole: (member) => (member.disabled ? undefined : [member.role ?? "guest"]),
  },
  /** What decides the rights of members (known-members.ts). When somebody was last seen is no part of it. */
  guards: {
    standing: { part: (it) => [it.role, Number(it.disabled), Number(it.suspended ?? false), it.joinedAt] },
  },
});

/** What decides the rights of a member, beside grants. */
export type MemberStanding = Pick<MemberRecord, "user" | "role" | "disabled" | "suspended">;

/**
 * A row of the directory: this user is, or was, in this organization, as of a version of the organization's partition.
 */
export type MembershipRecord = {
  readonly user: string;
  readonly organization: string;
  readonly isMember: boolean;
  readonly asOf: number;
};

export const memberships = defineRecordSet("membership", {
  key: (membership: MembershipRecord) => [membership.user, membership.organization],
  indexes: { ofUser: (membership) => (membership.isMember ? [membership.user] : undefined) },
  totals: { ofUser: (membership) => (membership.isMember ? [membership.user] : undefined) },
});

/**
 * The member record of a user; undefined for strangers and disabled members. An installation with its own token counts
 * as a guest: it reaches what it is installed on, and nothing while it is paused.
 */
export async function activeMember(tx: Reader, user: string): Promise<MemberRecord | undefined> {
  if (isInstallation(user)) return installationAsGuest(tx, user);
  const member = await members.get(tx, user);
  return member && isActive(member) ? member : undefined;
}

/** Whether a member may come in. */
export function isActive({ disabled, suspended }: MemberStanding): boolean {
  return !disabled && !suspended;
}

/** Returns the epoch of a member who is switched off now: everything that was made for them before ends for good. */
export function nextEpoch({ epoch = 0 }: MemberRecord): { readonly epoch: number } {
  return { epoch: epoch + 1 };
}

/**
 * Names a membership until the member is switched off or leaves. Visitor JWTs and signed URLs of a member carry it, so
 * none of them works again for a member who comes back.
 */
export function membershipId({ joinedAt, epoch = 0 }: Pick<MemberRecord, "joinedAt" | "epoch">): string {
  return `${Date.parse(joinedAt).toString(36)}.${epoch}`;
}

/** Whether it is an installation and not a person. */
export function isApp(me: MemberRecord | undefined): boolean {
  return me !== undefined && isInstallation(me.user);
}

async function installationAsGuest(tx: Reader, id: string): Promise<MemberRecord | undefined> {
  const joinedAt = await apps.implementation.installedAt(tx, id);
  if (joinedAt === undefined) return undefined;
  return { user: id, role: null, disabled: false, sso: false, joinedAt, lastSeenAt: null };
}

/** Updates the directory from the organization. The later version wins, in whichever order they arrive. */
export const syncMembership = defineJob<{ organization: string; user: string }>(
  "sync-membership",
  async ({ store }, { organization, user }) => {
    const view = await store.read(getOrganizationPartition(organization));
    const isMember = (await members.get(view, user)) !== undefined;
    await store.write(DIRECTORY, async (tx) => {
      const known = await memberships.get(tx, user, organization);
      if (known && known.asOf >= view.version) return;
      await memberships.put(tx, { user, organization, isMember, asOf: view.version });
    });
  },
);

/**
 * Makes a user a member. They bring nothing back that they had before they left: what no job has removed yet is removed here, and
 * where it is too much for one commit, the job comes first.
 */
export async function addMember(tx: Transaction, member: MemberRecord): Promise<void> {
  const hasMoreTeams = await dropTeamMembers(tx, "ofUser", member.user);
  const hasMoreGrants = await given.implementation.drop(tx, "user", member.user);
  if (hasMoreTeams || hasMoreGrants) throw new DocsError("unavailable", { headers: { "retry-after": "1" } });
  await members.put(tx, member);
}

/** Removes a member with their teams and grants. What does not fit into the transaction is left to jobs. */
export async function removeMember(
  tx: Transaction,
  organization: string,
  user: string,
  later: (
    step: JobType<{ organization: string; user: string }>,
    payload: { organization: string; user: string },
  ) => unknown,
): Promise<void> {
  await members.delete(tx, user);
  await scimUsers.delete(tx, user);
  const hasMoreTeams = await dropTeamMembers(tx, "ofUser", user);
  const hasMoreGrants = await given.implementation.drop(tx, "user", user);
  if (hasMoreTeams || hasMoreGrants) later(leaveBehind, { organization, user });
  later(syncMembership, { organization, user });
}

/** Removes the teams and grants of a user who has left that did not fit into the transaction of the removal. */
export const leaveBehind = defineJob<{ organization: string; user: string }>(
  "leave-behind",
  async ({ store }, { organization, user }) =>
    store.write(getOrganizationPartition(organization), async (tx) => {
      if (await members.get(tx, user)) return false;
      const hasMoreTeams = await dropTeamMembers(tx, "ofUser", user);
      const hasMoreGrants = await given.implementation.drop(tx, "user", user);
      return hasMoreTeams || hasMoreGrants;
    }),
);
