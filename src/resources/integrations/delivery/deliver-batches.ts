// Delivers the events of an installation, one after the other. Several are taken together, and what came of them is written
// down together, so that many events cost few commits. While a receiver does not answer, the first event is tried again with
// growing gaps, and events older than a day are given up.

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

type ToInstallation = { readonly organization: string; readonly installation: string };
type DeliveryStep = QueueJobType<ToInstallation, EventBatch>;

/** Seconds before the next attempt. The last gap repeats. */
const GAPS = [1, 2, 4, 15, 60, 300, 900, 1800, 3600];
/** The most attempts after an error that the script itself may have caused. */
const BRIEFLY = 4;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The most attempts in a record: the first five and the newest. */
const MAX_ATTEMPTS = 40;
/** The most events that are taken together. */
const MOST_TAKEN = 20;
/** How long calls of one taking begin after each other, in milliseconds. What was taken and not begun is taken again. */
const TAKING_MS = 250;
/** The most bytes of records that share a commit with the end of their events. */
const MOST_SHARED_BYTES = 200 * 1024;

/** Delivers the events that were taken, and those behind them. The commit that ends them takes the next, or ends the job. */
export async function deliverEventBatches(
  queue: DeliveryStep,
  lease: Lease<ToInstallation>,
  first: EventBatch,
  end: EndJob,
): Promise<boolean> {
  const { jobContext, place: at } = lease;
  // The environment of an event is read again when this process has changed anything, and a quarter of a second later.
  const calling = { ...jobContext, store: shareSnapshots(jobContext.store) };
  for (let taken: EventBatch | "again" | undefined = first; taken; ) {
    if (taken === "again") return true;
    const present: EventBatch = taken;
    const integration = await findInstalledIntegration(calling, present.state);
    if (!integration) return jobContext.store.write(at.partition, (tx) => forget(lease, tx, present.state));
    const delivered = await deliverAll(calling, at, present);
    const records = delivered.flatMap(({ record }) => (record ? [record] : []));
    const owner = getOrganizationPartition(present.state.owner);
    const isOver = delivered.some((it) => it.isOver);
    const isShared = owner === at.partition && !isOver && sizeOf(records) <= MOST_SHARED_BYTES;
    if (!isShared)
      await processInCommits(jobContext.store, owner, records, (tx, record) =>
        keepRecord(tx, record, jobContext.store.now()),
      );
    if (isOver) await letGo(jobContext, at, integration, present.state);
    taken = await jobContext.store.write(at.partition, async (tx) => {
      if (isShared) for (const record of records) await keepRecord(tx, record, jobContext.store.now());
      const goesOn = await advance(queue, lease, tx, present.state, delivered);
      const next = goesOn ? await queue.takeNext(lease, tx) : undefined;
      if (!next) end(tx);
      return next;
    });
  }
  return false;
}

/** Sends taken events one after the other. It ends with the first that is to be tried again, or may not be told any more. */
async function deliverAll(calling: JobContext, at: PartitionRef, taken: EventBatch): Promise<Delivered[]> {
  const { store } = calling;
  const until = store.clock() + TAKING_MS;
  const all: Delivered[] = [];
  for (const event of taken.events) {
    const integration = await findInstalledIntegration(calling, taken.state);
    let { installation } = taken;
    if (all.length > 0) {
      const view = await store.read(at.partition);
      installation = await installations.get(view, taken.state.id);
      if (!isListening(installation) || !(await mayStillTell(view, installation, event.payload))) break;
    }
    if (!integration || (all.length > 0 && store.clock() >= until)) break;
    const delivered = await deliver(calling, integration, { ...taken, installation }, event);
    all.push(delivered);
    if (!delivered.isDone || delivered.isOver) break;
  }
  return all;
}

/** An event that was sent, or was not to be sent any more. */
interface Delivered extends Conclusion {
  readonly event: QueuedEvent;
  /** What came of it; undefined where nobody was told. */
  readonly record: EventRecord | undefined;
}

