// Delivers the events of an installation in order and in batches. The outcomes of a batch are committed together, so many
// events cost few commits; after a crash, the events of one batch may be sent again. While a receiver does not respond, the
// first event is retried with growing delays, and events older than a day are given up.

import { type EndJob, enqueueJob, type JobContext } from "../../../jobs/jobs";
import {
  DIED_TOO_OFTEN_MESSAGE,
  hasDiedTooOften,
  hasLease,
  type Lease,
  type QueueJobType,
  type Runner,
  removeRunner,
} from "../../../jobs/leased-queue";
import { iterateRows } from "../../../operation/pagination";
import { getOrganizationPartition, type PartitionRef } from "../../../storage/ids";
import { shareSnapshots } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { processInCommits } from "../../../storage/transaction-budget";
import type { InvocationOutcome } from "../calls/invocation";
import { findInstalledIntegration, sendEvent } from "../calls/send-event";
import { getGrantedScopes } from "../installations/agreed-scopes";
import {
  type DeliveryAttempt,
  type DeliveryRecord,
  deliveries,
  type EventPayload,
  type EventRecord,
  eventRecords,
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  type QueuedEvent,
  queuedEvents,
  storeEventRecord,
} from "../records";
import { canReachPlace, canReceiveEvent, redactEvent } from "./event-access";
import type { DeliveryPayload, EventBatch } from "./queue-records";

/** Seconds before the next attempt. The last delay repeats. */
const RETRY_DELAYS = [1, 2, 4, 15, 60, 300, 900, 1800, 3600];
/** The most attempts after an error that the script itself may have caused. */
const MAX_SCRIPT_ERROR_ATTEMPTS = 4;
const MAX_EVENT_AGE_MS = 24 * 60 * 60 * 1000;
/** The most attempts in a record: the first five and the newest. */
const MAX_ATTEMPTS = 40;
const MAX_BATCH_EVENTS = 20;
/** No call of a batch begins later than this many milliseconds after the first. The remaining events are taken again. */
const MAX_BATCH_MS = 250;
/** The most bytes of records that are committed together with the removal of their events from the queue. */
const MAX_SHARED_BYTES = 200 * 1024;

interface AttemptResult {
  readonly attempt: DeliveryAttempt;
  readonly status: "success" | "failed";
  readonly isDone: boolean;
  /** True if the event is given up because it is older than a day. */
  readonly isGivenUp: boolean;
}

/** An event that was sent, or that may not be sent any more. */
interface DeliveryResult extends Pick<AttemptResult, "isDone" | "isGivenUp"> {
  readonly event: QueuedEvent;
  /** The outcome to record; undefined if the event was not sent. */
  readonly record: EventRecord | undefined;
}

/** Delivers batches; the commit that stores the outcomes of one takes the next. Returns true if there may be more. */
export async function deliverEventBatches(
  queue: QueueJobType<DeliveryPayload, EventBatch>,
  lease: Lease<DeliveryPayload>,
  firstBatch: EventBatch,
  endJob: EndJob,
): Promise<boolean> {
  const { jobContext, place } = lease;
  const { store } = jobContext;
  // The environment of an event is read again when this process has changed anything, and a quarter of a second later.
  const batchContext = { ...jobContext, store: shareSnapshots(store) };
  for (let next: EventBatch | "again" | undefined = firstBatch; next; ) {
    if (next === "again") return true;
    const batch: EventBatch = next;
    const { state } = batch;
    const integration = await findInstalledIntegration(batchContext, state);
    if (!integration) {
      // The integration was unpublished, so its events are dropped.
      return store.write(place.partition, async (tx) => {
        const current = await deliveries.get(tx, state.id);
        if (!hasLease(lease, current)) return false;
        const hasMore = await queuedEvents.drain(tx, "inOrder", [state.id]);
        if (hasMore) await deliveries.put(tx, removeRunner(current));
        else await deliveries.delete(tx, state.id);
        return hasMore;
      });
    }

    const results = await deliverBatch(batchContext, place, batch);
    const records = results.flatMap(({ record }) => (record ? [record] : []));
    const isGivenUp = results.some((result) => result.isGivenUp);
    const owner = getOrganizationPartition(state.owner);
    const recordBytes = records.reduce((sum, record) => sum + JSON.stringify(record).length, 0);
    const sharesCommit = owner === place.partition && !isGivenUp && recordBytes <= MAX_SHARED_BYTES;
    if (!sharesCommit)
      await processInCommits(store, owner, records, (tx, record) => appendAttempts(tx, record, store.now()));
    if (isGivenUp) await dropExpiredEvents(jobContext, place, integration, state);
    next = await store.write(place.partition, async (tx) => {
      if (sharesCommit) for (const record of records) await appendAttempts(tx, record, store.now());
      const current = await deliveries.get(tx, state.id);
      let canContinue = false;
      if (hasLease(lease, current)) {
        // Finished events leave the queue. If the last one isn't finished, or was given up, another attempt is scheduled.
        for (const { event, isDone } of results)
          if (isDone) await queuedEvents.delete(tx, event.installation, event.number);
        const last = results.at(-1);
        canContinue = !last || (last.isDone && !last.isGivenUp);
        if (canContinue) await deliveries.put(tx, { ...removeRunner(current), failures: 0 });
        else {
          if (!last!.isDone) await queuedEvents.put(tx, last!.event);
          const failures = current.failures + 1;
          const delay = RETRY_DELAYS[Math.min(failures, RETRY_DELAYS.length) - 1]!;
          const retryAt = store.now().getTime() + delay * 1000;
          await deliveries.put(tx, { ...removeRunner(current), failures, retryAt });
          enqueueJob(jobContext, place, tx, queue, lease.payload, new Date(retryAt));
        }
      }
      const following = canContinue ? await queue.takeNext(lease, tx) : undefined;
      if (!following) endJob(tx);
      return following;
    });
  }
  return false;
}

