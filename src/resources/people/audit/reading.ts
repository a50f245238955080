// Pages and exports of an audit log. Loaded when somebody first asks for one.

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
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { streamJsonLines } from "../../../utils/streams";
import type { AuditEvent } from "./schema";

/** With a filter, counting stops here. Nobody needs an exact larger number. */
const MOST_COUNTED = 10_000;

/** One page of the events that pass a filter. */
export async function pageOfLog(
  view: Reader,
  partition: string,
  filter: AuditFilter,
  reverse: boolean,
  pageRequest: PageRequest,
): Promise<PageOfItems<v.InferOutput<typeof AuditEvent>>> {
  const found: PositionedEvent[] = [];
  const way = { reverse, after: pageRequest.after, most: pageRequest.limit + 1 };
  for await (const placed of readEvents(view, partition, filter, way)) {
    found.push(placed);
    if (found.length > pageRequest.limit) break;
  }
  const shown = found.slice(0, pageRequest.limit);
  return {
    items: shown.map(({ event }) => eventView(event)),
    lastPosition: found.length > pageRequest.limit ? shown.at(-1)!.position : undefined,
    count: hasFilter(filter) ? await counted(view, partition, filter) : await countEvents(view),
  };
}

async function counted(view: Reader, partition: string, filter: AuditFilter): Promise<number> {
  let count = 0;
  for await (const _ of readEvents(view, partition, filter, { reverse: true })) if (++count === MOST_COUNTED) break;
  return count;
}

/** The events that pass a filter, as lines of JSON with their hashes. */
export function exported(view: Reader, partition: string, filter: AuditFilter): ReadableStream<Uint8Array> {
  return streamJsonLines(lines(view, partition, filter), yieldToEventLoop);
}

async function* lines(view: Reader, partition: string, filter: AuditFilter) {
  for await (const { event, before, hash } of readChainedEvents(view, partition, filter))
    yield { ...eventView(event), previousHash: before, hash };
}

/** An event on the wire. */
export function eventView({ id, time, ...event }: Event): v.InferOutput<typeof AuditEvent> {
  const { action, operation, status, actor, credential, from, things, made, changes, isChanged } = event;
  return {
    object: "audit-event",
    id,
    createdAt: new Date(time).toISOString(),
    action,
    ...omitUndefined({ operation: operation ? operation : undefined }),
    status: status!,
    actor: actor as v.InferOutput<typeof AuditEvent>["actor"],
    ...omitUndefined({
      credential: credential ? (credential as v.InferOutput<typeof AuditEvent>["actor"]) : undefined,
      from: from ? (from as { address?: string; userAgent?: string }) : undefined,
    }),
    things: things as v.InferOutput<typeof AuditEvent>["things"],
    made: made as v.InferOutput<typeof AuditEvent>["things"],
    changes: changes as v.InferOutput<typeof AuditEvent>["changes"],
    ...omitUndefined({ isChanged: isChanged ? isChanged : undefined }),
  };
}
