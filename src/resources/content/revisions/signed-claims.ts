// Signed claims that are short enough for a URL: the URL grants what its claims say, and only this server can create one. Each
// purpose has its own key, so claims that are signed for one purpose are not valid for another.

import { fromBase64url, type Purpose, type Secrets, toBase64url } from "../../../storage/secrets";

const HOUR_SECONDS = 3600;

/** Returns the hour of a time. Equal claims that are signed within one hour are equal, so responses with them do not change. */
export function getSigningHour(now: Date): number {
  return Math.floor(now.getTime() / 1000 / HOUR_SECONDS);
}

/** Returns the time at which claims that are signed now expire, in epoch seconds: the end of the next hour. */
export function computeExpiry(now: Date): number {
  return (getSigningHour(now) + 2) * HOUR_SECONDS;
}

/** Returns the earliest time at which claims with an expiry were signed: the beginning of their hour. */
export function computeSigningTime(expiry: number): Date {
  return new Date((expiry - 2 * HOUR_SECONDS) * 1000);
}

/** Signs claims and returns them as text for a URL. */
export function signClaims(secrets: Secrets, purpose: Purpose, claims: readonly unknown[]): string {
  const text = toBase64url(new TextEncoder().encode(JSON.stringify(claims)));
  return `${text}.${toBase64url(secrets.digest(purpose, text))}`;
}

/** Parses signed claims without checking the signature. */
export function parseSignedClaims(signed: string): readonly unknown[] | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fromBase64url(signed.split(".")[0]!));
    const claims: unknown = JSON.parse(text);
    return Array.isArray(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the claims that `parse` finds, or undefined if they are forged, expired or signed for another purpose. */
export function verifyClaims<Claims extends { readonly until: number }>(
  secrets: Secrets,
  purpose: Purpose,
  signed: string,
  parse: (signed: string) => Claims | undefined,
  now: Date,
): Claims | undefined {
  const claims = parse(signed);
  const [text = "", signature = "", ...rest] = signed.split(".");
  const isValid = claims && rest.length === 0 && secrets.isDigest(purpose, text, signature);
  return isValid && claims.until * 1000 > now.getTime() ? claims : undefined;
}