/** Sends the events of a batch. Stops at the first that must be retried, or that may not be delivered any more. */
async function deliverBatch(
  batchContext: JobContext,
  place: PartitionRef,
  batch: EventBatch,
): Promise<DeliveryResult[]> {
  const { store } = batchContext;
  const { state } = batch;
  const deadline = store.clock() + MAX_BATCH_MS;
  const results: DeliveryResult[] = [];
  for (const event of batch.events) {
    const integration = await findInstalledIntegration(batchContext, state);
    let { installation } = batch;
    if (results.length > 0) {
      const view = await store.read(place.partition);
      installation = await installations.get(view, state.id);
      if (installation?.status === "paused" || !(await isStillDeliverable(view, installation, event.payload))) break;
    }
    if (!integration || (results.length > 0 && store.clock() >= deadline)) break;

    const scopes = installation ? getGrantedScopes(installation, integration) : [];
    if (!canReceiveEvent(scopes, event.payload.type)) {
      results.push({ event, isDone: true, isGivenUp: false, record: undefined });
      continue;
    }
    const payload = redactEvent(scopes, event.payload);
    const { spaceId, siteId } = payload as { readonly spaceId?: string; readonly siteId?: string };
    const origin = installation && { installation, spaceId, siteId };
    const outcome: InvocationOutcome = batch.isDeadly
      ? { error: DIED_TOO_OFTEN_MESSAGE, retry: "never", logs: [] }
      : await sendEvent(batchContext, integration, payload, origin);
    const now = store.now();
    const at = now.toISOString();
    const isOld = now.getTime() - Date.parse(event.createdAt) >= MAX_EVENT_AGE_MS;
    let result: AttemptResult;
    if (!outcome.answer) {
      const { error, retry } = outcome;
      const isFinal = retry === "never" || (retry === "briefly" && event.attempts >= MAX_SCRIPT_ERROR_ATTEMPTS);
      result = { attempt: { at, error }, status: "failed", isDone: isFinal || isOld, isGivenUp: !isFinal && isOld };
    } else {
      const { status } = outcome.answer;
      // 406: the integration does not handle events of this type.
      if ((status >= 200 && status < 300) || status === 406)
        result = { attempt: { at, status }, status: "success", isDone: true, isGivenUp: false };
      else {
        const isTemporary = status === 429 || status >= 500;
        const attempt = { at, status, error: `The receiver returned the status ${status}.` };
        result = { attempt, status: "failed", isDone: !isTemporary || isOld, isGivenUp: isTemporary && isOld };
      }
    }
    const { isDone, isGivenUp } = result;
    const record = createEventRecord(integration, state, { ...event, payload }, { ...result, logs: outcome.logs });
    results.push({ event, record, isDone, isGivenUp });
    if (!isDone || isGivenUp) break;
  }
  return results;
}

/** Takes the oldest events: undefined if none are due, `again` if some were dropped and there are more. */
export async function takeEventBatch(
  { jobContext }: Lease,
  tx: Transaction,
  state: DeliveryRecord | undefined,
  runner: Runner,
): Promise<EventBatch | "again" | undefined> {
  if (!state || (state.retryAt ?? 0) > jobContext.store.now().getTime()) return undefined;
  const { retryAt: _, ...rest } = removeRunner(state);
  const installation = await installations.get(tx, state.id);
  const isPaused = installation?.status === "paused";
  const next = isPaused ? undefined : await selectNextEvents(tx, state.id, installation, runner);
  if (!next) {
    if (!installation) await deliveries.delete(tx, state.id);
    else if (state.runner || state.retryAt !== undefined) await deliveries.put(tx, rest);
    return undefined;
  }
  if (next === "more") {
    await deliveries.put(tx, rest);
    return "again";
  }
  await deliveries.put(tx, { ...rest, runner });
  const events = next.map((event) => ({ ...event, attempts: event.attempts + 1 }));
  // The attempt counts even if it ends this process. It is not known whether the attempts of the others begin.
  await queuedEvents.put(tx, events[0]!);
  return { state: rest, events, installation, isDeadly: hasDiedTooOften(runner) };
}

