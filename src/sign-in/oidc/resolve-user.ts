// Finds the user whom the claims of a provider identify: by the issuer and its `sub`. The first time, a user is found by the
// e-mail address if it's verified on both sides, and otherwise created for a newcomer.

import * as v from "valibot";
import { Email, foldText } from "../../operation/common-schemas";
import { openIdLinks } from "../../resources/people/users/openid-links";
import { isActiveUser, type UserRecord, users } from "../../resources/people/users/records";
import { DIRECTORY } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import type { SignInContext } from "../context";
import { canSignIn, findOrCreateUser, suggestDisplayName } from "../email/admission";

export interface ProviderClaims {
  readonly issuer: string;
  readonly sub: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly isVerified: boolean;
}

/** The reason why somebody may not sign in. */
export type OpenIdRefusal = "unverified" | "unknown";

/** Reads the claims from an ID token and user info. `trustsEmails` treats every address as verified. */
export function parseProviderClaims(
  issuer: string,
  sub: string,
  claims: Readonly<Record<string, unknown>>,
  trustsEmails: boolean,
): ProviderClaims {
  const { email } = claims;
  const name = [claims.name, claims.preferred_username, claims.nickname].find(
    (it) => typeof it === "string" && it.trim() !== "" && !/\p{Surrogate}/u.test(it),
  ) as string | undefined;
  return {
    issuer,
    sub,
    name: name && [...name.trim()].slice(0, 64).join(""),
    email: v.is(Email, email) ? email : undefined,
    isVerified: claims.email_verified === true || claims.email_verified === "true" || trustsEmails,
  };
}

/** Checks whether somebody without a linked user may sign in. Returns undefined if they may, or if they have one. */
export async function checkNewcomer(
  context: SignInContext,
  claims: ProviderClaims,
  to: string | null,
): Promise<OpenIdRefusal | undefined> {
  const directory = await context.kernel.store.read(DIRECTORY);
  const { issuer, sub, email, isVerified } = claims;
  if (await openIdLinks.get(directory, issuer, sub)) return undefined;
  if (email === undefined || !isVerified) return "unverified";
  return (await canSignIn(context, directory, email, to)) ? undefined : "unknown";
}

/** Returns the user of somebody who may sign in, and links a new one. Returns undefined if the user is disabled or unverified. */
export async function resolveLinkedUser(
  tx: Transaction,
  context: SignInContext,
  { issuer, sub, name, email }: ProviderClaims,
): Promise<(UserRecord & { readonly isNew: boolean }) | undefined> {
  const link = await openIdLinks.get(tx, issuer, sub);
  const linked = link && (await users.get(tx, link.user));
  if (linked) return isActiveUser(linked) ? { ...linked, isNew: false } : undefined;
  if (email === undefined) return undefined;
  // This commit checks the address again: a user whose own address is unverified is never linked.
  const sameEmail = await users.find(tx, "email", foldText(email));
  if (sameEmail && (sameEmail.emailUnverified || !isActiveUser(sameEmail))) return undefined;
  const { isNew, ...user } = await findOrCreateUser(tx, context, email);
  const namedUser = isNew ? { ...user, displayName: name ?? suggestDisplayName(email) } : user;
  if (isNew) await users.put(tx, namedUser);
  await openIdLinks.put(tx, { issuer, sub, user: user.id, linkedAt: context.kernel.store.now().toISOString() });
  return { ...namedUser, isNew };
}
