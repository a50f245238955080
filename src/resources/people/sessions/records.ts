// Sessions of people who signed in with a browser, in the directory. Only the SHA-256 of a session's value is stored, as
// the key of its record, so recognizing a caller is one lookup without a comparison.

import type { Actor } from "../../../operation/actor";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { sha256Hex } from "../../../utils/sha256";
import { isActiveUser, users } from "../users/records";

export type SessionRecord = {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  readonly by: SignInMethod;
  /** The SAML providers that vouched for the person. Members who must use single sign-on are admitted by these alone. */
  readonly passed: readonly string[];
  /** The names that the last SAML provider has for the person and the session, for a logout there. */
  readonly vouched?: SamlSession;
  readonly createdAt: string;
  /** The time of the last use, accurate to a tenth of `idleMs`. */
  readonly seenAt: string;
  /** The session ends when it is not used for this long. */
  readonly idleMs: number;
  /** The session ends at this time, however much it is used. */
  readonly endsAt: string;
  /** The IP address and the browser in which it began, as far as they are known. */
  readonly address?: string;
  readonly userAgent?: string;
};

export type SamlSession = {
  readonly provider: string;
  /** A digest of the name. */
  readonly subject: string;
  readonly sessionIndex: string | null;
  readonly nameId: { readonly name: string; readonly format: string };
};

/** The methods with which a session can begin. */
export const signInMethods = ["saml", "openid-connect", "email", "link"] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const sessions = defineRecordSet("session", {
  key: (session: SessionRecord) => [session.hash],
  indexes: {
    ofUser: (session) => [session.user, session.createdAt, session.id],
    endsAt: (session) => [new Date(getSessionEnd(session)).toISOString()],
    ofSubject: ({ vouched }) => (vouched ? [vouched.provider, vouched.subject] : undefined),
  },
  unique: { id: (session) => [session.id] },
  totals: { ofUser: (session) => [session.user] },
  sealed: [{ path: ["vouched", "nameId"] }],
});

/** The most sessions of a user. Another one ends the oldest. */
export const MAX_SESSIONS = 100;

/** Returns the time at which a session ends if it is not used again. */
export function getSessionEnd({ seenAt, idleMs, endsAt }: SessionRecord): number {
  return Math.min(Date.parse(seenAt) + idleMs, Date.parse(endsAt));
}

/** A session that has not ended, with its caller. */
export interface OpenSession {
  readonly session: SessionRecord;
  readonly actor: Actor;
}

export async function findOpenSession(directory: Reader, value: string, now: Date): Promise<OpenSession | undefined> {
  const session = await sessions.get(directory, sha256Hex(value));
  if (!session || getSessionEnd(session) <= now.getTime()) return undefined;
  const user = await users.get(directory, session.user);
  if (!isActiveUser(user)) return undefined;
  const { id: credentials, passed } = session;
  return { session, actor: { user, scopes: null, expiresAt: null, credentials, samlProviderIds: passed } };
}
