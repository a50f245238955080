// API tokens, in the directory. Only the SHA-256 of a token is stored, as the key of its record, so identifying a
// caller is one lookup without a comparison.

import type { RequestSource } from "../../../audit/event";
import type { JobContext } from "../../../jobs/jobs";
import type { Actor } from "../../../operation/actor";
import { DIRECTORY, generateRandomText, type Random } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { sha256Hex } from "../../../utils/sha256";
import { recordUserAuditEvent } from "../audit/record-event";
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
type ToolGrant = {
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

/** The most networks that are stored for a token. The oldest is dropped, and would be new again. */
const MAX_NETWORKS = 32;
/** The time for which this process records no second new network of a token. */
const PAUSE_MS = 60_000;
const MAX_REMEMBERED_TOKENS = 1000;

type RecordTokenNetwork = (actor: Actor, from: RequestSource) => Promise<void>;

export function createTokenNetworkRecorder(jobContext: JobContext): RecordTokenNetwork {
  const recordedAt = new Map<string, number>();
  return async ({ usedNetworks, credentials: tokenId }, from) => {
    const network = from.address === undefined ? undefined : getNetwork(from.address);
    if (!usedNetworks || network === undefined || usedNetworks.includes(network)) return;
    const now = jobContext.store.now().getTime();
    if (now - (recordedAt.get(tokenId) ?? 0) < PAUSE_MS) return;
    if (recordedAt.size >= MAX_REMEMBERED_TOKENS) recordedAt.clear();
    recordedAt.set(tokenId, now);
    await jobContext.store
      .write(DIRECTORY, async (tx) => {
        const token = await tokens.find(tx, "id", tokenId);
        if (!token || token.places?.includes(network)) return;
        await tokens.put(tx, { ...token, places: [...(token.places ?? []), network].slice(-MAX_NETWORKS) });
        const thing = { type: "token", id: tokenId };
        recordUserAuditEvent(jobContext, tx, token.user, {
          action: "tokenUsedFromNewPlace",
          actor: { type: "user", id: token.user },
          credential: thing,
          things: [thing],
          from,
        });
      })
      // The token may be used even if this cannot be stored.
      .catch(jobContext.onError);
  };
}

/** Returns the network of an IP address: the first three numbers of IPv4, the first three groups of IPv6. */
function getNetwork(address: string): string | undefined {
  const [, v4] = address.match(/^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i) ?? [];
  if (v4 !== undefined) return v4;
  if (!/^[0-9a-f:.]{2,45}(?:%.*)?$/i.test(address)) return undefined;
  const [head = ""] = address.toLowerCase().split("::");
  return `${[...head.split(":"), "0", "0", "0"].slice(0, 3).join(":")}:`;
}
