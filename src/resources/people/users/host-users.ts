// Users of the host application. The host's ids are any text; ours have one form. A host id of this form is the user's id. For
// every other host id the directory has a link to a user. A host id only leads to a user that was created for it, or was linked
// to it by an e-mail address that the host calls verified.

import * as v from "valibot";
import { createError } from "../../../errors";
import { type Actor, getHostCredentials } from "../../../operation/actor";
import { Email, foldText, textSchema, WebUrl } from "../../../operation/common-schemas";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import { DIRECTORY, generateId } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { isAppId, type UserRecord, users } from "./records";

/** A user as the host application knows it. */
export interface HostUser {
  /** The host's own id: any text of 1 to 255 characters, or a whole number. It stays the same when the rest changes. */
  readonly id: string | number;
  readonly displayName: string;
  readonly email: string;
  /** True if the host has proof that the address is this user's. Then an existing user with it is this user. Default: false. */
  readonly emailVerified?: boolean | null | undefined;
  readonly photoURL?: string | null | undefined;
  /** Limits the caller, like the scopes of a token. Default: no limit beyond the user's own rights. */
  readonly scopes?: readonly string[] | null | undefined;
}

/** A host id that leads to a user. A user may have several. */
type HostLink = { readonly host: string; readonly user: string; readonly linkedAt: string };

export const hostLinks = defineRecordSet("host-user", {
  key: (link: HostLink) => [link.host],
  indexes: { ofUser: (link) => [link.user, link.host] },
});

const HostId = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger())], "Expected text or a whole number"),
  v.transform(String),
  textSchema(1, 255),
  v.check((id) => !/\p{Surrogate}/u.test(id), "Expected text without halves of characters"),
);

const Profile = v.object({
  id: HostId,
  displayName: textSchema(1, 64),
  email: Email,
  emailVerified: v.nullish(v.boolean("Expected true or false"), false),
  photoURL: v.nullish(WebUrl),
  scopes: v.nullish(v.array(v.string("Expected text"), "Expected a list"), null),
});

export type HostProfile = v.InferOutput<typeof Profile>;

/** Validates the host's description of a user. A mistake is a bug of the host, so it throws a TypeError that names the field. */
export function parseHostProfile(value: unknown, functionName: string): HostProfile {
  const { success, output, issues } = v.safeParse(Profile, value);
  if (success) return output;
  const [{ message, input }] = issues;
  const field = v.getDotPath(issues[0]);
  if (field === null) throw new TypeError(`${functionName}: Expected a user with an id, a displayName and an email.`);
  throw new TypeError(
    `${functionName}: \`${field}\` of the user ${input === undefined ? "is missing" : "is wrong"}. ${message}.`,
  );
}

/** Accepts the caller that the host names, and stores the user if something has changed. */
export async function authenticateHostUser(
  store: Store,
  directory: Reader,
  hostUser: HostUser,
): Promise<{ actor: Actor; directory: Reader }> {
  const profile = parseHostProfile(hostUser, "authenticate");
  const { scopes } = profile;
  const createActor = (user: UserRecord) => ({
    user,
    scopes,
    expiresAt: null,
    credentials: getHostCredentials(user.id, scopes),
  });
  const known = await findHostUser(directory, profile.id);
  if (known?.disabledAt !== undefined) throw createError("user_disabled");
  if (known && hasSameProfile(known, applyHostProfile(known, profile))) return { actor: createActor(known), directory };
  const user = await store.write(DIRECTORY, (tx) => upsertHostUser(tx, profile, store));
  return { actor: createActor(user), directory: await store.read(DIRECTORY) };
}

/**
 * Returns the user of a host id as the host describes them, found by the id or by a verified e-mail address, or created. A user
 * whose own address is not verified may belong to anybody, so no host id is linked to it, unless the host is sure.
 */
export async function upsertHostUser(
  tx: Transaction,
  profile: HostProfile,
  { now, random }: Pick<Store, "now" | "random">,
  { isSure = false } = {},
): Promise<UserRecord> {
  const time = now().toISOString();
  const known = await findHostUser(tx, profile.id);
  const existing = known ?? (await users.find(tx, "email", foldText(profile.email)));
  if (existing?.disabledAt !== undefined) throw createError("user_disabled");
  const mayLink = isSure || (profile.emailVerified && !existing?.emailUnverified);
  if (!known && existing && !mayLink) throw createError("email_taken");

  // A person who comes back after they were erased is a new user: nothing of the former one is theirs.
  const isFree = isUserId(profile.id) && (await users.get(tx, profile.id)) === undefined;
  const id = existing?.id ?? (isFree ? profile.id : generateId("user", "", random));
  const isOwnId = id === profile.id && isUserId(id);
  if (!known && !isOwnId) await hostLinks.put(tx, { host: profile.id, user: id, linkedAt: time });

  const user = applyHostProfile(existing ?? { id, createdAt: time }, profile);
  if (existing && hasSameProfile(existing, user)) return user;
  const changed = existing ? { ...user, updatedAt: time } : user;
  await rejectDuplicates(users.put(tx, changed), "email_taken");
  return changed;
}

async function findHostUser(tx: Reader, id: string): Promise<UserRecord | undefined> {
  const [link, userWithId] = await Promise.all([hostLinks.get(tx, id), isUserId(id) ? users.get(tx, id) : undefined]);
  const user = link ? await users.get(tx, link.user) : userWithId;
  return user?.erasedAt === undefined ? user : undefined;
}

/** Returns true if a host id is also the user's id: it has the form of one, and is not one that we could have generated. */
export function isUserId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) && !isAppId(id) && !/^usr_[0-9a-z]{16}$/.test(id);
}

/** Returns the record of a user with the host's profile. An address stays verified until it changes. */
export function applyHostProfile(
  known: Pick<UserRecord, "id" | "createdAt"> & Partial<UserRecord>,
  profile: HostProfile,
): UserRecord {
  const { displayName, email, photoURL } = profile;
  const isNewEmail = known.email === undefined || foldText(known.email) !== foldText(email);
  const emailUnverified = !profile.emailVerified && (isNewEmail || known.emailUnverified === true);
  return {
    id: known.id,
    displayName,
    email,
    ...omitUndefined({
      photoURL: photoURL ?? undefined,
      emailUnverified: emailUnverified || undefined,
    }),
    createdAt: known.createdAt,
    ...omitUndefined({ updatedAt: known.updatedAt }),
  };
}

function hasSameProfile(a: UserRecord, b: UserRecord): boolean {
  return (
    a.displayName === b.displayName &&
    a.email === b.email &&
    a.photoURL === b.photoURL &&
    a.emailUnverified === b.emailUnverified
  );
}
