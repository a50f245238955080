// Deletes sessions that have ended, and expired records of signing in.

import { DIRECTORY } from "../../../storage/ids";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { tokens } from "../tokens/records";
import { toolCodes, toolDevices } from "../tokens/tool-codes";
import { attemptCounts } from "./attempt-limits";
import { signInLinks } from "./links";
import { mailCodes } from "./mail-codes";
import { getSessionEnd, sessions } from "./records";

/** A record set with an index of the times at which its records end. */
interface EndingRecordSet<T> {
  list(tx: Reader, index: "endsAt", slice: { readonly limit: number }): Promise<PositionedRecord<T>[]>;
  each(tx: Transaction, index: "endsAt", under: [], run: (record: T) => Promise<unknown>): Promise<boolean>;
  delete(tx: Transaction, key: string): Promise<void>;
}

/** Deletes as many ended records of each kind as one commit takes. Returns their number. */
export async function deleteEndedRecords(store: Store, partition: string): Promise<number> {
  if (partition !== DIRECTORY) return 0;
  const time = store.now();
  const now = time.toISOString();
  return (
    (await deleteEnded(store, sessions, (it) => getSessionEnd(it) <= time.getTime() && it.hash)) +
    (await deleteEnded(store, mailCodes, (it) => it.endsAt <= now && it.browser)) +
    (await deleteEnded(store, signInLinks, (it) => it.endsAt <= now && it.hash)) +
    (await deleteEnded(store, tokens, (it) => it.tool !== undefined && it.tool.endsAt <= now && it.hash)) +
    (await deleteEnded(store, toolCodes, (it) => it.endsAt <= now && it.hash)) +
    (await deleteEnded(store, toolDevices, (it) => it.endsAt <= now && it.hash)) +
    (await deleteEnded(store, attemptCounts, (it) => it.endsAt <= now && it.key))
  );
}

/** Deletes ended records of one set. `getEndedKey` returns the key of a record that has ended, and false for others. */
async function deleteEnded<T>(
  store: Store,
  recordSet: EndingRecordSet<T>,
  getEndedKey: (record: T) => string | false,
): Promise<number> {
  const [first] = await recordSet.list(await store.read(DIRECTORY), "endsAt", { limit: 1 });
  if (!first || getEndedKey(first.record) === false) return 0;
  return store.write(DIRECTORY, async (tx) => {
    let deletedCount = 0;
    await recordSet.each(tx, "endsAt", [], async (record) => {
      const key = getEndedKey(record);
      // All following records end later.
      if (key === false) return true;
      await recordSet.delete(tx, key);
      deletedCount++;
      return false;
    });
    return deletedCount;
  });
}
