// The numbered queue of events for an installation, and the state of its delivery. Both are in the partition of the
// organization that installed it. The outcome of each event is a record in the partition of the owner.

import type { Runner } from "../../../jobs/leased-queue";
import { defineRecordSet } from "../../../storage/records";
import type { Json } from "../../../storage/storage";
import type { Transaction } from "../../../storage/transaction";
import { isFull } from "../../../storage/transaction-budget";
import { getJsonSize } from "../../../utils/bytes";
import type { InstallationKey, InstallationRecord } from "../installations/records";

/** An event as an integration receives it. */
export type EventPayload = { readonly eventId: string; readonly type: string; readonly [member: string]: Json };

/** The state of the delivery to an installation. It exists until the last event of a removed installation is delivered. */
export type DeliveryRecord = InstallationKey & {
  /** The name of the integration. */
  readonly integration: string;
  /** The number of the next event. Every addition changes it, so a delivery never ends while an event is queued. */
  readonly next: number;
  readonly failures: number;
  /** The time at which the first event is tried again. */
  readonly retryAt?: number;
  /** The process that delivers, and the end of its lease. */
  readonly runner?: Runner;
};

export const deliveries = defineRecordSet("delivery", { key: (it: DeliveryRecord) => [it.id] });

export type QueuedEvent = {
  readonly installation: string;
  readonly number: number;
  readonly createdAt: string;
  readonly attempts: number;
  readonly payload: EventPayload;
};

export const queuedEvents = defineRecordSet("queued-event", {
  key: (it: QueuedEvent) => [it.installation, it.number],
  indexes: { inOrder: (it) => [it.installation] },
  totals: { waiting: (it) => [it.installation] },
  // The previous configuration may hold secrets.
  sealed: [{ path: ["payload", "previous"] }],
});

export interface EventLogLine {
  readonly message: string;
  readonly timestamp: string;
  readonly level: "debug" | "info" | "warn" | "error";
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  readonly at: string;
  /** The status of the response; absent if there was none. */
  readonly status?: number;
  /** The reason for a failure, as a sentence. */
  readonly error?: string;
}

/** The outcome of an event so far. */
export type EventRecord = {
  readonly id: string;
  readonly definition: string;
  readonly integration: string;
  /** Null for events of the integration itself. */
  readonly installation: string | null;
  readonly organization: string;
  readonly createdAt: string;
  readonly payload: EventPayload;
  readonly status: "success" | "failed";
  /** True if it will be tried again. */
  readonly isOpen: boolean;
  /** True if it was an invocation that a caller waited for, and so was never in a queue. */
  readonly isCall?: true;
  readonly attempts: readonly DeliveryAttempt[];
  readonly logs: readonly EventLogLine[];
};

export const eventRecords = defineRecordSet("integration-event", {
  key: (it: EventRecord) => [it.id, it.installation ?? "none"],
  indexes: {
    ofIntegration: (it) => [it.definition, it.createdAt],
    byId: (it) => [it.id],
    calls: (it) => (it.isCall ? [it.definition, it.createdAt] : undefined),
  },
  totals: {
    told: (it) => (it.isCall ? undefined : [it.definition]),
    calls: (it) => (it.isCall ? [it.definition] : undefined),
  },
  sealed: [{ path: ["payload", "previous"] }],
});

/** The destination of events while an integration is developed. */
export type DevelopmentRecord = {
  /** The id of the integration. */
  readonly definition: string;
  readonly tunnelUrl: string;
  /** True if events of all organizations go there, false if only those of the owner do. */
  readonly all: boolean;
};

export const developments = defineRecordSet("integration-development", {
  key: (it: DevelopmentRecord) => [it.definition],
  sealed: [{ path: ["tunnelUrl"], lost: "" }],
});

/**
 * The most records of events, and of invocations, for an integration. Records of events beyond it are deleted when they are old
 * enough. Records of invocations are deleted at once, because anybody can cause them.
 */
const MAX_RECORDS = 10_000;
const MIN_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
/** The most old records that are deleted for each new one. */
const MAX_DELETED = 5;
/** The most bytes of a record. An entry of the storage may have more. */
const MAX_RECORD_BYTES = 56 * 1024;

/** Stores the outcome of an event. Deletes some that are over 30 days old and beyond the newest 10,000. */
export async function storeEventRecord(tx: Transaction, record: EventRecord, now: Date): Promise<void> {
  await eventRecords.put(tx, shortenRecord(record));
  if (isFull(tx)) return;
  const excess = (await eventRecords.total(tx.unchecked, "told", record.definition)) - MAX_RECORDS;
  if (excess <= 0) return;
  const limit = Math.min(excess, MAX_DELETED);
  const oldest = await eventRecords.list(tx, "ofIntegration", { under: [record.definition], limit });
  for (const { record: it } of oldest)
    if (Date.parse(it.createdAt) < now.getTime() - MIN_RETENTION_MS)
      await eventRecords.delete(tx, it.id, it.installation ?? "none");
}

/** Stores the record of an invocation, and deletes the oldest beyond 10,000. */
export async function storeInvocationRecord(tx: Transaction, record: EventRecord): Promise<void> {
  await eventRecords.put(tx, shortenRecord(record));
  if ((await eventRecords.total(tx.unchecked, "calls", record.definition)) < MAX_RECORDS) return;
  const oldest = await eventRecords.list(tx, "calls", { under: [record.definition], limit: 2 });
  for (const { record: it } of oldest) await eventRecords.delete(tx, it.id, it.installation ?? "none");
}

/** Shortens a record until it fits: first the logs go, then all but the last attempts, then the payload. */
function shortenRecord(record: EventRecord): EventRecord {
  const { eventId, type } = record.payload;
  const versions = [
    record,
    { ...record, logs: [] },
    { ...record, logs: [], attempts: record.attempts.slice(-5) },
    { ...record, logs: [], attempts: record.attempts.slice(-5), payload: { eventId, type } },
  ];
  const fits = (version: EventRecord) => getJsonSize(version) <= MAX_RECORD_BYTES;
  return versions.find(fits) ?? versions.at(-1)!;
}

/** The payload of the job that delivers the events of an installation. */
export type DeliveryPayload = { readonly organization: string; readonly installation: string };

/** Events that this process has taken from a queue, the oldest first. */
export interface EventBatch {
  readonly state: DeliveryRecord;
  readonly events: readonly QueuedEvent[];
  /** Undefined if it was removed. Then only its removal is delivered. */
  readonly installation: InstallationRecord | undefined;
  /** True if every process that tried the first event before has crashed. */
  readonly isDeadly: boolean;
}
