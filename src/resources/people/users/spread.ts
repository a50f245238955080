// What becomes of a user in their organizations when the account is disabled, enabled again or erased, and when they
// leave all of them. The directory decides; a job makes each organization agree with it.

import { defineJob, enqueueJob, type JobContext } from "../../../jobs/jobs";
import { foldText } from "../../../operation/common-schemas";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import { DIRECTORY, getOrganizationPlace, type Place } from "../../../storage/ids";
import { eachEntry } from "../../../storage/room";
import { hashFingerprint } from "../../../storage/secrets";
import type { Reader, Transaction } from "../../../storage/transaction";
import { audit } from "../audit/note";
import { deleteInvite, type InviteRecord, invites } from "../invites/records";
import { type MembershipRecord, members, memberships, nextEpoch, removeMember } from "../members/records";
import { samlLinks } from "../saml/links";
import { sessions } from "../sessions/records";
import { tokens } from "../tokens/records";
import { links } from "./host-users";
import { openIdLinks } from "./openid-links";
import { type UserRecord, users } from "./records";

/** What ends with the account, in the directory: each deletes what it has room for, and gives whether there is more. */
const belongings: readonly ((tx: Transaction, user: string) => Promise<boolean>)[] = [
  (tx, user) => tokens.drain(tx, "ofUser", [user]),
  (tx, user) => links.drain(tx, "ofUser", [user]),
  (tx, user) => openIdLinks.drain(tx, "ofUser", [user]),
  (tx, user) => samlLinks.drain(tx, "ofUser", [user]),
  (tx, user) => sessions.drain(tx, "ofUser", [user]),
];

/** Makes the organizations of a user agree with the account. `email` is a digest of the address that was erased. */
export const spreadUser = defineJob<{ user: string; email?: string }>(
  "spread-user",
  async (work, { user, email }, goOn) => {
    const { store } = work;
    const account = await users.get(await store.read(DIRECTORY), user);
    if (account?.erasedAt !== undefined)
      for (const end of belongings) while (await store.write(DIRECTORY, (tx) => end(tx, user)));
    for await (const place of organizationsOf(work, user)) {
      if (account?.erasedAt === undefined)
        await store.write(place.partition, (tx) => suspend(work, tx, place, account!));
      else {
        while (email !== undefined && (await store.write(place.partition, (tx) => forgetAddress(tx, user, email))));
        await store.write(place.partition, (tx) => leave(work, tx, place, user, "userErased"));
      }
      await goOn?.();
    }
  },
);

/** Takes a user out of every organization that has another admin. */
export const leaveOrganizations = defineJob<{ user: string }>("leave-organizations", async (work, { user }, goOn) => {
  for await (const place of organizationsOf(work, user)) {
    await work.store.write(place.partition, (tx) => leave(work, tx, place, user, "removeMember"));
    await goOn?.();
  }
});

/** The organizations of a user, as the directory knows them. */
async function* organizationsOf(
  { store }: JobContext,
  user: string,
): AsyncGenerator<Place & { readonly organization: string }> {
  const directory = await store.read(DIRECTORY);
  for await (const { record } of iterateRows(walkMemberships(directory, user)))
    yield { ...getOrganizationPlace(record.organization), organization: record.organization };
}

export function walkMemberships(directory: Reader, user: string): ReadRows<MembershipRecord> {
  return (slice) => memberships.list(directory, "ofUser", { under: [user], ...slice });
}

/** Shuts a member out, or lets them in again, as the account says. */
async function suspend(work: JobContext, tx: Transaction, place: Place, { id, disabledAt }: UserRecord): Promise<void> {
  const member = await members.get(tx, id);
  const isDisabled = disabledAt !== undefined;
  if (!member || (member.suspended === true) === isDisabled) return;
  const { suspended: _, ...rest } = member;
  await members.put(tx, isDisabled ? { ...rest, ...nextEpoch(rest), suspended: true } : rest);
  const action = isDisabled ? "userDisabled" : "userEnabled";
  audit(work, tx, place, { action, actor: { type: "host" }, things: [{ type: "user", id }] });
}

/** Removes a member, unless nobody else is admin. */
async function leave(
  work: JobContext,
  tx: Transaction,
  place: Place & { readonly organization: string },
  user: string,
  action: "userErased" | "removeMember",
): Promise<void> {
  const member = await members.get(tx, user);
  if (!member || (await isLastAdmin(tx, user))) return;
  await removeMember(tx, place.organization, user, (step, payload) => enqueueJob(work, place, tx, step, payload));
  audit(work, tx, place, {
    action,
    actor: action === "userErased" ? { type: "system" } : { type: "user", id: user },
    status: 204,
    things: [{ type: "user", id: user }],
  });
}

/** Whether an organization would have no admin without a user. */
export async function isLastAdmin(tx: Reader, user: string): Promise<boolean> {
  const member = await members.get(tx, user);
  return member?.role === "admin" && !member.disabled && (await members.total(tx, "byRole", "admin")) <= 1;
}

/** Deletes the invites that a user accepted or was sent. They have the address. True: there are more. */
async function forgetAddress(tx: Transaction, user: string, email: string): Promise<boolean> {
  const [under] = invites.ranges();
  return eachEntry(tx, { under: under! }, async ({ value }) => {
    const invite = value as InviteRecord;
    const isTheirs = invite.acceptedBy === user || (invite.email !== null && digestOfEmail(invite.email) === email);
    if (isTheirs) await deleteInvite(tx, invite);
  });
}

/** A digest of an address, by which what was sent to it is found. */
export function digestOfEmail(email: string): string {
  return hashFingerprint(foldText(email));
}
