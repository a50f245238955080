// Which user a provider means. A provider speaks for its own organization, whose admins can make it say anything. So what it
// says about an e-mail address is believed only where the organization has proven the domain, or the host trusts the
// provider. Otherwise the person signs in another way first, and agrees. So nobody takes over, or takes away, the address of
// somebody else, and nobody learns which addresses are known here.

import * as v from "valibot";
import { Email, foldText } from "../../operation/common-schemas";
import { getProvenDomains, type OrganizationRecord } from "../../resources/people/organizations/records";
import { type SamlLink, samlLinks } from "../../resources/people/saml/links";
import type { SamlProviderRecord } from "../../resources/people/saml/records";
import { type UserRecord, users } from "../../resources/people/users/records";
import { generateId } from "../../storage/ids";
import { hashFingerprint } from "../../storage/secrets";
import type { Store } from "../../storage/store";
import type { Transaction } from "../../storage/transaction";
import { TRANSIENT } from "./names";
import type { VerifiedAssertion } from "./response";

export type AssertedUser = Pick<VerifiedAssertion, "nameId" | "nameIdFormat" | "email" | "displayName">;

/** Somebody to let in, or what is missing. */
export type UserResolution =
  | { readonly user: UserRecord; readonly link: SamlLink }
  | { readonly user?: never; readonly missing: "email" | "proof" };

/** What an address is believed by. */
export interface EmailTrust {
  /** Whether the host trusts the provider about every address. */
  readonly isTrusted: boolean;
  /** The user who was asked in their own session, and agreed. */
  readonly confirmedBy?: string | undefined;
}

/** The user whom a provider means, found or made. */
export async function resolveAssertedUser(
  tx: Transaction,
  { now, random }: Pick<Store, "now" | "random">,
  organization: OrganizationRecord,
  provider: SamlProviderRecord,
  named: AssertedUser,
  { isTrusted, confirmedBy }: EmailTrust,
): Promise<UserResolution> {
  const subject = getSubjectKey(named);
  if (subject === undefined) return { missing: "email" };
  const known = await samlLinks.get(tx, provider.id, subject);
  const linked = known && (await users.get(tx, known.user));
  // Who comes back after they were erased is a new user.
  if (known && linked && linked.erasedAt === undefined) return { user: linked, link: known };
  const email = v.safeParse(Email, named.email);
  if (!email.success) return { missing: "email" };
  const same = await users.find(tx, "email", foldText(email.output));
  const isBelieved = isTrusted || getProvenDomains(organization).includes(domainOf(email.output));
  // An account whose address nobody has proven may be anybody's.
  const isConfirmed = confirmedBy !== undefined && same?.id === confirmedBy;
  const isTheirs = isConfirmed || (isBelieved && !same?.emailUnverified);
  if (!isTheirs) return { missing: "proof" };
  const time = now().toISOString();
  const displayName = displayNameOf(named, email.output);
  const user = same ?? { id: generateId("user", "", random), displayName, email: email.output, createdAt: time };
  if (!same) await users.put(tx, user);
  const link = { provider: provider.id, subject, user: user.id, linkedAt: time, isIn: false };
  await samlLinks.put(tx, link);
  return { user, link };
}

/** By what a provider is known to mean the same person again. A passing name says nothing the next time, an address does. */
export function getSubjectKey({ nameId, nameIdFormat, email }: AssertedUser): string | undefined {
  if (nameIdFormat !== TRANSIENT) return hashFingerprint(`name ${nameId}`);
  return email === undefined ? undefined : hashFingerprint(`email ${foldText(email)}`);
}

function domainOf(email: string): string {
  return foldText(email.slice(email.lastIndexOf("@") + 1));
}

/** The name that the provider gives, else what stands before the address's domain. */
function displayNameOf({ displayName }: AssertedUser, email: string): string {
  const name = displayName?.replace(/\p{Cc}+/gu, " ").trim() || email.slice(0, email.lastIndexOf("@"));
  return [...name].slice(0, 64).join("").slice(0, 64);
}
