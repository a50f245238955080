// What only the host may see: the users that a storage knows, in all organizations and in none.

import { type UserRecord, users } from "./resources/people/users/records";
import { DIRECTORY } from "./store/ids";
import type { Store } from "./store/store";

/** A user, as the storage knows it. */
export interface KnownUser {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly createdAt: string;
  /** Since when the account is disabled. */
  readonly disabledAt?: string;
}

const AT_ONCE = 500;

/** All users but those who were erased, in no particular order, as they were when the first was read. */
export async function* knownUsers(store: Store): AsyncGenerator<KnownUser, void, undefined> {
  const directory = await store.read(DIRECTORY);
  const [under] = users.ranges();
  let after: string | undefined;
  for (;;) {
    const rows = await directory.list({ under: under!, after, limit: AT_ONCE });
    for (const { value } of rows) {
      const { id, displayName, email, createdAt, disabledAt, erasedAt } = value as unknown as UserRecord;
      if (erasedAt === undefined) yield { id, displayName, email, createdAt, ...(disabledAt ? { disabledAt } : {}) };
    }
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.key;
  }
}
