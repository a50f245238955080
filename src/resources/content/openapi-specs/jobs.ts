// Processes the sources of a specification, one after the other in the order in which they were given. A URL is fetched again
// regularly.

import { defineJob, enqueueJob, type JobType } from "../../../jobs/jobs";
import { defineQueueJob } from "../../../jobs/leased-queue";
import { getPartitionRef } from "../../../storage/ids";
import type { Transaction } from "../../../storage/transaction";
import { callLazily, loadLazily } from "../../../utils/lazy";
import type { Taken } from "./process-source";
import { dropSpec, type SourceRecord, type SpecRecord, sources, specs } from "./records";

type OfSpec = { readonly organization: string; readonly spec: string };

/** The lease of a source lasts this much longer than the time limit of reading. */
const MARGIN_MS = 30_000;

/** What reads specifications is loaded by the first: most processes never do. */
const processing = loadLazily(() => import("./process-source"));

/** Processes the oldest source of a specification. */
export const processSpec: JobType<OfSpec> = defineQueueJob<OfSpec, SpecRecord, Taken>("process-openapi-spec", {
  records: {
    get: (tx, id) => specs.get(tx, id),
    // A source that is released before its end is still to be processed.
    put: (tx, spec) => specs.put(tx, spec.runner ? spec : { ...spec, state: "pending" }),
  },
  getRecordId: ({ spec }) => spec,
  getLeaseMs: (work) => work.ports.openApiSpecs.timeoutMs + MARGIN_MS,
  take: callLazily(processing, (it) => it.take),
  process: async (lease, taken) => (await processing()).carryOut(lease, taken, checkSpec),
});

/** Fetches the URL of a specification again: adds it to the queue as the newest source. */
export const checkSpec: JobType<OfSpec & { readonly due: number }> = defineJob<OfSpec & { readonly due: number }>(
  "check-openapi-spec",
  async (work, { due, ...payload }) => {
    const at = getPartitionRef(payload.organization);
    await work.store.write(at.partition, async (tx) => {
      const spec = await specs.get(tx, payload.spec);
      // A fetch that was rescheduled since has its own job.
      if (spec?.url === undefined || spec.nextCheck !== due) return;
      const [waiting] = await sources.list(tx, "inOrder", { under: [spec.id], limit: 1 });
      const { nextCheck: _, ...rest } = spec;
      // Processing the queue schedules the next fetch.
      if (waiting) return specs.put(tx, rest);
      await enqueue({ tx, now: work.store.now() }, rest, { url: spec.url, isCheck: true });
      enqueueJob(work, at, tx, processSpec, payload);
    });
  },
);

/** Puts a source at the end of a specification's queue. */
export async function enqueue(
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

/** Removes what is left of a deleted specification. */
export const emptySpec = defineJob<OfSpec>("empty-openapi-spec", async (work, { organization, spec }) =>
  work.store.write(getPartitionRef(organization).partition, (tx) => dropSpec(tx, spec)),
);
