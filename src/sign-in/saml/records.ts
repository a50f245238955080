// What signing in by SAML remembers of messages: what was accepted once.

import { defineRecordSet } from "../../storage/records";
import type { Transaction } from "../../storage/transaction";

/** In the organization: something that is accepted once, until nobody would accept it any more. */
const usedMessages = defineRecordSet("saml-spent", {
  key: (it: { readonly what: string; readonly endsAt: number }) => [it.what],
  indexes: { endsAt: (it) => [it.endsAt] },
});

/** How many that have ended are taken away by the way. */
const MAX_DELETED = 20;

/** Accepts something once: an assertion, or the answer to a request. False: it was accepted before. */
export async function acceptOnce(tx: Transaction, what: string, until: Date, now: Date): Promise<boolean> {
  if (await usedMessages.get(tx, what)) return false;
  for (const { record } of await usedMessages.list(tx, "endsAt", { limit: MAX_DELETED }))
    if (record.endsAt < now.getTime()) await usedMessages.delete(tx, record.what);
  await usedMessages.put(tx, { what, endsAt: until.getTime() });
  return true;
}
