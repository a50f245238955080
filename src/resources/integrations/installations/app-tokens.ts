// The tokens with which integrations call the API: short-lived, signed, and each valid for one integration or one
// installation. Nothing is stored, so nothing has to be cleaned up. A token ends within an hour, or at once when its
// installation ends.

import { fromBase64url, type Secrets, toBase64url } from "../../../storage/secrets";

const PREFIX = "octavo_app_";
const LIFETIME_MS = 60 * 60 * 1000;

export interface TokenClaims {
  readonly kind: "integration" | "installation";
  readonly id: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Creates a token for an integration as a whole, or for an installation. It expires no later than the credentials of the request. */
export function signAppToken(
  secrets: Secrets,
  kind: TokenClaims["kind"],
  id: string,
  now: Date,
  maxExpiresAt: string | null = null,
): { readonly token: string; readonly expiresAt: string } {
  let expiresAt = new Date(now.getTime() + LIFETIME_MS).toISOString();
  if (maxExpiresAt !== null && maxExpiresAt < expiresAt) expiresAt = maxExpiresAt;
  const text = toBase64url(new TextEncoder().encode(JSON.stringify([kind, id, expiresAt])));
  return { token: `${PREFIX}${text}.${toBase64url(secrets.digest("installation-token", text))}`, expiresAt };
}

export function isAppToken(value: string): boolean {
  return value.startsWith(PREFIX);
}

/** Returns the claims of a token; undefined if it is forged or expired. Its installation may be gone. */
export function verifyAppToken(secrets: Secrets, value: string, now: Date): TokenClaims | undefined {
  const [text = "", signature = "", ...more] = value.slice(PREFIX.length).split(".");
  const isSigned = isAppToken(value) && more.length === 0 && secrets.isDigest("installation-token", text, signature);
  if (!isSigned) return undefined;
  const [kind, id, expiresAt] = JSON.parse(new TextDecoder().decode(fromBase64url(text)));
  return expiresAt > now.toISOString() ? { kind, id, expiresAt } : undefined;
}
