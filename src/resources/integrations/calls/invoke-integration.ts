// Invokes an integration while somebody waits: for a component to render, a request to pass on, content to compute. Each call is
// made once, and recorded like an event for those who run the integration.

import { DocsError } from "../../../errors";
import { generateId, getPartitionRef } from "../../../storage/ids";
import type { Store } from "../../../storage/store";
import { processInCommits } from "../../../storage/transaction-budget";
import { omitUndefined } from "../../../utils/objects";
import { storeInvocationRecord } from "../delivery/queue-records";
import type { EventPayload, EventRecord } from "../records";
import type { Invocation, InvocationContext, InvocationOutcome } from "./invocation";
import { sendEvent } from "./send-event";

/** Invokes an integration. An invalid response counts as none. An integration that is too busy gives 503. */
export async function invokeAndRecord(context: InvocationContext, invocation: Invocation): Promise<InvocationOutcome> {
  const { integration, origin, body, findFault } = invocation;
  const { partition: owner, code } = getPartitionRef(integration.organization);
  const event = {
    eventId: generateId("call", code, context.store.random),
    ...omitUndefined({ installationId: origin?.installation.id }),
    ...invocation.event,
  } as unknown as EventPayload;
  const invokedAt = context.store.now();
  const sent = await sendEvent(context, integration, event, origin, body);
  // A call that was not made is not recorded, because anybody can invoke an integration as often as they like.
  if (sent.error !== undefined && sent.isBusy)
    throw new DocsError("integration_busy", { headers: { "retry-after": "5" } });
  const fault = sent.answer && findFault?.(sent.answer);
  const outcome: InvocationOutcome = fault === undefined ? sent : { error: fault, retry: "never", logs: sent.logs };

  // Input of people and of other hosts goes to the integration, but into no record.
  const { props: _, state: __, location: ___, action, request, ...payload } = event;
  const { method, url } = (request ?? {}) as unknown as { readonly method: string; readonly url: string };
  const { error, answer, logs } = outcome;
  const at = invokedAt.toISOString();
  const record: EventRecord = {
    id: payload.eventId,
    definition: integration.id,
    integration: integration.name,
    installation: origin?.installation.id ?? null,
    organization: origin?.installation.organization ?? integration.organization,
    createdAt: at,
    payload: {
      ...payload,
      ...omitUndefined({
        action: action === undefined ? undefined : { action: (action as { readonly action: string }).action },
        request: request === undefined ? undefined : { method, url: url.replace(/[?#].*/s, "") },
      }),
    },
    status: answer && answer.status < 500 ? "success" : "failed",
    isOpen: false,
    isCall: true,
    attempts: [answer ? { at, status: answer.status } : { at, error: error! }],
    logs,
  };
  // The caller gets the response even if the call could not be recorded.
  const recorded = recordInvocation(context.store, owner, record).catch(context.onError);
  if (context.waitUntil) context.waitUntil(recorded);
  else await recorded;
  return outcome;
}

/** The most records that wait for the next commit. */
const MAX_PENDING = 500;

/** Records that wait to be stored. `done` resolves when all of them are. */
interface PendingRecords {
  readonly records: EventRecord[];
  readonly done: Promise<void>;
}

const pendingByStore = new WeakMap<Store, Map<string, PendingRecords>>();

/**
 * Records a call in the partition of the integration's owner. Resolves when the record is stored or dropped. Anybody may cause
 * records, as often as they like. So many of them share a commit, and when they come faster than the storage takes them, some are
 * dropped.
 */
async function recordInvocation(store: Store, owner: string, record: EventRecord): Promise<void> {
  const pendingByOwner = pendingByStore.get(store) ?? new Map<string, PendingRecords>();
  pendingByStore.set(store, pendingByOwner);
  const pending = pendingByOwner.get(owner);
  if (pending && pending.records.length >= MAX_PENDING) return;
  if (pending) {
    pending.records.push(record);
    return pending.done;
  }

  const records = [record];
  function* takeOldestFirst(): Generator<EventRecord> {
    while (records.length > 0) yield records.shift()!;
  }
  // The first record is written in the next turn, so that others that come in the meantime share its commit.
  const done = Promise.resolve()
    .then(async () => {
      // More records may come while these are written.
      while (records.length > 0) await processInCommits(store, owner, takeOldestFirst(), storeInvocationRecord);
    })
    .finally(() => pendingByOwner.delete(owner));
  pendingByOwner.set(owner, { records, done });
  return done;
}
