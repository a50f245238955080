// Users, in the directory: they belong to no organization. An e-mail address belongs to one user. Beside them stand the names
// of what writes here and is nobody: installations.

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

/** The name that an installation writes under. It outlives the installation, as what was written does. */
export const apps = records("app", {
  key: (app: { readonly id: string; readonly displayName: string }) => [app.id],
});

/** Whether an id is one of an integration or an installation, which no user has. */
function isAppId(id: string): boolean {
  return codeOf("installation", id) !== undefined || codeOf("integration", id) !== undefined;
}

/** Several users by id, and installations that wrote something; one that does not exist is left out. */
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
  /** The host's own id: `^[A-Za-z0-9_-]{1,64}$`, and none that we made for an integration or an installation. */
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly photoURL?: string | undefined;
  /** Limits what the caller may use, as a token's scopes do. Default: everything that the user may. */
  readonly scopes?: readonly string[] | undefined;
}

/** Takes the host's word for who is asking, and writes the user down when that is news. */
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

/** Creates or updates a user; what is not given stays out. */
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
