// Invites to an organization. The id of an invite is the secret that lets people in, so ids are long, are listed only
// to admins, and are sealed in the storage. An invite is found by a keyed digest of its id.

import { foldText, type Role } from "../../../operation/common-schemas";
import { encodeKey } from "../../../storage/key";
import { defineRecordSet, type Tuple } from "../../../storage/records";
import type { Row } from "../../../storage/room";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { getOrCompute, type StampedCache } from "../../../utils/stamped-cache";
import { partitionOf } from "../organizations/records";

export type InviteRecord = {
  readonly id: string;
  /** The digest of the id. Invites stored by older versions have none until they are written again. */
  readonly digest?: string;
  /** The address that an e-mail invite was made for; null for a link. */
  readonly email: string | null;
  /** Null: a guest. */
  readonly role: Role | null;
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
  indexes: { links: (invite) => (invite.email === null ? [invite.createdAt] : undefined) },
  unique: {
    email: (invite) => (invite.email !== null && invite.acceptedBy === null ? [foldText(invite.email)] : undefined),
  },
  totals: { links: (invite) => (invite.email === null ? [] : undefined) },
  /** Which invites by e-mail are open. */
  guards: { open: { part: (invite) => (isOpen(invite) ? [invite.createdAt] : undefined) } },
  sealed: [{ path: ["id"], lost: "" }],
});

type Digests = Pick<Secrets, "digest" | "digests">;

/** The invite with an id. */
export async function inviteWith(tx: Reader, secrets: Digests, id: string): Promise<InviteRecord | undefined> {
  for (const digest of secrets.digests("invite", id)) {
    const found = await invites.get(tx, toBase64url(digest));
    if (found) return found;
  }
  const before = await invites.get(tx, id);
  return before?.digest === undefined ? before : undefined;
}

/** Stores an invite under the digest of its id, and under no other. Gives it as it is stored. */
export async function putInvite(tx: Transaction, secrets: Digests, invite: InviteRecord): Promise<InviteRecord> {
  const digest = toBase64url(secrets.digest("invite", invite.id));
  if (invite.digest !== digest) await deleteInvite(tx, invite);
  const stored = { ...invite, digest };
  await invites.put(tx, stored);
  return stored;
}

/** Deletes an invite. */
export async function deleteInvite(tx: Transaction, { digest, id }: InviteRecord): Promise<void> {
  await invites.delete(tx, digest ?? id);
}

/** Stores the invites of a partition under digests of the current secret. */
export async function rekeyInvites(store: Store, partition: string, secrets: Digests): Promise<void> {
  const view = await store.read(partition);
  const [under] = invites.ranges();
  let after: string | undefined;
  for (;;) {
    const rows = await view.list({ under: under!, after, limit: 100 });
    for (const { value } of rows) {
      const { id, digest } = value as InviteRecord;
      if (id === "" || digest === toBase64url(secrets.digest("invite", id))) continue;
      await store.write(partition, async (tx) => {
        const found = await invites.get(tx, digest ?? id);
        if (found) await putInvite(tx, secrets, found);
      });
    }
    if (rows.length < 100) return;
    after = rows.at(-1)!.key;
  }
}

/** How long an invite by e-mail stays open. */
const EMAIL_INVITE_DAYS = 14;

/** When an invite by e-mail ends that is sent now. */
export function emailExpiry(now: Date): string {
  return new Date(now.getTime() + EMAIL_INVITE_DAYS * 24 * 60 * 60 * 1000).toISOString();
}

/** Whether it is an invite by e-mail that nobody has accepted. */
function isOpen({ email, acceptedBy }: InviteRecord): boolean {
  return email !== null && acceptedBy === null;
}

/** Where the invites by e-mail are that nobody has accepted, the oldest first: remembered until one of them changes. For a
 * request that only reads. */
export async function openEmailInvites(
  tx: Reader,
  memory: StampedCache,
  organization: string,
): Promise<readonly Row<Tuple>[]> {
  const stamp = String(await invites.touched(tx, "open"));
  const read = () => readOpen(tx);
  return getOrCompute(memory, `${partitionOf(organization)} invites`, stamp, read, (rows) => 500 * rows.length);
}

async function readOpen(view: Reader): Promise<Row<Tuple>[]> {
  const found: Row<Tuple>[] = [];
  const [under] = invites.ranges();
  let after: string | undefined;
  for (;;) {
    const rows = await view.list({ under: under!, after, limit: 500 });
    for (const { value } of rows) {
      const invite = value as InviteRecord;
      const name = invite.digest ?? invite.id;
      if (isOpen(invite)) found.push({ record: [name], position: encodeKey(invite.createdAt, name) });
    }
    if (rows.length < 500) return found.sort((a, b) => (a.position < b.position ? -1 : 1));
    after = rows.at(-1)!.key;
  }
}

/** The open ones among some invites. */
export async function openAmong(tx: Reader, names: readonly Tuple[]): Promise<InviteRecord[]> {
  return (await invites.getMany(tx, names)).flatMap((it) => (it && isOpen(it) ? [it] : []));
}
