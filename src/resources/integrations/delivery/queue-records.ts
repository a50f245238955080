// Events on their way to an installation, in the partition of the organization that installed: a numbered queue, and how its
// delivery goes. What came of each is a record of the owner's, for whoever runs the integration to look at.

import { records } from "../../../store/records";
import type { Json } from "../../../store/storage";
import type { Transaction } from "../../../store/transaction";
import type { Runner } from "../../../work/leased-queue";
import type { InstallationName } from "../installations/records";

/** What an integration is told. */
export type EventPayload = { readonly eventId: string; readonly type: string; readonly [member: string]: Json };

/** How the delivery to an installation goes; it outlives the installation by what is still to be told. */
export type DeliveryRecord = InstallationName & {
  /** The name of the integration. */
  readonly integration: string;
  /** The number of the next event: whoever adds one touches this, so that nobody stops while one waits. */
  readonly next: number;
  /** Failures in a row. */
  readonly failures: number;
  /** When the first one is tried again. */
  readonly retryAt?: number;
  /** Whoever delivers, and until when they are left alone. */
  readonly runner?: Runner;
};

export const deliveries = records("delivery", { key: (it: DeliveryRecord) => [it.id] });

export type QueuedEvent = {
  readonly installation: string;
  readonly number: number;
  readonly createdAt: string;
  readonly attempts: number;
  readonly payload: EventPayload;
};

export const queuedEvents = records("queued-event", {
  key: (it: QueuedEvent) => [it.installation, it.number],
  indexes: { inOrder: (it) => [it.installation] },
  totals: { waiting: (it) => [it.installation] },
  // What an installation was configured with before.
  sealed: [{ path: ["payload", "previous"] }],
});

export interface LogLine {
  readonly message: string;
  readonly timestamp: string;
  readonly level: "debug" | "info" | "warn" | "error";
}

/** One try at delivering an event. */
export interface Attempt {
  readonly at: string;
  /** The status of the answer; absent when there was none. */
  readonly status?: number;
  /** What went wrong, in a sentence. */
  readonly error?: string;
}

/** What came of an event so far. */
export type EventRecord = {
  readonly id: string;
  readonly definition: string;
  readonly integration: string;
  /** Null for what is about the integration as a whole. */
  readonly installation: string | null;
  readonly organization: string;
  readonly createdAt: string;
  readonly payload: EventPayload;
  readonly status: "success" | "failed";
  /** Whether it will be tried again. */
  readonly isOpen: boolean;
  /** Whether somebody asked and waited, so that it was never in a queue. */
  readonly isCall?: true;
  readonly attempts: readonly Attempt[];
  readonly logs: readonly LogLine[];
};

export const eventRecords = records("integration-event", {
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

/** Where an integration is told things while it is being developed. */
export type DevelopmentRecord = {
  /** The id of the integration. */
  readonly definition: string;
  readonly tunnelUrl: string;
  /** Whether everybody's events go there, or the owner's alone. */
  readonly all: boolean;
};

export const developments = records("integration-development", {
  key: (it: DevelopmentRecord) => [it.definition],
  sealed: [{ path: ["tunnelUrl"], lost: "" }],
});

/** Events beyond so many of an integration go once they are old enough; questions beyond so many go at once, since anybody
 * can ask. */
const KEPT_EVENTS = 10_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** The most of the oldest that go for one that comes. */
const MOST_DROPPED = 5;
/** The most bytes of a record, well within what an entry may have. */
const MAX_RECORD_BYTES = 56 * 1024;

/** Keeps what came of an event, and lets some go that are older than 30 days and beyond the newest 10,000. */
export async function keepEvent(tx: Transaction, record: EventRecord, now: Date): Promise<void> {
  await eventRecords.put(tx, shortened(record));
  const over = (await eventRecords.total(tx.unchecked, "told", record.definition)) - KEPT_EVENTS;
  if (over <= 0) return;
  const limit = Math.min(over, MOST_DROPPED);
  const oldest = await eventRecords.list(tx, "ofIntegration", { under: [record.definition], limit });
  for (const { record: it } of oldest) if (Date.parse(it.createdAt) < now.getTime() - KEPT_MS) await drop(tx, it);
}

/** Keeps a question to an integration, and lets the oldest beyond its newest 10,000 go. */
export async function keepCall(tx: Transaction, record: EventRecord): Promise<void> {
  await eventRecords.put(tx, shortened(record));
  if ((await eventRecords.total(tx.unchecked, "calls", record.definition)) < KEPT_EVENTS) return;
  const oldest = await eventRecords.list(tx, "calls", { under: [record.definition], limit: 2 });
  for (const { record: it } of oldest) await drop(tx, it);
}

function drop(tx: Transaction, { id, installation }: EventRecord): Promise<void> {
  return eventRecords.delete(tx, id, installation ?? "none");
}

/** A record that fits: what was written meanwhile goes first, then the attempts in the middle, then what it was about. */
function shortened(record: EventRecord): EventRecord {
  const { eventId, type } = record.payload;
  const shorter = [
    record,
    { ...record, logs: [] },
    { ...record, logs: [], attempts: record.attempts.slice(-5) },
    { ...record, logs: [], attempts: record.attempts.slice(-5), payload: { eventId, type } },
  ];
  return shorter.find((it) => sizeOf(it) <= MAX_RECORD_BYTES) ?? shorter.at(-1)!;
}

function sizeOf(record: EventRecord): number {
  return new TextEncoder().encode(JSON.stringify(record)).length;
}

/** Takes away the records of an integration that is gone, as far as there is room; true when there are more. */
export async function dropEvents(tx: Transaction, definition: string): Promise<boolean> {
  await developments.delete(tx, definition);
  return eventRecords.drain(tx, "ofIntegration", [definition]);
}
