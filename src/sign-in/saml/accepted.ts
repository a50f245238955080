// What was accepted of a provider, sealed on its way through the browser: into an address, or into a form.

import type { SignInContext } from "../parts";
import type { Found } from "./found";
import type { Vouched } from "./response";

/** What was accepted, on its way through the browser. */
export interface Accepted extends Omit<Vouched, "assertion" | "validUntil" | "sessionUntil"> {
  readonly relay: string;
  readonly sessionUntil: number | null;
  readonly until: number;
}

/** How long the redirect may take that brings an accepted answer to the browser's cookie. */
export const REDIRECT_MS = 60_000;
/** How long somebody may think about a question. */
export const THINKING_MS = 10 * 60_000;

/** Seals something for one step with one provider. */
export async function seal(
  house: SignInContext,
  { provider }: Found,
  kind: "accepted" | "question",
  value: object,
): Promise<string> {
  return house.kernel.secrets.encrypt(JSON.stringify(value), `saml-${kind} ${provider.id}`);
}

/** What was sealed for this step and this provider, if its time is not over. */
export async function unseal<T extends { readonly until: number }>(
  house: SignInContext,
  { provider }: Found,
  kind: "accepted" | "question",
  sealed: string | null,
): Promise<T | undefined> {
  const text = await house.kernel.secrets.decrypt(sealed ?? "", `saml-${kind} ${provider.id}`).catch(() => undefined);
  const value = text === undefined ? undefined : (JSON.parse(text) as T);
  return value && value.until >= house.kernel.store.now().getTime() ? value : undefined;
}
