// Users of the host application. The host names a user by an id of its own, which is any text; ours are of one form. A
// host id that has this form is the user's id. For every other one the directory has a link to a user. No host id
// leads to a user that was not made for it, or linked to it by an e-mail address that the host calls verified.

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
  /** Whether the host has proof that the address is this user's. Then a user who has it already is this user. Default: false. */
  readonly emailVerified?: boolean | null | undefined;
  readonly photoURL?: string | null | undefined;
  /** Limits the caller, as a token's scopes do. Default: no limit beyond the user's own rights. */
  readonly scopes?: readonly string[] | null | undefined;
}

/** A host id that leads to a user. A user may have several. */
type HostLink = { readonly host: string; readonly user: string; readonly linkedAt: string };

export const links = defineRecordSet("host-user", {
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

/** What the host said of a user, checked. A mistake is one of the host's code, so it is a TypeError that names the field. */
export function hostProfile(given: unknown, from: string): HostProfile {
  const { success, output, issues } = v.safeParse(Profile, given);
  if (success) return output;
  const [{ message, input }] = issues;
  const field = v.getDotPath(issues[0]);
  if (field === null) throw new TypeError(`${from}: Expected a user with an id, a displayName and an email.`);
  throw new TypeError(
    `${from}: \`${field}\` of the user ${input === undefined ? "is missing" : "is wrong"}. ${message}.`,
  );
}

/** Accepts the host's word for who the caller is, and stores the user when something has changed. */
export async function welcome(
  store: Store,
  directory: Reader,
  given: HostUser,
): Promise<{ actor: Actor; directory: Reader }> {
  const profile = hostProfile(given, "authenticate");
  const { scopes } = profile;
  const actorFor = (user: UserRecord) => ({
    user,
    scopes,
    expiresAt: null,
    credentials: getHostCredentials(user.id, scopes),
  });
  const known = await userOfHost(directory, profile.id);
  if (known?.disabledAt !== undefined) throw createError("user_disabled");
  if (known && isSame(known, followed(known, profile))) return { actor: actorFor(known), directory };
  const user = await store.write(DIRECTORY, (tx) => settle(tx, profile, store));
  return { actor: actorFor(user), directory: await store.read(DIRECTORY) };
}

/**
 * The user of a host id, as the host describes them: found by the id, or by a verified e-mail address, or made. A user
 * whose own address is not verified may be anybody's, so nobody is linked to it, unless the host is sure.
 */
export async function settle(
  tx: Transaction,
  profile: HostProfile,
  { now, random }: Pick<Store, "now" | "random">,
  { isSure = false } = {},
): Promise<UserRecord> {
  const time = now().toISOString();
  const known = await userOfHost(tx, profile.id);
  const same = known ?? (await users.find(tx, "email", foldText(profile.email)));
  if (same?.disabledAt !== undefined) throw createError("user_disabled");
  const isLinked = isSure || (profile.emailVerified && !same?.emailUnverified);
  if (!known && same && !isLinked) throw createError("email_taken");
  // Who comes back after they were erased is a new user: nothing of the former one is theirs.
  const isFree = isUserId(profile.id) && (await users.get(tx, profile.id)) === undefined;
  const id = same?.id ?? (isFree ? profile.id : generateId("user", "", random));
  const isFoundByForm = id === profile.id && isUserId(id);
  if (!known && !isFoundByForm) await links.put(tx, { host: profile.id, user: id, linkedAt: time });
  const user = followed(same ?? { id, createdAt: time }, profile);
  if (same && isSame(same, user)) return user;
  const changed = same ? { ...user, updatedAt: time } : user;
  await rejectDuplicates(users.put(tx, changed), "email_taken");
  return changed;
}

/** The user of a host id; undefined when there is none yet. */
async function userOfHost(tx: Reader, id: string): Promise<UserRecord | undefined> {
  const [link, own] = await Promise.all([links.get(tx, id), isUserId(id) ? users.get(tx, id) : undefined]);
  const found = link ? await users.get(tx, link.user) : own;
  return found?.erasedAt === undefined ? found : undefined;
}

/** Whether the host has named a user. */
export async function isKnownToHost(tx: Reader, user: string): Promise<boolean> {
  return isUserId(user) || (await links.list(tx, "ofUser", { under: [user], limit: 1 })).length > 0;
}

/** Whether a host id is the user's own id, too: it has the form of one, and is none that we could have made. */
function isUserId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) && !isAppId(id) && !/^usr_[0-9a-z]{16}$/.test(id);
}

/** The record of a user after the host's word. An address stays verified until it changes. */
export function followed(
  known: Pick<UserRecord, "id" | "createdAt"> & Partial<UserRecord>,
  profile: HostProfile,
): UserRecord {
  const { displayName, email, photoURL } = profile;
  const isNew = known.email === undefined || foldText(known.email) !== foldText(email);
  const emailUnverified = !profile.emailVerified && (isNew || known.emailUnverified === true);
  return {
    id: known.id,
    displayName,
    email,
    ...omitUndefined({
      photoURL: typeof photoURL === "string" ? photoURL : undefined,
      emailUnverified: emailUnverified ? emailUnverified : undefined,
    }),
    createdAt: known.createdAt,
    ...omitUndefined({ updatedAt: known.updatedAt }),
  };
}

function isSame(a: UserRecord, b: UserRecord): boolean {
  return (
    a.displayName === b.displayName &&
    a.email === b.email &&
    a.photoURL === b.photoURL &&
    a.emailUnverified === b.emailUnverified
  );
}
