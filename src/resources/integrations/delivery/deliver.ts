// Delivers the events of an installation, one at a time. While a receiver does not answer, the first event is tried again with
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
import { getOrganizationPartition, type Place } from "../../../storage/ids";
import { inSteps } from "../../../storage/room";
import type { Transaction } from "../../../storage/transaction";
import { callIntegration, integrationOf } from "../calls/call";
import type { Outcome } from "../calls/question";
import { heldScopes } from "../installations/agreed-scopes";
import {
  type Attempt,
  type DeliveryRecord,
  deliveries,
  type EventPayload,
  eventRecords,
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  keepEvent,
  type QueuedEvent,
  queuedEvents,
} from "../records";
import { asTold, mayHear, reaches } from "./reach";

type ToInstallation = { readonly organization: string; readonly installation: string };
type DeliveryStep = QueueJobType<ToInstallation, Taken>;

/** Seconds before the next attempt. The last gap repeats. */
const GAPS = [1, 2, 4, 15, 60, 300, 900, 1800, 3600];
/** The most attempts after an error that the script itself may have caused. */
const BRIEFLY = 4;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The most attempts in a record: the first five and the newest. */
const MAX_ATTEMPTS = 40;

/** Delivers the event that was taken, and those behind it. The commit that ends one event takes the next, or ends the job. */
export async function deliverFrom(
  queue: DeliveryStep,
  lease: Lease<ToInstallation>,
  first: Taken,
  end: EndJob,
): Promise<boolean> {
  const { jobContext, place: at } = lease;
  for (let taken: Taken | "again" | undefined = first; taken; ) {
    if (taken === "again") return true;
    const present: Taken = taken;
    const integration = await integrationOf(jobContext, present.state);
    if (!integration) return jobContext.store.write(at.partition, (tx) => forget(lease, tx, present.state));
    const verdict = await deliver(jobContext, at, integration, present);
    taken = await jobContext.store.write(at.partition, async (tx) => {
      const goesOn = await advance(queue, lease, tx, present, verdict);
      const next = goesOn ? await queue.takeNext(lease, tx) : undefined;
      if (!next) end(tx);
      return next;
    });
  }
  return false;
}

/** Sends a taken event, and records the outcome. */
async function deliver(work: JobContext, at: Place, integration: IntegrationRecord, taken: Taken): Promise<Conclusion> {
  const { state, event, installation } = taken;
  const held = installation ? heldScopes(installation, integration) : [];
  if (!mayHear(held, event.payload.type)) return unsaid;
  const payload = asTold(held, event.payload);
  const { spaceId, siteId } = payload as { readonly spaceId?: string; readonly siteId?: string };
  const within = installation && { installation, spaceId, siteId };
  const outcome: Outcome = taken.isDeadly
    ? { error: DIED_TOO_OFTEN_MESSAGE, retry: "never", logs: [] }
    : await callIntegration(work, integration, payload, within);
  const verdict = judge(outcome, event, work.store.now());
  await keepRecord(work, integration, { state, event: { ...event, payload } }, outcome, verdict);
  if (verdict.isOver) await letGo(work, at, integration, state);
  return verdict;
}

/** An event that this process has taken. */
export interface Taken {
  readonly state: DeliveryRecord;
  readonly event: QueuedEvent;
  /** Undefined when it was removed. Then only its removal is delivered. */
  readonly installation: InstallationRecord | undefined;
  /** Whether every process that tried this event before has crashed. */
  readonly isDeadly: boolean;
}

/** Takes the oldest event. Undefined: there is none, or it is not due. `again`: some were dropped, and there are more. */
export async function take(
  { jobContext }: Lease,
  tx: Transaction,
  state: DeliveryRecord | undefined,
  runner: Runner,
): Promise<Taken | "again" | undefined> {
  if (!state || (state.retryAt ?? 0) > jobContext.store.now().getTime()) return undefined;
  const { retryAt: _, ...rest } = removeRunner(state);
  const installation = await installations.get(tx, state.id);
  const isPaused = installation?.status === "paused";
  const next = isPaused ? undefined : await nextFor(tx, state.id, installation);
  if (!next) {
    if (!isPaused && !installation) await deliveries.delete(tx, state.id);
    else if (state.runner || state.retryAt !== undefined) await deliveries.put(tx, rest);
    return undefined;
  }
  if (next === "more") {
    await deliveries.put(tx, rest);
    return "again";
  }
  await deliveries.put(tx, { ...rest, runner });
  const event = { ...next, attempts: next.attempts + 1 };
  await queuedEvents.put(tx, event);
  return { state: rest, event, installation, isDeadly: hasDiedTooOften(runner) };
}

