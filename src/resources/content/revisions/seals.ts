// Signed claims, short enough for a URL: whoever has one may do what it says, and nobody can write one of their own. Each
// purpose has a key of its own, so that a seal for one is none for another.

import { fromBase64url, type Purpose, type Secrets, sameText, toBase64url } from "../../../secrets";

const HOUR = 3600;

/** The hour that seals made at a time are equal in: an answer that holds one stays the same for as long. */
export function sealHour(now: Date): number {
  return Math.floor(now.getTime() / 1000 / HOUR);
}

/** When a seal ends that is made now, in epoch seconds: with the next hour. */
export function sealEnd(now: Date): number {
  return (sealHour(now) + 2) * HOUR;
}

/** Seals claims. */
export function seal(secrets: Secrets, purpose: Purpose, claims: readonly unknown[]): string {
  const text = toBase64url(new TextEncoder().encode(JSON.stringify(claims)));
  return `${text}.${signature(secrets, purpose, text)}`;
}

/** The claims that a text says it seals; nothing is checked yet. */
export function claimsIn(sealed: string): readonly unknown[] | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fromBase64url(sealed.split(".")[0]!));
    const claims: unknown = JSON.parse(text);
    return Array.isArray(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is sealed, for this purpose. */
export function isSealed(secrets: Secrets, purpose: Purpose, sealed: string): boolean {
  const [text = "", signed = "", ...more] = sealed.split(".");
  return more.length === 0 && sameText(signature(secrets, purpose, text), signed);
}

function signature(secrets: Secrets, purpose: Purpose, text: string): string {
  return toBase64url(secrets.digest(purpose, text));
}
