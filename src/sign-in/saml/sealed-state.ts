// The state of a sign-in between two requests, encrypted in a URL or a form: an accepted assertion, or a question to the user.

import type { SignInContext } from "../context";
import type { SamlConnection } from "./connection";
import type { VerifiedAssertion } from "./response";

/** A verified assertion that was used for the first time. */
export interface AcceptedAssertion extends Omit<VerifiedAssertion, "assertion" | "validUntil" | "sessionUntil"> {
  readonly relay: string;
  readonly sessionUntil: number | null;
  readonly until: number;
}

/** The lifetime of the redirect that takes an accepted assertion to the browser's cookie. */
export const REDIRECT_LIFETIME_MS = 60_000;
export const QUESTION_LIFETIME_MS = 10 * 60_000;

/** Encrypts a value for one kind of request and one provider. */
export async function sealForBrowser(
  context: SignInContext,
  { provider }: SamlConnection,
  kind: "accepted" | "question",
  value: object,
): Promise<string> {
  return context.kernel.secrets.encrypt(JSON.stringify(value), `saml-${kind} ${provider.id}`);
}

/** Decrypts a value. Returns undefined if it was encrypted for another kind or provider, or has expired. */
export async function unsealFromBrowser<T extends { readonly until: number }>(
  context: SignInContext,
  { provider }: SamlConnection,
  kind: "accepted" | "question",
  sealed: string | null,
): Promise<T | undefined> {
  const { secrets, store } = context.kernel;
  const json = await secrets.decrypt(sealed ?? "", `saml-${kind} ${provider.id}`).catch(() => undefined);
  const value = json === undefined ? undefined : (JSON.parse(json) as T);
  return value && value.until >= store.now().getTime() ? value : undefined;
}
