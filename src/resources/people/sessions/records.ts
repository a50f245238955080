// Sessions of people who signed in with a browser, in the directory. Only the SHA-256 of a session's value is stored, as
// the key of its record, so recognizing a caller is one lookup without a comparison.

import type { Actor } from "../../../operation/actor";
import { DIRECTORY, generateRandomText, type Random } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import { hashFingerprint } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { isActive, users } from "../users/records";

export type SessionRecord = {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  /** How the person signed in. */
  readonly by: WayIn;
  /** The SAML providers that vouched for the person. Members who must come through one are let in by these alone. */
  readonly passed: readonly string[];
  /** How the provider that vouched last knows the person and the session, for a logout there. */
  readonly vouched?: Vouched;
  readonly createdAt: string;
  /** When it was last used, give or take a tenth of `idleMs`. */
  readonly seenAt: string;
  /** It ends when it is not used for so long. */
  readonly idleMs: number;
  /** It ends then, however much it is used. */
  readonly endsAt: string;
  /** The address and the browser that it was begun from, as far as they are known. */
  readonly address?: string;
  readonly userAgent?: string;
};

/** How a SAML provider knows a session of ours. */
export type Vouched = {
  readonly provider: string;
  /** A digest of the name. */
  readonly subject: string;
  readonly sessionIndex: string | null;
  readonly nameId: { readonly name: string; readonly format: string };
};

/** How a session was begun. */
export const waysIn = ["saml", "openid-connect", "email", "link"] as const;
export type WayIn = (typeof waysIn)[number];

export const sessions = defineRecordSet("session", {
  key: (session: SessionRecord) => [session.hash],
  indexes: {
    ofUser: (session) => [session.user, session.createdAt, session.id],
    endsAt: (session) => [new Date(endOf(session)).toISOString()],
    ofSubject: ({ vouched }) => (vouched ? [vouched.provider, vouched.subject] : undefined),
  },
  unique: { id: (session) => [session.id] },
  totals: { ofUser: (session) => [session.user] },
  sealed: [{ path: ["vouched", "nameId"] }],
});

/** The most sessions of a user. A further one ends the oldest. */
export const MAX_SESSIONS = 100;

/** A new value: 160 bits. */
export function newSessionValue(random: Random): string {
  return generateRandomText(random, 32);
}

/** When a session ends, if it is not used again. */
export function endOf({ seenAt, idleMs, endsAt }: SessionRecord): number {
  return Math.min(Date.parse(seenAt) + idleMs, Date.parse(endsAt));
}

/** A session that has not ended, with its caller. */
export interface OpenSession {
  readonly session: SessionRecord;
  readonly actor: Actor;
}

/** The session of a value; undefined when it is unknown or has ended. */
export async function sessionOf(directory: Reader, value: string, now: Date): Promise<OpenSession | undefined> {
  const session = await sessions.get(directory, hashFingerprint(value));
  if (!session || endOf(session) <= now.getTime()) return undefined;
  const user = await users.get(directory, session.user);
  const { id: credentials, passed } = session;
  return isActive(user)
    ? { session, actor: { user, scopes: null, expiresAt: null, credentials, samlProviderIds: passed } }
    : undefined;
}

/** Notes that a session was used just now. One that has ended meanwhile stays ended. */
export async function prolong(store: Store, { hash }: SessionRecord): Promise<void> {
  await store.write(DIRECTORY, async (tx) => {
    const session = await sessions.get(tx, hash);
    if (session) await sessions.put(tx, { ...session, seenAt: store.now().toISOString() });
  });
}

/** Whether a use of a session is worth a commit that prolongs it. */
export function isWorthNoting({ seenAt, idleMs }: SessionRecord, now: Date): boolean {
  return now.getTime() - Date.parse(seenAt) > idleMs / 10;
}