/** Sends an event. */
async function deliver(
  calling: JobContext,
  integration: IntegrationRecord,
  { state, installation, isDeadly }: EventBatch,
  event: QueuedEvent,
): Promise<Delivered> {
  const held = installation ? getGrantedScopes(installation, integration) : [];
  if (!canReceiveEvent(held, event.payload.type)) return { event, isDone: true, isOver: false, record: undefined };
  const payload = redactEvent(held, event.payload);
  const { spaceId, siteId } = payload as { readonly spaceId?: string; readonly siteId?: string };
  const within = installation && { installation, spaceId, siteId };
  const outcome: InvocationOutcome = isDeadly
    ? { error: DIED_TOO_OFTEN_MESSAGE, retry: "never", logs: [] }
    : await sendEvent(calling, integration, payload, within);
  const verdict = judge(outcome, event, calling.store.now());
  const record = recordOf(integration, { state, event: { ...event, payload } }, outcome, verdict);
  return { event, record, isDone: verdict.isDone, isOver: verdict.isOver };
}

/** Events that this process has taken, the oldest first. */
export interface EventBatch {
  readonly state: DeliveryRecord;
  readonly events: readonly QueuedEvent[];
  /** Undefined when it was removed. Then only its removal is delivered. */
  readonly installation: InstallationRecord | undefined;
  /** Whether every process that tried the first event before has crashed. */
  readonly isDeadly: boolean;
}

/** Takes the oldest event. Undefined: there is none, or it is not due. `again`: some were dropped, and there are more. */
export async function takeEventBatch(
  { jobContext }: Lease,
  tx: Transaction,
  state: DeliveryRecord | undefined,
  runner: Runner,
): Promise<EventBatch | "again" | undefined> {
  if (!state || (state.retryAt ?? 0) > jobContext.store.now().getTime()) return undefined;
  const { retryAt: _, ...rest } = removeRunner(state);
  const installation = await installations.get(tx, state.id);
  const next = isListening(installation) ? await nextFor(tx, state.id, installation, runner) : undefined;
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
  // The attempt counts even if it ends this process. Of the others it is not known whether they are begun.
  await queuedEvents.put(tx, events[0]!);
  return { state: rest, events, installation, isDeadly: hasDiedTooOften(runner) };
}

/** Whether an installation is told anything at present. One that was removed is told of its removal. */
function isListening(installation: InstallationRecord | undefined): boolean {
  return installation?.status !== "paused";
}

/** The oldest events that may still be delivered. Events before them that may not are dropped. `more`: not all were
 * checked. What may have ended a process before is taken alone. */
async function nextFor(
  tx: Transaction,
  id: string,
  installation: InstallationRecord | undefined,
  { deaths = 0 }: Runner,
): Promise<readonly QueuedEvent[] | "more" | undefined> {
  const rows = await queuedEvents.list(tx, "inOrder", { under: [id], limit: deaths > 0 ? 1 : MOST_TAKEN });
  const found: QueuedEvent[] = [];
  for (const { record } of rows) {
    // Those behind it are looked at when their turn comes.
    if (!(await mayStillTell(tx, installation, record.payload))) break;
    found.push(record);
    // One that has failed before is tried alone.
    if (record.attempts > 0) break;
  }
  if (found.length > 0 || rows.length === 0) return found.length > 0 ? found : undefined;
  let first: QueuedEvent | undefined;
  const hasMore = await queuedEvents.each(tx, "inOrder", [id], async (event) => {
    if (await mayStillTell(tx, installation, event.payload)) first = event;
    else await queuedEvents.delete(tx, id, event.number);
    return first !== undefined;
  });
  return first ? [first] : hasMore ? "more" : undefined;
}

/** A removed installation is told only of its removal. The same holds for a space or site that it is no longer on. */
async function mayStillTell(
  tx: Reader,
  installation: InstallationRecord | undefined,
  { type, ...about }: EventPayload,
): Promise<boolean> {
  if (type === "installation_deleted") return true;
  if (!installation) return false;
  return /_installation_deleted$/.test(type) || canReachPlace(tx, installation, about);
}

/** The result of an attempt. */
interface Verdict {
  readonly attempt: DeliveryAttempt;
  readonly status: "success" | "failed";
  readonly isDone: boolean;
  /** Whether it is given up because it is older than a day. */
  readonly isOver: boolean;
}

/** The part of a verdict that decides what the queue does next. */
type Conclusion = Pick<Verdict, "isDone" | "isOver">;

