// The jobs of specifications. Sources are processed one after the other, in the order in which they were added. A URL is
// fetched again regularly.

import { defineJob, enqueueJob, type JobType } from "../../../jobs/jobs";
import { defineQueueJob } from "../../../jobs/leased-queue";
import { getProgressKey } from "../../../jobs/progress";
import { getPartitionRef } from "../../../storage/ids";
import { lastSweep } from "../../../storage/objects";
import type { Transaction } from "../../../storage/transaction";
import { callLazily, loadLazily } from "../../../utils/lazy";
import type { SpecJobPayload, TakenSource } from "./process-source";
import { type SourceRecord, type SpecRecord, sources, specs, versions } from "./records";

/** The lease of a source lasts this much longer than the time limit of reading. */
const MARGIN_MS = 30_000;

/** Loaded with the first source, because most processes never read a specification. */
const loadProcessing = loadLazily(() => import("./process-source"));

/** The job that processes the oldest source of a specification. */
export const processSpec: JobType<SpecJobPayload> = defineQueueJob<SpecJobPayload, SpecRecord, TakenSource>(
  "process-openapi-spec",
  {
    records: {
      get: (tx, id) => specs.get(tx, id),
      // A source that is released before its end is still to be processed.
      put: (tx, spec) => specs.put(tx, spec.runner ? spec : { ...spec, state: "pending" }),
    },
    getRecordId: ({ spec }) => spec,
    getLeaseMs: (work) => work.ports.openApiSpecs.timeoutMs + MARGIN_MS,
    take: callLazily(loadProcessing, (module) => module.takeSource),
    process: async (lease, taken) => (await loadProcessing()).processSource(lease, taken, checkSpec),
  },
);

/** The job that fetches the URL of a specification again: it adds the URL to the queue as the newest source. */
export const checkSpec: JobType<SpecJobPayload & { readonly due: number }> = defineJob<
  SpecJobPayload & { readonly due: number }
>("check-openapi-spec", async (jobContext, { due, ...payload }) => {
  const { store } = jobContext;
  const place = getPartitionRef(payload.organization);
  await store.write(place.partition, async (tx) => {
    const spec = await specs.get(tx, payload.spec);
    // A fetch that was rescheduled since has its own job.
    if (spec?.url === undefined || spec.nextCheck !== due) return;
    const [waiting] = await sources.list(tx, "inOrder", { under: [spec.id], limit: 1 });
    const { nextCheck: _, ...rest } = spec;
    // Processing the queue schedules the next fetch.
    if (waiting) return specs.put(tx, rest);
    await enqueueSource({ tx, now: store.now() }, rest, { url: spec.url, isCheck: true });
    enqueueJob(jobContext, place, tx, processSpec, payload);
  });
});

/** Puts a source at the end of a specification's queue. */
export async function enqueueSource(
  { tx, now }: { readonly tx: Transaction; readonly now: Date },
  spec: SpecRecord,
  source: Pick<SourceRecord, "url" | "text" | "isCheck">,
): Promise<SpecRecord> {
  const number = spec.asked + 1;
  const waiting: SpecRecord = { ...spec, asked: number, state: "pending" };
  await sources.put(tx, { spec: spec.id, number, askedAt: now.toISOString(), ...source, attempts: 0 });
  await specs.put(tx, waiting);
  return waiting;
}

/** The job that removes the sources and versions of a deleted specification. */
export const emptySpec = defineJob<SpecJobPayload>("empty-openapi-spec", async (work, { organization, spec }) =>
  work.store.write(getPartitionRef(organization).partition, async (tx) => {
    lastSweep.forget(tx);
    tx.delete(getProgressKey("openapi-spec", spec));
    // As many records as there is room for.
    return (await sources.drain(tx, "inOrder", [spec])) || versions.drain(tx, "ofSpec", [spec]);
  }),
);
