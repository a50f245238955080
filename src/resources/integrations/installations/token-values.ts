// The tokens that integrations call the API with: short-lived, signed, and each good for one integration or one installation.
// Nothing is stored, so nothing has to be cleaned up; a token ends with its hour, and at once with what it was made for.

import { fromBase64url, type Secrets, sameText, toBase64url } from "../../../secrets";
import type { InstallationRecord, IntegrationRecord } from "../records";

const PREFIX = "octavo_app_";
const LIFETIME_MS = 60 * 60 * 1000;

/** What a token stands for. */
export interface TokenClaims {
  readonly kind: "integration" | "installation";
  readonly id: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A token for an installation; it ends no later than what it was asked for with. */
export function installationToken(
  secrets: Secrets,
  { id }: Pick<InstallationRecord, "id">,
  now: Date,
  askedWith: string | null = null,
): { readonly token: string; readonly expiresAt: string } {
  const expiresAt = askedWith !== null && askedWith < endOf(now) ? askedWith : endOf(now);
  return { token: sealedToken(secrets, { kind: "installation", id, expiresAt }), expiresAt };
}

/** A token for an integration as a whole. */
export function integrationToken(secrets: Secrets, { id }: Pick<IntegrationRecord, "id">, now: Date): string {
  return sealedToken(secrets, { kind: "integration", id, expiresAt: endOf(now) });
}

/** When a token ends that is made now. */
function endOf(now: Date): string {
  return new Date(now.getTime() + LIFETIME_MS).toISOString();
}

/** Whether a value says that it is such a token. */
export function isAppToken(value: string): boolean {
  return value.startsWith(PREFIX);
}

/** What a token stands for; undefined when it is forged or over. What it was made for may be gone. */
export function claimsOf(secrets: Secrets, value: string, now: Date): TokenClaims | undefined {
  const [text = "", signed = "", ...more] = value.slice(PREFIX.length).split(".");
  if (!isAppToken(value) || more.length > 0 || !sameText(signature(secrets, text), signed)) return undefined;
  const [kind, id, expiresAt] = JSON.parse(new TextDecoder().decode(fromBase64url(text)));
  return expiresAt > now.toISOString() ? { kind, id, expiresAt } : undefined;
}

function sealedToken(secrets: Secrets, { kind, id, expiresAt }: TokenClaims): string {
  const text = toBase64url(new TextEncoder().encode(JSON.stringify([kind, id, expiresAt])));
  return `${PREFIX}${text}.${signature(secrets, text)}`;
}

function signature(secrets: Secrets, text: string): string {
  return toBase64url(secrets.digest("installation-token", text));
}
