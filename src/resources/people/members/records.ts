// The members of an organization and their roles. The organization's partition decides. The directory has a list of the
// organizations of each user, which a job updates after every change.

import { DocsError } from "../../../errors";
import { defineJob, type JobType } from "../../../jobs/jobs";
import type { Role } from "../../../operation/common-schemas";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { teamMembers } from "../teams/records";
import { grantsOfMembers } from "./grants-extension";
import { installationAccess, isInstallationId } from "./installation-access";
import { scimUsers } from "./scim-names";

export type MemberRecord = {
  readonly user: string;
  /** Null: a guest. */
  readonly role: Role | null;
  readonly disabled: boolean;
  /** True while the account is disabled in all organizations. */
  readonly suspended?: true;
  /** The number of times that the member was disabled or suspended. */
  readonly epoch?: number;
  readonly sso: boolean;
  readonly joinedAt: string;
  /** The time at which the role, the standing or a name in the company's directory last changed. */
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
    // A disabled admin does not count: an organization must keep one who can act.
    byRole: (member) => (member.disabled ? undefined : [member.role ?? "guest"]),
  },
  /** Everything that decides the rights of members (member-standings.ts). The time at which a member was last seen does not. */
  guards: {
    standing: { part: (it) => [it.role, Number(it.disabled), Number(it.suspended ?? false), it.joinedAt] },
  },
});

/** The part of a member that decides about rights, besides grants. */
export type MemberStanding = Pick<MemberRecord, "user" | "role" | "disabled" | "suspended">;

/** A row of the directory: a user's membership, as of a version of the organization's partition. */
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
 * Returns the member record of a user, or undefined for strangers and disabled members. An installation with its own token
 * counts as a guest: it reaches the things on which it is installed, and nothing while it is paused.
 */
export async function findActiveMember(tx: Reader, user: string): Promise<MemberRecord | undefined> {
  if (isInstallationId(user)) {
    const joinedAt = await installationAccess.implementation.getInstalledAt(tx, user);
    if (joinedAt === undefined) return undefined;
    return { user, role: null, disabled: false, sso: false, joinedAt, lastSeenAt: null };
  }
  const member = await members.get(tx, user);
  return member && isActiveMember(member) ? member : undefined;
}

export function isActiveMember({ disabled, suspended }: MemberStanding): boolean {
  return !disabled && !suspended;
}

/** Returns the epoch of a member who is switched off now. Everything that was issued to them before stays invalid for good. */
export function getNextEpoch({ epoch = 0 }: MemberRecord): { readonly epoch: number } {
  return { epoch: epoch + 1 };
}

/**
 * Returns the id of a membership, which lasts until the member is switched off or leaves. Visitor JWTs and signed URLs of a
 * member contain it, so none of them works again for a member who comes back.
 */
export function getMembershipId({ joinedAt, epoch = 0 }: Pick<MemberRecord, "joinedAt" | "epoch">): string {
  return `${Date.parse(joinedAt).toString(36)}.${epoch}`;
}

export function isInstallationMember(me: MemberRecord | undefined): boolean {
  return me !== undefined && isInstallationId(me.user);
}

/** Updates the directory from the organization. The later version wins, in whatever order the jobs run. */
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
 * Makes a user a member. A former member gets nothing back: teams and grants that no job has removed yet are removed here. If
 * they are too many for one commit, the caller has to wait for the job.
 */
export async function addMember(tx: Transaction, member: MemberRecord): Promise<void> {
  const hasMoreTeams = await teamMembers.drain(tx, "ofUser", [member.user]);
  const hasMoreGrants = await grantsOfMembers.implementation.dropGrants(tx, "user", member.user);
  if (hasMoreTeams || hasMoreGrants) throw new DocsError("unavailable", { headers: { "retry-after": "1" } });
  await members.put(tx, member);
}

/** Removes a member with their teams and grants. Jobs remove those that do not fit into the transaction. */
export async function removeMember(
  tx: Transaction,
  organization: string,
  user: string,
  enqueue: (
    jobType: JobType<{ organization: string; user: string }>,
    payload: { organization: string; user: string },
  ) => unknown,
): Promise<void> {
  await members.delete(tx, user);
  await scimUsers.delete(tx, user);
  const hasMoreTeams = await teamMembers.drain(tx, "ofUser", [user]);
  const hasMoreGrants = await grantsOfMembers.implementation.dropGrants(tx, "user", user);
  if (hasMoreTeams || hasMoreGrants) enqueue(dropMemberRemains, { organization, user });
  enqueue(syncMembership, { organization, user });
}

/** Removes the teams and grants of a user who has left that did not fit into the transaction of the removal. */
export const dropMemberRemains = defineJob<{ organization: string; user: string }>(
  "leave-behind",
  async ({ store }, { organization, user }) =>
    store.write(getOrganizationPartition(organization), async (tx) => {
      if (await members.get(tx, user)) return false;
      const hasMoreTeams = await teamMembers.drain(tx, "ofUser", [user]);
      const hasMoreGrants = await grantsOfMembers.implementation.dropGrants(tx, "user", user);
      return hasMoreTeams || hasMoreGrants;
    }),
);
