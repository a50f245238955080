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

/** Checks the signature of claims for a purpose. */
export function verifyClaims(secrets: Secrets, purpose: Purpose, signed: string): boolean {
  const [text = "", signature = "", ...rest] = signed.split(".");
  return rest.length === 0 && secrets.isDigest(purpose, text, signature);
}
