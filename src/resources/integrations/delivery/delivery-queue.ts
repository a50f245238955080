// The queue of the events for an installation. One process delivers it, in order. Other queues do not wait for it.

import { defineQueueJob, type QueueJobType } from "../../../jobs/leased-queue";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { type DeliveryRecord, deliveries } from "../records";
import type { EventBatch } from "./deliver-batches";

type ToInstallation = { readonly organization: string; readonly installation: string };

/** How much longer than a call the claim on a queue lasts. */
const MARGIN_MS = 30_000;

/** What delivers is loaded with the first event for an integration: most processes have none. */
const delivering = loadLazily(() => import("./deliver-batches"));

/** Delivers the events of an installation, the oldest first. */
export const deliverEvents: QueueJobType<ToInstallation, EventBatch> = defineQueueJob<
  ToInstallation,
  DeliveryRecord,
  EventBatch
>("deliver-events", {
  records: deliveries,
  getRecordId: ({ installation }) => installation,
  getLeaseMs: (work) => work.ports.integrations.maxCallMs + MARGIN_MS,
  take: callLazily(delivering, (it) => it.takeEventBatch),
  process: async (lease, first, end) => (await delivering()).deliverEventBatches(deliverEvents, lease, first, end),
});
