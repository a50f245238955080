// The queue of the events for an installation. One process delivers it, in order. Other queues do not wait for it.

import { type QueueStep, queueStep } from "../../../jobs/leased-queue";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { type DeliveryRecord, deliveries } from "../records";
import type { Taken } from "./deliver";

type ToInstallation = { readonly organization: string; readonly installation: string };

/** How much longer than a call the claim on a queue lasts. */
const MARGIN_MS = 30_000;

/** What delivers is loaded with the first event for an integration: most processes have none. */
const delivering = loadLazily(() => import("./deliver"));

/** Delivers the events of an installation, the oldest first. */
export const deliverEvents: QueueStep<ToInstallation, Taken> = queueStep<ToInstallation, DeliveryRecord, Taken>(
  "deliver-events",
  {
    records: deliveries,
    id: ({ installation }) => installation,
    milliseconds: (work) => work.ports.integrations.maxCallMs + MARGIN_MS,
    take: callLazily(delivering, (it) => it.take),
    carryOut: async (lease, first, end) => (await delivering()).deliverFrom(deliverEvents, lease, first, end),
  },
);
