// Records for SCIM, by which a company's directory manages the people of an organization. The organization's partition has the
// tokens of that directory and its names for members and teams. Our own directory has the users that it created.

import { defineJob } from "../../../jobs/jobs";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { members, memberships } from "../members/records";
import { sessions } from "../sessions/records";
import { tokens } from "../tokens/records";
import { hostLinks, isUserId } from "../users/host-users";

/** A token of the organization: it is valid until an admin revokes it. Only its SHA-256 is stored. */
export type ScimTokenRecord = {
  readonly id: string;
  readonly hash: string;
  readonly label: string;
  readonly createdAt: string;
};

export const scimTokens = defineRecordSet("scim-token", {
  key: (token: ScimTokenRecord) => [token.hash],
  indexes: { all: (token) => [token.createdAt] },
  unique: { id: (token) => [token.id] },
  totals: { all: () => [] },
});

/** The most tokens of an organization: the one in use, and its replacements. */
export const MAX_SCIM_TOKENS = 10;

export const scimGroups = defineRecordSet("scim-group", {
  key: (it: { readonly team: string; readonly externalId: string }) => [it.team],
  indexes: { externalId: (it) => [it.externalId] },
});

/** A row of the directory: the user was created by SCIM for an organization. */
export const scimMadeUsers = defineRecordSet("scim-made-user", {
  key: (it: { readonly user: string; readonly organization: string }) => [it.user],
});

/**
 * Returns true if a user belongs to an organization alone: created for it, in no other organization, and unknown to the host.
 * Only then does its directory decide the name and the address, and end sessions and tokens.
 */
export async function isManagedByOrganization(directory: Reader, organization: string, user: string): Promise<boolean> {
  const made = await scimMadeUsers.get(directory, user);
  if (made?.organization !== organization || isUserId(user)) return false;
  if ((await hostLinks.list(directory, "ofUser", { under: [user], limit: 1 })).length > 0) return false;
  const here = (await memberships.get(directory, user, organization))?.isMember ? 1 : 0;
  return (await memberships.total(directory, "ofUser", user)) === here;
}

/**
 * Ends the sessions and tokens of a user who was deactivated or has left, if the user belongs to the organization alone. For
 * all other users they lose their effect in this organization, because every request checks the membership. Those that were
 * created up to `until` end in any case, later ones only if the user is not active again.
 */
export const endAccess = defineJob<{ organization: string; user: string; until?: string }>(
  "end-access",
  async ({ store }, { organization, user, until }) => {
    const member = await members.get(await store.read(getOrganizationPartition(organization)), user);
    const isBack = member !== undefined && !member.disabled;
    if (isBack && until === undefined) return false;
    const hasEnded = ({ createdAt }: { readonly createdAt: string }) => !isBack || createdAt <= until!;
    return store.write(DIRECTORY, async (tx) => {
      if (!(await isManagedByOrganization(tx, organization, user))) return false;
      const hasMoreSessions = await sessions.each(tx, "ofUser", [user], async (session) => {
        if (hasEnded(session)) await sessions.delete(tx, session.hash);
      });
      const hasMoreTokens = await tokens.each(tx, "ofUser", [user], async (token) => {
        if (hasEnded(token)) await tokens.delete(tx, token.hash);
      });
      return hasMoreSessions || hasMoreTokens;
    });
  },
);
