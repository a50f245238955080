// Applies changes of an account to the organizations of its user: when it is disabled, enabled again or erased, and when the
// user leaves all organizations. The directory decides; a job makes each organization agree with it.

import { defineJob, enqueueJob, type JobContext } from "../../../jobs/jobs";
import { foldText } from "../../../operation/common-schemas";
import { iterateRows } from "../../../operation/pagination";
import { DIRECTORY, getPartitionRef, type PartitionRef } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { forEachEntry } from "../../../storage/transaction-budget";
import { sha256Hex } from "../../../utils/sha256";
import { recordAuditEvent } from "../audit/record-event";
import { deleteInvite, type InviteRecord, invites } from "../invites/records";
import { getNextEpoch, members, memberships, removeMember } from "../members/records";
import { samlLinks } from "../saml/links";
import { sessions } from "../sessions/records";
import { tokens } from "../tokens/records";
import { hostLinks } from "./host-users";
import { openIdLinks } from "./openid-links";
import { users } from "./records";

/** Deletes records of an erased account in the directory, as many as fit into a transaction. Each returns true if there are more. */
const deleteBelongings: readonly ((tx: Transaction, user: string) => Promise<boolean>)[] = [
  (tx, user) => tokens.drain(tx, "ofUser", [user]),
  (tx, user) => hostLinks.drain(tx, "ofUser", [user]),
  (tx, user) => openIdLinks.drain(tx, "ofUser", [user]),
  (tx, user) => samlLinks.drain(tx, "ofUser", [user]),
  (tx, user) => sessions.drain(tx, "ofUser", [user]),
];

/** Makes the organizations of a user agree with the account. `email` is a digest of the address that was erased. */
export const spreadAccountChange = defineJob<{ user: string; email?: string }>(
  "spread-user",
  async (jobContext, { user, email }, mayGoOn) => {
    const { store } = jobContext;
    const account = await users.get(await store.read(DIRECTORY), user);
    const isErased = account?.erasedAt !== undefined;
    if (isErased)
      for (const deleteSome of deleteBelongings) while (await store.write(DIRECTORY, (tx) => deleteSome(tx, user)));

    // The invites that the user accepted or was sent contain the address.
    const deleteSomeInvites = (tx: Transaction) => {
      const [under] = invites.ranges();
      return forEachEntry(tx, { under: under! }, async ({ value }) => {
        const invite = value as InviteRecord;
        const isTheirs = invite.acceptedBy === user || (invite.email !== null && hashEmail(invite.email) === email);
        if (isTheirs) await deleteInvite(tx, invite);
      });
    };
    for await (const place of listOrganizationPlaces(jobContext, user)) {
      if (!isErased) {
        // A member is suspended, or the suspension ends, as the account says.
        await store.write(place.partition, async (tx) => {
          const member = await members.get(tx, user);
          const isDisabled = account!.disabledAt !== undefined;
          if (!member || (member.suspended === true) === isDisabled) return;
          const { suspended: _, ...rest } = member;
          await members.put(tx, isDisabled ? { ...rest, ...getNextEpoch(rest), suspended: true } : rest);
          const action = isDisabled ? "userDisabled" : "userEnabled";
          recordAuditEvent(jobContext, tx, place, {
            action,
            actor: { type: "host" },
            things: [{ type: "user", id: user }],
          });
        });
      } else {
        while (email !== undefined && (await store.write(place.partition, deleteSomeInvites)));
        await store.write(place.partition, (tx) => removeFromOrganization(jobContext, tx, place, user, "userErased"));
      }
      await mayGoOn?.();
    }
  },
);

/** Removes a user from every organization that has another admin. */
export const leaveOrganizations = defineJob<{ user: string }>(
  "leave-organizations",
  async (jobContext, { user }, mayGoOn) => {
    for await (const place of listOrganizationPlaces(jobContext, user)) {
      const leave = (tx: Transaction) => removeFromOrganization(jobContext, tx, place, user, "removeMember");
      await jobContext.store.write(place.partition, leave);
      await mayGoOn?.();
    }
  },
);

/** Iterates over the organizations of a user, as the directory knows them. */
async function* listOrganizationPlaces(
  { store }: JobContext,
  user: string,
): AsyncGenerator<PartitionRef & { readonly organization: string }> {
  const directory = await store.read(DIRECTORY);
  for await (const { record } of iterateRows((slice) =>
    memberships.list(directory, "ofUser", { under: [user], ...slice }),
  ))
    yield { ...getPartitionRef(record.organization), organization: record.organization };
}

/** Removes a member, unless nobody else is an admin. */
async function removeFromOrganization(
  jobContext: JobContext,
  tx: Transaction,
  place: PartitionRef & { readonly organization: string },
  user: string,
  action: "userErased" | "removeMember",
): Promise<void> {
  const member = await members.get(tx, user);
  if (!member || (await isLastAdmin(tx, user))) return;
  await removeMember(tx, place.organization, user, (job, payload) => enqueueJob(jobContext, place, tx, job, payload));
  recordAuditEvent(jobContext, tx, place, {
    action,
    actor: action === "userErased" ? { type: "system" } : { type: "user", id: user },
    status: 204,
    things: [{ type: "user", id: user }],
  });
}

/** Returns true if an organization would have no admin without a user. */
export async function isLastAdmin(tx: Reader, user: string): Promise<boolean> {
  const member = await members.get(tx, user);
  return member?.role === "admin" && !member.disabled && (await members.total(tx, "byRole", "admin")) <= 1;
}

/** Returns a digest of an address, by which the invites that were sent to it are found. */
export function hashEmail(email: string): string {
  return sha256Hex(foldText(email));
}
