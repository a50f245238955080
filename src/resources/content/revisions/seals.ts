// Signed claims, short enough for a URL: whoever has one may do what it says, and nobody else can make one. Each
// purpose has its own key, so a seal for one purpose is not valid for another.

import { fromBase64url, type Purpose, type Secrets, toBase64url } from "../../../storage/secrets";

const HOUR = 3600;

/**
 * The hour of a time. Seals of the same claims within one hour are equal, so answers that contain them do not change.
 */
export function sealHour(now: Date): number {
  return Math.floor(now.getTime() / 1000 / HOUR);
}

/** When a seal that is made now expires, in epoch seconds: at the end of the next hour. */
export function sealEnd(now: Date): number {
  return (sealHour(now) + 2) * HOUR;
}

/** When a seal with this end was made at the earliest: at the beginning of its hour. */
export function sealStart(end: number): Date {
  return new Date((end - 2 * HOUR) * 1000);
}

/** Seals claims. */
export function seal(secrets: Secrets, purpose: Purpose, claims: readonly unknown[]): string {
  const text = toBase64url(new TextEncoder().encode(JSON.stringify(claims)));
  return `${text}.${toBase64url(secrets.digest(purpose, text))}`;
}

/** The claims of a seal, unchecked. */
export function claimsIn(sealed: string): readonly unknown[] | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fromBase64url(sealed.split(".")[0]!));
    const claims: unknown = JSON.parse(text);
    return Array.isArray(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a seal is valid for this purpose. */
export function isSealed(secrets: Secrets, purpose: Purpose, sealed: string): boolean {
  const [text = "", signed = "", ...more] = sealed.split(".");
  return more.length === 0 && secrets.isDigest(purpose, text, signed);
}
