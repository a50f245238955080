// Lists all users of a storage, including those without an organization. Only the host can call this.

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
  const [under] = users.ranges();
  let after: string | undefined;
  for (;;) {
    const rows = email === undefined ? await directory.list({ under: under!, after, limit: BATCH_SIZE }) : [];
    const batch =
      email === undefined
        ? rows.map((row) => row.value as unknown as UserRecord)
        : [await users.find(directory, "email", foldText(email))];
    for (const user of batch) {
      if (!user || user.erasedAt !== undefined) continue;
      const { id, displayName, createdAt, disabledAt } = user;
      yield {
        id,
        displayName,
        email: user.email,
        createdAt,
        ...omitUndefined({ disabledAt: disabledAt || undefined }),
      };
    }
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)!.key;
  }
}
