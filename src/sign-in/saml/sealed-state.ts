// What was accepted of a provider, sealed on its way through the browser: into an address, or into a form.

import type { SignInContext } from "../context";
import type { SamlConnection } from "./connection";
import type { VerifiedAssertion } from "./response";

/** What was accepted, on its way through the browser. */
export interface AcceptedAssertion extends Omit<VerifiedAssertion, "assertion" | "validUntil" | "sessionUntil"> {
  readonly relay: string;
  readonly sessionUntil: number | null;
  readonly until: number;
}

/** How long the redirect may take that brings an accepted answer to the browser's cookie. */
export const REDIRECT_LIFETIME_MS = 60_000;
/** How long somebody may think about a question. */
export const QUESTION_LIFETIME_MS = 10 * 60_000;

/** Seals something for one step with one provider. */
export async function sealForBrowser(
  context: SignInContext,
  { provider }: SamlConnection,
  kind: "accepted" | "question",
  value: object,
): Promise<string> {
  return context.kernel.secrets.encrypt(JSON.stringify(value), `saml-${kind} ${provider.id}`);
}

/** What was sealed for this step and this provider, if its time is not over. */
export async function unsealFromBrowser<T extends { readonly until: number }>(
  context: SignInContext,
  { provider }: SamlConnection,
  kind: "accepted" | "question",
  sealed: string | null,
): Promise<T | undefined> {
  const text = await context.kernel.secrets.decrypt(sealed ?? "", `saml-${kind} ${provider.id}`).catch(() => undefined);
  const value = text === undefined ? undefined : (JSON.parse(text) as T);
  return value && value.until >= context.kernel.store.now().getTime() ? value : undefined;
}