/**
 * Returns the oldest events that may still be delivered, and drops the events before them that may not. Returns `more` if not all
 * were checked. An event that may have ended a process before is returned alone.
 */
async function selectNextEvents(
  tx: Transaction,
  id: string,
  installation: InstallationRecord | undefined,
  { deaths = 0 }: Runner,
): Promise<readonly QueuedEvent[] | "more" | undefined> {
  const rows = await queuedEvents.list(tx, "inOrder", { under: [id], limit: deaths > 0 ? 1 : MAX_BATCH_EVENTS });
  const selected: QueuedEvent[] = [];
  for (const { record } of rows) {
    // The events behind it are checked when their turn comes.
    if (!(await isStillDeliverable(tx, installation, record.payload))) break;
    selected.push(record);
    // An event that has failed before is tried alone.
    if (record.attempts > 0) break;
  }
  if (selected.length > 0 || rows.length === 0) return selected.length > 0 ? selected : undefined;
  let first: QueuedEvent | undefined;
  const hasMore = await queuedEvents.each(tx, "inOrder", [id], async (event) => {
    if (await isStillDeliverable(tx, installation, event.payload)) first = event;
    else await queuedEvents.delete(tx, id, event.number);
    return first !== undefined;
  });
  return first ? [first] : hasMore ? "more" : undefined;
}

/** Returns true if an event may still be delivered. Who was removed from a place receives only the removal. */
async function isStillDeliverable(
  tx: Reader,
  installation: InstallationRecord | undefined,
  { type, ...about }: EventPayload,
): Promise<boolean> {
  if (type === "installation_deleted") return true;
  if (!installation) return false;
  return /_installation_deleted$/.test(type) || canReachPlace(tx, installation, about);
}

/** Creates the record of one attempt. `appendAttempts` adds it to the attempts before it. */
function createEventRecord(
  integration: IntegrationRecord,
  state: DeliveryRecord,
  { payload, createdAt }: QueuedEvent,
  { attempt, status, isDone, logs }: Omit<AttemptResult, "isGivenUp"> & Pick<InvocationOutcome, "logs">,
): EventRecord {
  return {
    id: payload.eventId,
    definition: integration.id,
    integration: integration.name,
    installation: state.id,
    organization: state.organization,
    createdAt,
    payload,
    status,
    isOpen: !isDone,
    attempts: [attempt],
    logs,
  };
}

/** Stores a record, with the attempts of the stored one before its own. */
async function appendAttempts(tx: Transaction, record: EventRecord, now: Date): Promise<void> {
  const stored = await eventRecords.get(tx, record.id, record.installation!);
  const attempts = [...(stored?.attempts ?? []), ...record.attempts];
  const retained = [...attempts.slice(0, 5), ...attempts.slice(5).slice(5 - MAX_ATTEMPTS)];
  await storeEventRecord(tx, { ...record, attempts: retained }, now);
}

/** Drops the events that have waited for more than a day behind one that could not be delivered, and records that. */
async function dropExpiredEvents(
  { store }: JobContext,
  place: PartitionRef,
  integration: IntegrationRecord,
  state: DeliveryRecord,
): Promise<void> {
  const now = store.now();
  const attempt = { at: now.toISOString(), error: "The receiver was unavailable for more than a day." };
  const owner = getOrganizationPartition(state.owner);
  const view = await store.read(place.partition);
  async function* recordExpiredEvents() {
    const rows = iterateRows((slice) => queuedEvents.list(view, "inOrder", { under: [state.id], ...slice }));
    for await (const { record: event } of rows) {
      if (now.getTime() - Date.parse(event.createdAt) < MAX_EVENT_AGE_MS) return;
      const result = { attempt, status: "failed", isDone: true, logs: [] } as const;
      const record = createEventRecord(integration, state, event, result);
      await store.write(owner, (tx) => appendAttempts(tx, record, now));
      yield event;
    }
  }
  await processInCommits(store, place.partition, recordExpiredEvents(), (tx, { installation, number }) =>
    queuedEvents.delete(tx, installation, number),
  );
}
