// Where a token is used from. Its first use from a network that it was not used from before is an audit event. The
// networks stand in the token's record, so the usual request reads nothing more.

import type { RequestSource } from "../../../audit/event";
import type { JobContext } from "../../../jobs/jobs";
import type { Actor } from "../../../operation/actor";
import { DIRECTORY } from "../../../storage/ids";
import { auditUser } from "../audit/note";
import { tokens } from "./records";

/** The most networks of a token that are remembered. The oldest is forgotten, and would be new again. */
const MOST_PLACES = 32;
/** How long a token has no second new place, as far as this process remembers. */
const PAUSE_MS = 60_000;
const MOST_REMEMBERED = 1000;

/** Notes where tokens are used from. */
export type NoticePlace = (actor: Actor, from: RequestSource) => Promise<void>;

export function createNoticePlace(work: JobContext): NoticePlace {
  const noticed = new Map<string, number>();
  return async (actor, from) => {
    const { usedNetworks: places, credentials: id } = actor;
    const place = from.address === undefined ? undefined : networkOf(from.address);
    if (!places || place === undefined || places.includes(place)) return;
    const now = work.store.now().getTime();
    if (now - (noticed.get(id) ?? 0) < PAUSE_MS) return;
    if (noticed.size >= MOST_REMEMBERED) noticed.clear();
    noticed.set(id, now);
    await work.store
      .write(DIRECTORY, async (tx) => {
        const token = await tokens.find(tx, "id", id);
        if (!token || token.places?.includes(place)) return;
        await tokens.put(tx, { ...token, places: [...(token.places ?? []), place].slice(-MOST_PLACES) });
        const user = { type: "user" as const, id: token.user };
        const used = { type: "token", id };
        auditUser(work, tx, token.user, {
          ...{ action: "tokenUsedFromNewPlace", actor: user, credential: used, things: [used], from },
        });
      })
      // Whoever may use the token may use it also when this cannot be written down.
      .catch(work.onError);
  };
}

/** The network of an address: the first three numbers of an IPv4 address, the first three groups of an IPv6 address. */
export function networkOf(address: string): string | undefined {
  const [, v4] = address.match(/^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i) ?? [];
  if (v4 !== undefined) return v4;
  if (!/^[0-9a-f:.]{2,45}(?:%.*)?$/i.test(address)) return undefined;
  const [head = ""] = address.toLowerCase().split("::");
  return `${[...head.split(":"), "0", "0", "0"].slice(0, 3).join(":")}:`;
}