/** The oldest event that may still be delivered. Events before it that may not are dropped. `more`: not all were
 * checked. */
async function nextFor(
  tx: Transaction,
  id: string,
  installation: InstallationRecord | undefined,
): Promise<QueuedEvent | "more" | undefined> {
  const [first] = await queuedEvents.list(tx, "inOrder", { under: [id], limit: 1 });
  if (!first) return undefined;
  if (await mayStillTell(tx, installation, first.record.payload)) return first.record;
  let found: QueuedEvent | undefined;
  const hasMore = await queuedEvents.each(tx, "inOrder", [id], async (event) => {
    if (await mayStillTell(tx, installation, event.payload)) found = event;
    else await queuedEvents.delete(tx, id, event.number);
    return found !== undefined;
  });
  return found ?? (hasMore ? "more" : undefined);
}

/** A removed installation is told only of its removal. The same holds for a space or site that it is no longer on. */
async function mayStillTell(
  tx: Transaction,
  installation: InstallationRecord | undefined,
  { type, ...about }: EventPayload,
): Promise<boolean> {
  if (type === "installation_deleted") return true;
  if (!installation) return false;
  return /_installation_deleted$/.test(type) || reaches(tx, installation, about);
}

/** The result of an attempt. */
interface Verdict {
  readonly attempt: Attempt;
  readonly status: "success" | "failed";
  readonly isDone: boolean;
  /** Whether it is given up because it is older than a day. */
  readonly isOver: boolean;
}

/** The part of a verdict that decides what the queue does next. */
type Conclusion = Pick<Verdict, "isDone" | "isOver">;

/** The conclusion for an event that the installation may not hear. */
const unsaid: Conclusion = { isDone: true, isOver: false };

function judge(outcome: Outcome, event: QueuedEvent, now: Date): Verdict {
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

async function keepRecord(
  { store }: JobContext,
  integration: IntegrationRecord,
  { state, event }: Pick<Taken, "state" | "event">,
  { logs }: Pick<Outcome, "logs">,
  { attempt, status, isDone }: Pick<Verdict, "attempt" | "status" | "isDone">,
): Promise<void> {
  const owner = getOrganizationPartition(state.owner);
  const { payload, createdAt } = event;
  await store.write(owner, async (tx) => {
    const known = await eventRecords.get(tx, payload.eventId, state.id);
    const attempts = [...(known?.attempts ?? []), attempt];
    await keepEvent(
      tx,
      {
        id: payload.eventId,
        definition: integration.id,
        integration: integration.name,
        installation: state.id,
        organization: state.organization,
        createdAt,
        payload,
        status,
        isOpen: !isDone,
        attempts: [...attempts.slice(0, 5), ...attempts.slice(5).slice(5 - MAX_ATTEMPTS)],
        logs,
      },
      store.now(),
    );
  });
}

/** Removes a finished event, or schedules another attempt. True: the next event can be taken at once. */
async function advance(
  queue: DeliveryStep,
  lease: Lease<ToInstallation>,
  tx: Transaction,
  { state, event }: Taken,
  { isDone, isOver }: Conclusion,
): Promise<boolean> {
  const { jobContext, place: at, payload } = lease;
  const present = await deliveries.get(tx, state.id);
  if (!hasLease(lease, present)) return false;
  if (isDone) await queuedEvents.delete(tx, event.installation, event.number);
  if (isDone && !isOver) {
    await deliveries.put(tx, { ...removeRunner(present), failures: 0 });
    return true;
  }
  const failures = present.failures + 1;
  const retryAt = jobContext.store.now().getTime() + GAPS[Math.min(failures, GAPS.length) - 1]! * 1000;
  await deliveries.put(tx, { ...removeRunner(present), failures, retryAt });
  enqueueJob(jobContext, at, tx, queue, payload, new Date(retryAt));
  return false;
}

/** Drops events that have waited for more than a day behind one that could not be delivered, and records that. */
async function letGo(
  work: JobContext,
  at: Place,
  integration: IntegrationRecord,
  state: DeliveryRecord,
): Promise<void> {
  const now = work.store.now();
  const verdict = {
    attempt: { at: now.toISOString(), error: "The receiver was away for more than a day." },
    status: "failed",
    isDone: true,
  } as const;
  const view = await work.store.read(at.partition);
  async function* gone() {
    const waiting = iterateRows((slice) => queuedEvents.list(view, "inOrder", { under: [state.id], ...slice }));
    for await (const { record: event } of waiting) {
      if (!isExpired(event, now)) return;
      await keepRecord(work, integration, { state, event }, { logs: [] }, verdict);
      yield event;
    }
  }
  await inSteps(work.store, at.partition, gone(), (tx, { installation, number }) =>
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