function judge(outcome: InvocationOutcome, event: QueuedEvent, now: Date): Verdict {
  const at = now.toISOString();
  const isOld = isExpired(event, now);
  if (!outcome.answer) {
    const { error, retry } = outcome;
    const isFinal = retry === "never" || (retry === "briefly" && event.attempts >= BRIEFLY);
    return { attempt: { at, error }, status: "failed", isDone: isFinal || isOld, isOver: !isFinal && isOld };
  }
  const { status } = outcome.answer;
  // 406: the integration does not handle events of this type.
  if ((status >= 200 && status < 300) || status === 406)
    return { attempt: { at, status }, status: "success", isDone: true, isOver: false };
  const mayPass = status === 429 || status >= 500;
  const error = `The receiver answered with ${status}.`;
  return { attempt: { at, status, error }, status: "failed", isDone: !mayPass || isOld, isOver: mayPass && isOld };
}

function isExpired({ createdAt }: QueuedEvent, now: Date): boolean {
  return now.getTime() - Date.parse(createdAt) >= DAY_MS;
}

/** A record of an attempt, without those before it. */
function recordOf(
  integration: IntegrationRecord,
  { state, event }: { readonly state: DeliveryRecord; readonly event: QueuedEvent },
  { logs }: Pick<InvocationOutcome, "logs">,
  { attempt, status, isDone }: Pick<Verdict, "attempt" | "status" | "isDone">,
): EventRecord {
  const { payload, createdAt } = event;
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

/** Stores a record, with the attempts that are known from before. */
async function keepRecord(tx: Transaction, record: EventRecord, now: Date): Promise<void> {
  const known = await eventRecords.get(tx, record.id, record.installation!);
  const attempts = [...(known?.attempts ?? []), ...record.attempts];
  const kept = [...attempts.slice(0, 5), ...attempts.slice(5).slice(5 - MAX_ATTEMPTS)];
  await storeEventRecord(tx, { ...record, attempts: kept }, now);
}

/** Removes finished events, or schedules another attempt. True: the next event can be taken at once. */
async function advance(
  queue: DeliveryStep,
  lease: Lease<ToInstallation>,
  tx: Transaction,
  state: DeliveryRecord,
  delivered: readonly Delivered[],
): Promise<boolean> {
  const { jobContext, place: at, payload } = lease;
  const present = await deliveries.get(tx, state.id);
  if (!hasLease(lease, present)) return false;
  for (const { event, isDone } of delivered)
    if (isDone) await queuedEvents.delete(tx, event.installation, event.number);
  const last = delivered.at(-1);
  if (!last || (last.isDone && !last.isOver)) {
    await deliveries.put(tx, { ...removeRunner(present), failures: 0 });
    return true;
  }
  if (!last.isDone) await queuedEvents.put(tx, last.event);
  const failures = present.failures + 1;
  const retryAt = jobContext.store.now().getTime() + GAPS[Math.min(failures, GAPS.length) - 1]! * 1000;
  await deliveries.put(tx, { ...removeRunner(present), failures, retryAt });
  enqueueJob(jobContext, at, tx, queue, payload, new Date(retryAt));
  return false;
}

/** Drops events that have waited for more than a day behind one that could not be delivered, and records that. */
async function letGo(
  work: JobContext,
  at: PartitionRef,
  integration: IntegrationRecord,
  state: DeliveryRecord,
): Promise<void> {
  const now = work.store.now();
  const verdict = {
    attempt: { at: now.toISOString(), error: "The receiver was away for more than a day." },
    status: "failed",
    isDone: true,
  } as const;
  const owner = getOrganizationPartition(state.owner);
  const view = await work.store.read(at.partition);
  async function* gone() {
    const waiting = iterateRows((slice) => queuedEvents.list(view, "inOrder", { under: [state.id], ...slice }));
    for await (const { record: event } of waiting) {
      if (!isExpired(event, now)) return;
      const record = recordOf(integration, { state, event }, { logs: [] }, verdict);
      await work.store.write(owner, (tx) => keepRecord(tx, record, now));
      yield event;
    }
  }
  await processInCommits(work.store, at.partition, gone(), (tx, { installation, number }) =>
    queuedEvents.delete(tx, installation, number),
  );
}

/** Drops the events for an integration that was taken back. True: there are more. */
async function forget(lease: Lease, tx: Transaction, { id }: DeliveryRecord): Promise<boolean> {
  const present = await deliveries.get(tx, id);
  if (!hasLease(lease, present)) return false;
  const hasMore = await queuedEvents.drain(tx, "inOrder", [id]);
  if (hasMore) await deliveries.put(tx, removeRunner(present));
  else await deliveries.delete(tx, id);
  return hasMore;
}

/** About how many bytes records take in a commit. */
function sizeOf(records: readonly EventRecord[]): number {
  return records.reduce((sum, record) => sum + JSON.stringify(record).length, 0);
}
