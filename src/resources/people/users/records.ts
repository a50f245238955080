// Users, in the directory, because they belong to no organization. An e-mail address belongs to one user. Beside them
// are the display names of installations, which write content but are not users.

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
  /** The host said so of somebody without proof that the address is theirs. */
  readonly emailUnverified?: true;
  readonly photoURL?: string;
  readonly createdAt: string;
  /** When the name or the address was last changed. */
  readonly updatedAt?: string;
  /** Since when the account is shut; the host can open it again. */
  readonly disabledAt?: string;
  /** When the name and the address were taken away. The id stays, for what the user wrote. */
  readonly erasedAt?: string;
};

/** What stands in place of the name of a user who was erased. */
export const FORMER_NAME = "A former user";

/** Whether somebody can come in as this user. */
export function isActive(user: UserRecord | undefined): user is UserRecord {
  return user !== undefined && user.disabledAt === undefined && user.erasedAt === undefined;
}

export const users = defineRecordSet("user", {
  key: (user: UserRecord) => [user.id],
  unique: { email: (user) => (user.erasedAt === undefined ? [foldText(user.email)] : undefined) },
});

/** The display name of an installation. It outlives the installation, because the content does. */
export const apps = defineRecordSet("app", {
  key: (app: { readonly id: string; readonly displayName: string }) => [app.id],
});

/** Whether this is the id of an integration or an installation. No user has such an id. */
export function isAppId(id: string): boolean {
  return parsePartitionCode("installation", id) !== undefined || parsePartitionCode("integration", id) !== undefined;
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
    ...omitUndefined({ photoURL: user.photoURL }),
    urls: { location: urls.api(`/users/${user.id}`) },
  };
}
