// Reads pages and exports of an audit log. The module is loaded by the first request for one.

import type * as v from "valibot";
import type { AuditEvent as Event } from "../../../audit/event";
import {
  type AuditFilter,
  countEvents,
  hasFilter,
  type PositionedEvent,
  readChainedEvents,
  readEvents,
} from "../../../audit/read";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import type { AuditEvent } from "./schema";

/** With a filter, counting stops here. Nobody needs an exact larger number. */
const MAX_FILTERED_COUNT = 10_000;

export async function paginateAuditLog(
  tx: Reader,
  partition: string,
  filter: AuditFilter,
  reverse: boolean,
  { after, limit }: PageRequest,
): Promise<PageOfItems<v.InferOutput<typeof AuditEvent>>> {
  const found: PositionedEvent[] = [];
  for await (const placed of readEvents(tx, partition, filter, { reverse, after, most: limit + 1 })) {
    found.push(placed);
    if (found.length > limit) break;
  }

  let count = 0;
  if (!hasFilter(filter)) count = await countEvents(tx);
  else
    for await (const _ of readEvents(tx, partition, filter, { reverse: true }))
      if (++count === MAX_FILTERED_COUNT) break;

  const pageEvents = found.slice(0, limit);
  return {
    items: pageEvents.map(({ event }) => presentAuditEvent(event)),
    lastPosition: found.length > limit ? pageEvents.at(-1)!.position : undefined,
    count,
  };
}

/** Returns the event with an id, unless it was deleted. The newest events are read first. */
export async function findAuditEvent(
  tx: Reader,
  partition: string,
  id: string,
): Promise<v.InferOutput<typeof AuditEvent> | undefined> {
  for await (const { event } of readEvents(tx, partition, { id }, { reverse: true })) return presentAuditEvent(event);
  return undefined;
}

/** Generates the events that pass a filter, with their hashes. */
export async function* generateAuditLines(tx: Reader, partition: string, filter: AuditFilter): AsyncGenerator<object> {
  for await (const { event, before, hash } of readChainedEvents(tx, partition, filter))
    yield { ...presentAuditEvent(event), previousHash: before, hash };
}

export function presentAuditEvent({ id, time, ...event }: Event): v.InferOutput<typeof AuditEvent> {
  type WireEvent = v.InferOutput<typeof AuditEvent>;
  const { action, operation, status, actor, credential, from, things, made, changes, isChanged } = event;
  return {
    object: "audit-event",
    id,
    createdAt: new Date(time).toISOString(),
    action,
    ...omitUndefined({ operation: operation || undefined }),
    status: status!,
    actor: actor as WireEvent["actor"],
    ...omitUndefined({
      credential: (credential as WireEvent["actor"]) || undefined,
      from: (from as { address?: string; userAgent?: string }) || undefined,
    }),
    things: things as WireEvent["things"],
    made: made as WireEvent["things"],
    changes: changes as WireEvent["changes"],
    ...omitUndefined({ isChanged: isChanged || undefined }),
  };
}
