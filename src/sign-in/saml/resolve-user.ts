// Finds the user whom an assertion identifies. The admins of an organization can make its provider assert any e-mail address, so
// an address is only trusted if the organization has proven its domain, or the host trusts the provider. Otherwise the user signs
// in another way first and confirms. So nobody can take over an address of somebody else, or learn which addresses exist.

import * as v from "valibot";
import { Email, foldText } from "../../operation/common-schemas";
import { getProvenDomains, type OrganizationRecord } from "../../resources/people/organizations/records";
import { type SamlLink, samlLinks } from "../../resources/people/saml/links";
import type { SamlProviderRecord } from "../../resources/people/saml/records";
import { type UserRecord, users } from "../../resources/people/users/records";
import { generateId } from "../../storage/ids";
import type { Store } from "../../storage/store";
import type { Transaction } from "../../storage/transaction";
import { sha256Hex } from "../../utils/sha256";
import { TRANSIENT } from "./names";
import type { VerifiedAssertion } from "./response";

export type AssertedUser = Pick<VerifiedAssertion, "nameId" | "nameIdFormat" | "email" | "displayName">;

/** The user of an assertion, or the reason why there is none: it has no address, or no proof of the address. */
export type UserResolution =
  | { readonly user: UserRecord; readonly link: SamlLink }
  | { readonly user?: never; readonly missing: "email" | "proof" };

/** The reasons to trust an asserted address. */
export interface EmailTrust {
  /** The host trusts the provider for every domain. */
  readonly isTrusted: boolean;
  /** The id of the user who has confirmed in their own session. */
  readonly confirmedBy?: string | undefined;
}

/** Returns the user of an assertion. The first time, they are linked to the subject, and created if they are new. */
export async function resolveAssertedUser(
  tx: Transaction,
  { now, random }: Pick<Store, "now" | "random">,
  organization: OrganizationRecord,
  provider: SamlProviderRecord,
  asserted: AssertedUser,
  { isTrusted, confirmedBy }: EmailTrust,
): Promise<UserResolution> {
  const subject = getSubjectKey(asserted);
  if (subject === undefined) return { missing: "email" };
  const existingLink = await samlLinks.get(tx, provider.id, subject);
  const linkedUser = existingLink && (await users.get(tx, existingLink.user));
  // An erased user who comes back becomes a new user.
  if (existingLink && linkedUser && linkedUser.erasedAt === undefined) return { user: linkedUser, link: existingLink };

  const parsedEmail = v.safeParse(Email, asserted.email);
  if (!parsedEmail.success) return { missing: "email" };
  const email = parsedEmail.output;
  const existingUser = await users.find(tx, "email", foldText(email));
  const isTrustedEmail =
    isTrusted || getProvenDomains(organization).includes(foldText(email.slice(email.lastIndexOf("@") + 1)));
  const isConfirmed = confirmedBy !== undefined && existingUser?.id === confirmedBy;
  // A user with an unverified address may have been created by somebody else.
  const isProven = isConfirmed || (isTrustedEmail && !existingUser?.emailUnverified);
  if (!isProven) return { missing: "proof" };

  const time = now().toISOString();
  // Without a name in the assertion, the user gets the local part of the address.
  const name = asserted.displayName?.replace(/\p{Cc}+/gu, " ").trim() || email.slice(0, email.lastIndexOf("@"));
  const displayName = [...name].slice(0, 64).join("").slice(0, 64);
  const user = existingUser ?? { id: generateId("user", "", random), displayName, email, createdAt: time };
  if (!existingUser) await users.put(tx, user);
  const link = { provider: provider.id, subject, user: user.id, linkedAt: time, isIn: false };
  await samlLinks.put(tx, link);
  return { user, link };
}

/**
 * Returns the key by which a provider identifies the same user in every assertion, or undefined if there is none. A transient name
 * changes every time, so the address is used instead.
 */
export function getSubjectKey({ nameId, nameIdFormat, email }: AssertedUser): string | undefined {
  if (nameIdFormat !== TRANSIENT) return sha256Hex(`name ${nameId}`);
  return email === undefined ? undefined : sha256Hex(`email ${foldText(email)}`);
}
