// Deletes sessions that have ended, and what belonged to signing in and is over.

import { DIRECTORY } from "../../../storage/ids";
import type { Row } from "../../../storage/room";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { tokens } from "../tokens/records";
import { toolCodes, toolDevices } from "../tokens/tool-codes";
import { limits } from "./limits";
import { signInLinks } from "./links";
import { mailCodes } from "./mail-codes";
import { endOf, sessions } from "./records";

/** A set whose records are listed by their ends. */
interface Ending<T> {
  list(tx: Reader, index: "endsAt", slice: { readonly limit: number }): Promise<Row<T>[]>;
  each(tx: Transaction, index: "endsAt", under: [], run: (record: T) => Promise<unknown>): Promise<boolean>;
  delete(tx: Transaction, key: string): Promise<void>;
}

/** Deletes as many of each kind as one commit takes. Gives how many there were. */
export async function forgetEnded(store: Store, partition: string): Promise<number> {
  if (partition !== DIRECTORY) return 0;
  const time = store.now();
  const now = time.toISOString();
  return (
    (await forget(store, sessions, (it) => endOf(it) <= time.getTime() && it.hash)) +
    (await forget(store, mailCodes, (it) => it.endsAt <= now && it.browser)) +
    (await forget(store, signInLinks, (it) => it.endsAt <= now && it.hash)) +
    (await forget(store, tokens, (it) => it.tool !== undefined && it.tool.endsAt <= now && it.hash)) +
    (await forget(store, toolCodes, (it) => it.endsAt <= now && it.hash)) +
    (await forget(store, toolDevices, (it) => it.endsAt <= now && it.hash)) +
    (await forget(store, limits, (it) => it.endsAt <= now && it.key))
  );
}

/** `over` gives the key of a record whose time is over. */
async function forget<T>(store: Store, set: Ending<T>, over: (record: T) => string | false): Promise<number> {
  const [first] = await set.list(await store.read(DIRECTORY), "endsAt", { limit: 1 });
  if (!first || over(first.record) === false) return 0;
  return store.write(DIRECTORY, async (tx) => {
    let gone = 0;
    await set.each(tx, "endsAt", [], async (record) => {
      const key = over(record);
      // Those that follow end later.
      if (key === false) return true;
      await set.delete(tx, key);
      gone++;
      return false;
    });
    return gone;
  });
}
