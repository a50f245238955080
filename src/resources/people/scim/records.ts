// What the directory of a company says of an organization's people, by SCIM. The organization has the directory's tokens
// and its names for members and teams. Our own directory knows which users were made on its word.

import { defineJob } from "../../../jobs/jobs";
import { DIRECTORY, generateRandomText, getOrganizationPartition, type Random } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { members, memberships } from "../members/records";
import { sessions } from "../sessions/records";
import { tokens } from "../tokens/records";
import { isKnownToHost } from "../users/host-users";

/** A token of the organization's own: it is valid until an admin revokes it, whoever made it. Only its SHA-256 is stored. */
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

/** The most tokens of an organization: one that is used, and others that replace it. */
export const MAX_SCIM_TOKENS = 10;

/** A new secret: 160 bits, with a prefix of its own. */
export function newScimToken(random: Random): string {
  return `octavo_scim_${generateRandomText(random, 32)}`;
}

/** How the company's directory calls a team. It counts only while there is the team. */
export type ScimGroupRecord = { readonly team: string; readonly externalId: string };

export const scimGroups = defineRecordSet("scim-group", {
  key: (it: ScimGroupRecord) => [it.team],
  indexes: { externalId: (it) => [it.externalId] },
});

/** A row of the directory: the user was made on the word of an organization. */
export const madeByScim = defineRecordSet("scim-made-user", {
  key: (it: { readonly user: string; readonly organization: string }) => [it.user],
});

/**
 * Whether a user belongs to an organization alone: made on its word, in no other organization, and unknown to the host.
 * Only then its directory decides the name and the address, and ends sessions and tokens. Others have a life outside.
 */
export async function isOwnedBy(directory: Reader, organization: string, user: string): Promise<boolean> {
  const made = await madeByScim.get(directory, user);
  if (made?.organization !== organization || (await isKnownToHost(directory, user))) return false;
  const here = (await memberships.get(directory, user, organization))?.isMember ? 1 : 0;
  return (await memberships.total(directory, "ofUser", user)) === here;
}

/** Ends the sessions and tokens of somebody who was deactivated or has left, if they belong to the organization alone. For
 * everybody else they end in this organization, because its members are asked. Those that were made until then end in any case,
 * those that were made afterwards only while the user isn't active again. */
export const endAccess = defineJob<{ organization: string; user: string; until?: string }>(
  "end-access",
  async ({ store }, { organization, user, until }) => {
    const member = await members.get(await store.read(getOrganizationPartition(organization)), user);
    const isBack = member !== undefined && !member.disabled;
    if (isBack && until === undefined) return false;
    const hasEnded = ({ createdAt }: { readonly createdAt: string }) => !isBack || createdAt <= until!;
    return store.write(DIRECTORY, async (tx) => {
      if (!(await isOwnedBy(tx, organization, user))) return false;
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
