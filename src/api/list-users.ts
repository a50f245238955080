// Lists users for the host: all users of a storage, in all organizations and in none. Nobody else may see them.

import { foldText } from "../operation/common-schemas";
import { type UserRecord, users } from "../resources/people/users/records";
import { DIRECTORY } from "../storage/ids";
import type { Store } from "../storage/store";
import { omitUndefined } from "../utils/objects";

/** A user of the storage. */
export interface KnownUser {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly createdAt: string;
  /** The time at which the account was disabled. */
  readonly disabledAt?: string;
}

const BATCH_SIZE = 500;

/** Yields all users except erased ones, or only the one with an e-mail address, as they are when the first one is read. */
export async function* listKnownUsers(
  store: Store,
  { email }: { readonly email?: string | undefined } = {},
): AsyncGenerator<KnownUser, void, undefined> {
  const directory = await store.read(DIRECTORY);
  if (email !== undefined) {
    const user = await users.find(directory, "email", foldText(email));
    if (user && user.erasedAt === undefined) yield toKnownUser(user);
    return;
  }

  const [under] = users.ranges();
  let after: string | undefined;
  for (;;) {
    const rows = await directory.list({ under: under!, after, limit: BATCH_SIZE });
    for (const row of rows) {
      const user = row.value as unknown as UserRecord;
      if (user.erasedAt === undefined) yield toKnownUser(user);
    }
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)!.key;
  }
}

function toKnownUser({ id, displayName, email, createdAt, disabledAt }: UserRecord): KnownUser {
  return { id, displayName, email, createdAt, ...omitUndefined({ disabledAt: disabledAt || undefined }) };
}
