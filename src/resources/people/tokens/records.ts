// API tokens, in the directory. Only the SHA-256 of a token is stored, as the key of its record, so identifying a
// caller is one lookup without a comparison.

import type { Actor } from "../../../operation/actor";
import { generateRandomText, type Random } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import { hashFingerprint } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { isActive, users } from "../users/records";

export type TokenRecord = {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  readonly label: string;
  /** Null: whatever the user may do. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** The SAML providers that vouched for the session in which it was made; undefined: it was made in none. */
  readonly passed?: readonly string[];
  /** Of a token that a tool got by OAuth, and gets anew: see `src/sign-in/oauth`. */
  readonly tool?: ToolGrant;
  /** The networks that it was used from. */
  readonly places?: readonly string[];
};

/** What a tool was allowed. The token is replaced whenever the tool asks for a new one, under the same id. */
export type ToolGrant = {
  /** The SHA-256 of the id of the tool. */
  readonly client: string;
  /** The SHA-256 of what all refresh tokens of this grant begin with. */
  readonly family: string;
  /** The SHA-256 of the refresh token that is valid now. Every other one of the family was used before. */
  readonly refresh: string;
  /** When the grant ends, if it is not used again. */
  readonly endsAt: string;
};

export const tokens = defineRecordSet("token", {
  key: (token: TokenRecord) => [token.hash],
  indexes: {
    ofUser: (token) => [token.user, token.createdAt, token.id],
    endsAt: (token) => (token.tool ? [token.tool.endsAt] : undefined),
  },
  unique: {
    id: (token) => [token.id],
    family: (token) => (token.tool ? [token.tool.family] : undefined),
  },
  totals: { ofUser: (token) => [token.user] },
});

/** A new secret: 160 bits, with a prefix that scanners for leaked secrets can look for. */
export function newTokenValue(random: Random): string {
  return `octavo_${generateRandomText(random, 32)}`;
}

/** The caller of a token; undefined when it is unknown or expired. */
export async function actorOf(directory: Reader, value: string, now: Date): Promise<Actor | undefined> {
  const token = await tokens.get(directory, hashFingerprint(value));
  if (!token || isOver(token, now)) return undefined;
  const user = await users.get(directory, token.user);
  const { id: credentials, scopes, expiresAt, passed, places = [] } = token;
  return isActive(user)
    ? { user, scopes, expiresAt, credentials, samlProviderIds: passed, usedNetworks: places }
    : undefined;
}

/** Whether credentials have expired. */
export function isOver({ expiresAt }: Pick<Actor, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now.toISOString();
}
