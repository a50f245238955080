// Records the networks from which tokens are used. The first use from a new network is an audit event. The networks are stored
// in the token's record, so the usual request reads nothing more.

import type { RequestSource } from "../../../audit/event";
import type { JobContext } from "../../../jobs/jobs";
import type { Actor } from "../../../operation/actor";
import { DIRECTORY } from "../../../storage/ids";
import { recordUserAuditEvent } from "../audit/record-event";
import { tokens } from "./records";

/** The most networks that are stored for a token. The oldest is dropped, and would be new again. */
const MAX_NETWORKS = 32;
/** The time for which this process records no second new network of a token. */
const PAUSE_MS = 60_000;
const MAX_REMEMBERED_TOKENS = 1000;

export type RecordTokenNetwork = (actor: Actor, from: RequestSource) => Promise<void>;

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
export function getNetwork(address: string): string | undefined {
  const [, v4] = address.match(/^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i) ?? [];
  if (v4 !== undefined) return v4;
  if (!/^[0-9a-f:.]{2,45}(?:%.*)?$/i.test(address)) return undefined;
  const [head = ""] = address.toLowerCase().split("::");
  return `${[...head.split(":"), "0", "0", "0"].slice(0, 3).join(":")}:`;
}
