// The queue of the events for an installation. One process delivers it, in order. Other queues do not wait for it.

import { defineQueueJob, type QueueJobType } from "../../../jobs/leased-queue";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { type DeliveryRecord, deliveries } from "../records";
import type { DeliveryPayload, EventBatch } from "./queue-records";

/** The time for which the lease of a queue outlasts a call. */
const LEASE_MARGIN_MS = 30_000;

/** The code that delivers is loaded with the first event for an integration, because most processes have none. */
const loadDelivery = loadLazily(() => import("./deliver-batches"));

/** Delivers the events of an installation, the oldest first. */
export const deliverEvents: QueueJobType<DeliveryPayload, EventBatch> = defineQueueJob<
  DeliveryPayload,
  DeliveryRecord,
  EventBatch
>("deliver-events", {
  records: deliveries,
  getRecordId: ({ installation }) => installation,
  getLeaseMs: (jobContext) => jobContext.ports.integrations.maxCallMs + LEASE_MARGIN_MS,
  take: callLazily(loadDelivery, (it) => it.takeEventBatch),
  process: async (lease, batch, endJob) =>
    (await loadDelivery()).deliverEventBatches(deliverEvents, lease, batch, endJob),
});
