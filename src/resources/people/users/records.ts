// Users, in the directory, because they belong to no organization. An e-mail address belongs to one user. The directory also has
// the display names of installations, which write content but are not users.

import type { Actor } from "../../../operation/actor";
import { foldText } from "../../../operation/common-schemas";
import type { Urls } from "../../../ports/urls";
import { parsePartitionCode } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";

export type UserRecord = {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  /** True if the host named the address without proof that it is the user's. */
  readonly emailUnverified?: true;
  readonly photoURL?: string;
  readonly createdAt: string;
  /** The time at which the name or the address last changed. */
  readonly updatedAt?: string;
  /** The time since which the account is disabled; the host can enable it again. */
  readonly disabledAt?: string;
  /** The time at which the name and the address were erased. The id stays, for what the user wrote. */
  readonly erasedAt?: string;
};

/** The display name of a user who was erased. */
export const FORMER_USER_NAME = "A former user";

/** Returns true if the user exists and is neither disabled nor erased. */
export function isActiveUser(user: UserRecord | undefined): user is UserRecord {
  return user !== undefined && user.disabledAt === undefined && user.erasedAt === undefined;
}

export const users = defineRecordSet("user", {
  key: (user: UserRecord) => [user.id],
  unique: { email: (user) => (user.erasedAt === undefined ? [foldText(user.email)] : undefined) },
});

/** The display name of an installation. It outlives the installation, because the content does. */
export const appNames = defineRecordSet("app", {
  key: (app: { readonly id: string; readonly displayName: string }) => [app.id],
});

/** Returns true for the id of an integration or an installation. No user has such an id. */
export function isAppId(id: string): boolean {
  return parsePartitionCode("installation", id) !== undefined || parsePartitionCode("integration", id) !== undefined;
}

/** Returns users, and installations that wrote something, by id. Those that do not exist are left out. */
export async function findUsersById(
  directory: Reader,
  ids: readonly string[],
): Promise<Map<string, Omit<UserRecord, "createdAt">>> {
  const userKeys: [string][] = [];
  const appKeys: [string][] = [];
  for (const id of new Set(ids)) (isAppId(id) ? appKeys : userKeys).push([id]);
  const byId = new Map<string, Omit<UserRecord, "createdAt">>();
  for (const user of await users.getMany(directory, userKeys)) if (user) byId.set(user.id, user);
  for (const app of await appNames.getMany(directory, appKeys)) if (app) byId.set(app.id, { ...app, email: "" });
  return byId;
}

export function presentUser(user: Actor["user"], urls: Urls) {
  return {
    object: "user" as const,
    id: user.id,
    displayName: user.displayName,
    email: user.email,
    ...omitUndefined({ photoURL: user.photoURL }),
    urls: { location: urls.api(`/users/${user.id}`) },
  };
}
