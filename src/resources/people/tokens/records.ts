// API tokens, in the directory. Only the SHA-256 of a token is stored, as the key of its record, so identifying a
// caller is one lookup without a comparison.

import type { Actor } from "../../../operation/actor";
import { generateRandomText, type Random } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { sha256Hex } from "../../../utils/sha256";
import { isActiveUser, users } from "../users/records";

export type TokenRecord = {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  readonly label: string;
  /** Null allows everything that the user may do. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** The SAML providers that vouched for the session in which it was created; undefined if it was created in none. */
  readonly passed?: readonly string[];
  /** The grant of a token that a tool got by OAuth: see `src/sign-in/oauth`. */
  readonly tool?: ToolGrant;
  /** The networks from which it was used. */
  readonly places?: readonly string[];
};

/** The grant to a tool. The token is replaced under the same id whenever the tool requests a new one. */
export type ToolGrant = {
  /** The SHA-256 of the tool's id. */
  readonly client: string;
  /** The SHA-256 of the common prefix of all refresh tokens of this grant. */
  readonly family: string;
  /** The SHA-256 of the valid refresh token. All others of the family were used before. */
  readonly refresh: string;
  /** The time at which the grant ends if it is not used again. */
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

/** Generates the value of a token: 160 random bits, after a prefix that scanners for leaked secrets can look for. */
export function generateTokenValue(random: Random): string {
  return `octavo_${generateRandomText(random, 32)}`;
}

/** Returns the caller of a token, or undefined if it is unknown or expired. */
export async function findActorByToken(directory: Reader, value: string, now: Date): Promise<Actor | undefined> {
  const token = await tokens.get(directory, sha256Hex(value));
  if (!token || isExpired(token, now)) return undefined;
  const user = await users.get(directory, token.user);
  if (!isActiveUser(user)) return undefined;
  const { id: credentials, scopes, expiresAt, passed, places = [] } = token;
  return { user, scopes, expiresAt, credentials, samlProviderIds: passed, usedNetworks: places };
}

export function isExpired({ expiresAt }: Pick<Actor, "expiresAt">, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now.toISOString();
}
