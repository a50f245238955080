// Users, in the directory, because they belong to no organization. An e-mail address belongs to one user. Beside them
// are the display names of installations, which write content but are not users.

import * as v from "valibot";
import { type Actor, hostCredentials } from "../../../operation/operation";
import { unlessTaken } from "../../../operation/taken";
import { Email, fold, Id, text, WebUrl } from "../../../shapes";
import { codeOf, DIRECTORY } from "../../../store/ids";
import { records } from "../../../store/records";
import type { Store } from "../../../store/store";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Urls } from "../../../urls";

export type UserRecord = {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly photoURL?: string;
  readonly createdAt: string;
};

export const users = records("user", {
  key: (user: UserRecord) => [user.id],
  unique: { email: (user) => [fold(user.email)] },
});

/** The display name of an installation. It outlives the installation, because the content does. */
export const apps = records("app", {
  key: (app: { readonly id: string; readonly displayName: string }) => [app.id],
});

/** Whether this is the id of an integration or an installation. No user has such an id. */
function isAppId(id: string): boolean {
  return codeOf("installation", id) !== undefined || codeOf("integration", id) !== undefined;
}

/** Several users, and installations that wrote something, by id. Those that do not exist are left out. */
export async function usersById(
  directory: Reader,
  ids: readonly string[],
): Promise<Map<string, Omit<UserRecord, "createdAt">>> {
  const unique = [...new Set(ids)];
  const keys = (some: readonly string[]) => some.map((id) => [id]);
  const people = await users.getMany(directory, keys(unique.filter((id) => !isAppId(id))));
  const others = await apps.getMany(directory, keys(unique.filter(isAppId)));
  const found = [...people, ...others.map((app) => app && { ...app, email: "" })];
  return new Map(found.flatMap((user) => (user ? [[user.id, user]] : [])));
}

/** A user on the wire. */
export function userView(user: Actor["user"], urls: Urls) {
  return {
    object: "user" as const,
    id: user.id,
    displayName: user.displayName,
    email: user.email,
    ...(user.photoURL === undefined ? {} : { photoURL: user.photoURL }),
    urls: { location: urls.api(`/users/${user.id}`) },
  };
}

/** A user as the host application knows it. */
export interface HostUser {
  /** The host's own id: `^[A-Za-z0-9_-]{1,64}$`, and not the id of an integration or an installation. */
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly photoURL?: string | undefined;
  /** Limits the caller, as a token's scopes do. Default: no limit beyond the user's own rights. */
  readonly scopes?: readonly string[] | undefined;
}

/** Accepts the host's word for who the caller is, and stores the user when something has changed. */
export async function welcome(store: Store, host: HostUser): Promise<{ actor: Actor; directory: Reader }> {
  const directory = await store.read(DIRECTORY);
  const known = await users.get(directory, host.id);
  const { scopes = null, ...profile } = host;
  const actorFor = (user: UserRecord) => ({
    user,
    scopes,
    expiresAt: null,
    credentials: hostCredentials(user.id, scopes),
  });
  if (known && isSame(known, profile)) return { actor: actorFor(known), directory };
  const user = await store.write(DIRECTORY, (tx) => saveUser(tx, profile, store.now()));
  return { actor: actorFor(user), directory: await store.read(DIRECTORY) };
}

/** Creates or updates a user. Fields that are not given are left out. */
export async function saveUser(tx: Transaction, profile: Omit<HostUser, "scopes">, now: Date): Promise<UserRecord> {
  const known = await users.get(tx, profile.id);
  const { id, displayName, email, photoURL } = v.parse(Profile, profile);
  const user: UserRecord = {
    id,
    displayName,
    email,
    ...(photoURL === undefined ? {} : { photoURL }),
    createdAt: known?.createdAt ?? now.toISOString(),
  };
  await unlessTaken(users.put(tx, user), "email_taken");
  return user;
}

const UserId = v.pipe(
  Id,
  v.check((id) => !isAppId(id), "Expected an id that is not one of an integration or an installation"),
);
const Profile = v.object({ id: UserId, displayName: text(1, 64), email: Email, photoURL: v.optional(WebUrl) });

function isSame(known: UserRecord, profile: Omit<HostUser, "scopes">): boolean {
  return (
    known.displayName === profile.displayName && known.email === profile.email && known.photoURL === profile.photoURL
  );
}
