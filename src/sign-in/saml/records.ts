// The messages that were used, so that none is accepted twice.

import { defineRecordSet } from "../../storage/records";
import type { Transaction } from "../../storage/transaction";

/** Used messages, in the partition of the organization, until they would be refused as expired. */
const usedMessages = defineRecordSet("saml-spent", {
  key: (message: { readonly what: string; readonly endsAt: number }) => [message.what],
  indexes: { endsAt: (message) => [message.endsAt] },
});

/** The limit of expired messages that one use deletes. */
const MAX_DELETED = 20;

/** Marks a message as used: an assertion, or the answer to a request. Returns false if it was used before. */
export async function acceptOnce(tx: Transaction, messageKey: string, until: Date, now: Date): Promise<boolean> {
  if (await usedMessages.get(tx, messageKey)) return false;
  for (const { record } of await usedMessages.list(tx, "endsAt", { limit: MAX_DELETED }))
    if (record.endsAt < now.getTime()) await usedMessages.delete(tx, record.what);
  await usedMessages.put(tx, { what: messageKey, endsAt: until.getTime() });
  return true;
}
