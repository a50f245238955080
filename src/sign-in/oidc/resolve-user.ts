// Whom a provider means. A person is known by the provider and its id for them. The first time they are found by their
// e-mail address, if both sides have proof of it, or they are a newcomer.

import * as v from "valibot";
import { Email, foldText } from "../../operation/common-schemas";
import { openIdLinks } from "../../resources/people/users/openid-links";
import { isActiveUser, type UserRecord, users } from "../../resources/people/users/records";
import { DIRECTORY } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import type { SignInContext } from "../context";
import { canSignIn, findOrCreateUser, suggestDisplayName } from "../email/admission";

/** What a provider says of somebody. */
export interface ProviderClaims {
  readonly issuer: string;
  readonly sub: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly isVerified: boolean;
}

/** Why somebody does not come in. */
export type OpenIdRefusal = "unverified" | "unknown";

/** The claims among all that a provider sent. */
export function parseProviderClaims(
  issuer: string,
  sub: string,
  sent: Readonly<Record<string, unknown>>,
  trusts: boolean,
): ProviderClaims {
  const { email } = sent;
  const name = [sent.name, sent.preferred_username, sent.nickname].find(
    (it) => typeof it === "string" && it.trim() !== "" && !/\p{Surrogate}/u.test(it),
  ) as string | undefined;
  return {
    issuer,
    sub,
    name: name && [...name.trim()].slice(0, 64).join(""),
    email: v.is(Email, email) ? email : undefined,
    isVerified: sent.email_verified === true || sent.email_verified === "true" || trusts,
  };
}

/** Whether somebody may come in who was not here before; undefined where nothing speaks against it. */
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

/** The user of somebody who may come in. */
export async function resolveLinkedUser(
  tx: Transaction,
  context: SignInContext,
  { issuer, sub, name, email }: ProviderClaims,
): Promise<(UserRecord & { readonly isNew: boolean }) | undefined> {
  const link = await openIdLinks.get(tx, issuer, sub);
  const linked = link && (await users.get(tx, link.user));
  if (linked) return isActiveUser(linked) ? { ...linked, isNew: false } : undefined;
  if (email === undefined) return undefined;
  // Read again in this commit: nobody is linked to a user whose own address nobody has proved.
  const same = await users.find(tx, "email", foldText(email));
  if (same && (same.emailUnverified || !isActiveUser(same))) return undefined;
  const { isNew, ...user } = await findOrCreateUser(tx, context, email);
  const named = isNew ? { ...user, displayName: name ?? suggestDisplayName(email) } : user;
  if (isNew) await users.put(tx, named);
  await openIdLinks.put(tx, { issuer, sub, user: user.id, linkedAt: context.kernel.store.now().toISOString() });
  return { ...named, isNew };
}
