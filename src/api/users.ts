// What only the host may see: the users that a storage knows, in all organizations and in none.

import { foldText } from "../operation/common-schemas";
import { type UserRecord, users } from "../resources/people/users/records";
import { DIRECTORY } from "../storage/ids";
import type { Store } from "../storage/store";
import { omitUndefined } from "../utils/objects";

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

/** Yields all users but those who were erased, or only the one with an e-mail address, as they were when the first was read. */
export async function* knownUsers(
  store: Store,
  { email }: { readonly email?: string | undefined } = {},
): AsyncGenerator<KnownUser, void, undefined> {
  const directory = await store.read(DIRECTORY);
  if (email !== undefined) {
    const user = await users.find(directory, "email", foldText(email));
    if (user) yield* toKnownUser(user);
    return;
  }
  const [under] = users.ranges();
  let after: string | undefined;
  for (;;) {
    const rows = await directory.list({ under: under!, after, limit: AT_ONCE });
    for (const { value } of rows) yield* toKnownUser(value as unknown as UserRecord);
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.key;
  }
}

/** Yields a user as the host sees it, or nothing if the user was erased. */
function* toKnownUser({ id, displayName, email, createdAt, disabledAt, erasedAt }: UserRecord): Generator<KnownUser> {
  if (erasedAt === undefined)
    yield { id, displayName, email, createdAt, ...omitUndefined({ disabledAt: disabledAt ? disabledAt : undefined }) };
}
