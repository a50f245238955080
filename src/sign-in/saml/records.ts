// What signing in by SAML remembers of messages: what was accepted once.

import { defineRecordSet } from "../../storage/records";
import type { Transaction } from "../../storage/transaction";

/** In the organization: something that is accepted once, until nobody would accept it any more. */
const spent = defineRecordSet("saml-spent", {
  key: (it: { readonly what: string; readonly endsAt: number }) => [it.what],
  indexes: { endsAt: (it) => [it.endsAt] },
});

/** How many that have ended are taken away by the way. */
const SWEPT = 20;

/** Accepts something once: an assertion, or the answer to a request. False: it was accepted before. */
export async function spend(tx: Transaction, what: string, until: Date, now: Date): Promise<boolean> {
  if (await spent.get(tx, what)) return false;
  for (const { record } of await spent.list(tx, "endsAt", { limit: SWEPT }))
    if (record.endsAt < now.getTime()) await spent.delete(tx, record.what);
  await spent.put(tx, { what, endsAt: until.getTime() });
  return true;
}
