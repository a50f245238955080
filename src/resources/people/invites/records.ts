// Invites to an organization. The id of an invite is the secret that lets people in, so ids are long, are listed only to
// admins, and are encrypted in the storage. An invite is found by a keyed digest of its id.

import { foldText, type Role } from "../../../operation/common-schemas";
import { iterateRows } from "../../../operation/pagination";
import { encodeKey } from "../../../storage/key";
import { defineRecordSet, type Tuple } from "../../../storage/records";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import type { VersionedCache } from "../../../utils/versioned-cache";
import { findOrganizationPartition } from "../organizations/records";

export type InviteRecord = {
  readonly id: string;
  /** The digest of the id. Invites stored by older versions have none until they are written again. */
  readonly digest?: string;
  /** The address of an e-mail invite; null for a link. */
  readonly email: string | null;
  /** The role in the organization, or on `space`. Null: a guest. */
  readonly role: Role | null;
  /** The space that a link leads to. Whoever accepts it gets the role there, and becomes a guest of the organization. */
  readonly space?: string;
  readonly sso: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  /** The user who accepted an e-mail invite. */
  readonly acceptedBy: string | null;
  /** The language of its mail. Default: English. */
  readonly language?: string;
};

export const invites = defineRecordSet("invite", {
  key: (invite: InviteRecord) => [invite.digest ?? invite.id],
  indexes: {
    links: (invite) => (invite.email === null ? [invite.createdAt] : undefined),
  },
  unique: {
    email: (invite) => (invite.email !== null && invite.acceptedBy === null ? [foldText(invite.email)] : undefined),
  },
  totals: { links: (invite) => (invite.email === null ? [] : undefined) },
  /** Everything that decides which invites by e-mail are open. */
  guards: { open: { part: (invite) => (isOpenEmailInvite(invite) ? [invite.createdAt] : undefined) } },
  sealed: [{ path: ["id"], lost: "" }],
});

/** Returns the ids of those links that give what an older link gives that hasn't expired. */
export async function findRedundantLinks(
  tx: Reader,
  links: readonly InviteRecord[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const getAccess = ({ space, role }: InviteRecord) => `${space ?? ""} ${role ?? ""}`;
  const undecided = new Set(links.map(getAccess));
  const oldestByAccess = new Map<string, string>();
  // The oldest link comes first.
  for await (const { record } of iterateRows((slice) => invites.list(tx, "links", slice))) {
    const access = getAccess(record);
    if (!undecided.has(access) || (record.expiresAt !== null && record.expiresAt <= now.toISOString())) continue;
    oldestByAccess.set(access, record.id);
    undecided.delete(access);
    if (undecided.size === 0) break;
  }
  const hasOlder = (link: InviteRecord) => (oldestByAccess.get(getAccess(link)) ?? link.id) !== link.id;
  return new Set(links.filter(hasOlder).map(({ id }) => id));
}

type InviteSecrets = Pick<Secrets, "digest" | "digests">;

export async function findInvite(tx: Reader, secrets: InviteSecrets, id: string): Promise<InviteRecord | undefined> {
  for (const digest of secrets.digests("invite", id)) {
    const invite = await invites.get(tx, toBase64url(digest));
    if (invite) return invite;
  }
  const oldInvite = await invites.get(tx, id);
  return oldInvite?.digest === undefined ? oldInvite : undefined;
}

/** Stores an invite under the digest of its id, and under no other. Returns it as it is stored. */
export async function putInvite(tx: Transaction, secrets: InviteSecrets, invite: InviteRecord): Promise<InviteRecord> {
  const digest = toBase64url(secrets.digest("invite", invite.id));
  if (invite.digest !== digest) await deleteInvite(tx, invite);
  const stored = { ...invite, digest };
  await invites.put(tx, stored);
  return stored;
}

export async function deleteInvite(tx: Transaction, { digest, id }: InviteRecord): Promise<void> {
  await invites.delete(tx, digest ?? id);
}

/** Stores the invites of a partition under digests of the current secret. */
export async function rekeyInvites(store: Store, partition: string, secrets: InviteSecrets): Promise<void> {
  for await (const { id, digest } of invites.iterate(await store.read(partition))) {
    if (id === "" || digest === toBase64url(secrets.digest("invite", id))) continue;
    await store.write(partition, async (tx) => {
      const invite = await invites.get(tx, digest ?? id);
      if (invite) await putInvite(tx, secrets, invite);
    });
  }
}

const EMAIL_INVITE_DAYS = 14;

/** Returns the time at which an invite by e-mail ends that is sent now. */
export function getEmailInviteExpiry(now: Date): string {
  return new Date(now.getTime() + EMAIL_INVITE_DAYS * 24 * 60 * 60 * 1000).toISOString();
}

/** Returns true for an invite by e-mail that nobody has accepted. */
export function isOpenEmailInvite({ email, acceptedBy }: InviteRecord): boolean {
  return email !== null && acceptedBy === null;
}

/** Returns the keys of the open invites by e-mail, the oldest first, cached. For a request that only reads. */
export async function listOpenEmailInvites(
  tx: Reader,
  cache: VersionedCache,
  organization: string,
): Promise<readonly PositionedRecord<Tuple>[]> {
  const name = `${findOrganizationPartition(organization)} invites`;
  const versions = [await invites.getGuardVersion(tx, "open")];
  const readKeys = async () => {
    const keys: PositionedRecord<Tuple>[] = [];
    for await (const invite of invites.iterate(tx)) {
      const key = invite.digest ?? invite.id;
      if (isOpenEmailInvite(invite)) keys.push({ record: [key], position: encodeKey(invite.createdAt, key) });
    }
    return keys.sort((a, b) => (a.position < b.position ? -1 : 1));
  };
  return cache.getOrCompute(name, versions, readKeys, (keys) => 500 * keys.length);
}
