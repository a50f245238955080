// What only the host may do: make sure that a user exists, with an organization and a token. Not reachable over HTTP.
// It is called by a sign-up page, an import script or the first start of a server.

import { newTokenValue, tokens } from "./resources/people/tokens/records";
import { saveUser, type UserRecord, users } from "./resources/people/users/records";
import { fingerprint } from "./secrets";
import { fold } from "./shapes";
import { DIRECTORY, newId } from "./store/ids";
import type { Store } from "./store/store";

export interface Provision {
  /** Found by e-mail address; created when there is none. */
  readonly user: { readonly displayName: string; readonly email: string };
  /** A new organization, with the user as its admin. */
  readonly organization?: { readonly title: string };
  /** A token for the user. `value`: at least 16 characters; a random one when left out. */
  readonly token?: { readonly label: string; readonly value?: string };
}

export interface Provisioned {
  readonly user: string;
  readonly organization?: string;
  /** The token's value. Only its hash is stored. */
  readonly token?: string;
}

/** Creates an organization with a user as its admin. */
type Found = (title: string, user: string) => Promise<{ readonly id: string }>;

export async function provision(store: Store, found: Found, wanted: Provision): Promise<Provisioned> {
  const value = wanted.token?.value ?? newTokenValue(store.random);
  if (value.length < 16) throw new TypeError("provision: a token needs at least 16 characters.");
  const user = await store.write(DIRECTORY, async (tx): Promise<UserRecord> => {
    const known = await users.find(tx, "email", fold(wanted.user.email));
    const holder = known ?? (await saveUser(tx, { id: newId("user", "", store.random), ...wanted.user }, store.now()));
    if (wanted.token) {
      const same = await tokens.get(tx, fingerprint(value));
      if (same && same.user !== holder.id) throw new TypeError("provision: this token is somebody else's.");
      await tokens.put(
        tx,
        same ?? {
          id: newId("token", "", store.random),
          hash: fingerprint(value),
          user: holder.id,
          label: wanted.token.label,
          scopes: null,
          createdAt: store.now().toISOString(),
          expiresAt: null,
        },
      );
    }
    return holder;
  });
  const organization = wanted.organization && (await found(wanted.organization.title, user.id)).id;
  return { user: user.id, ...(organization ? { organization } : {}), ...(wanted.token ? { token: value } : {}) };
}
