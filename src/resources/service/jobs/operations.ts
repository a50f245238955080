// The jobs of an organization, for its admins: those that wait, and those that failed too often and were parked.

import * as v from "valibot";
import { jobKeys, type ListedJob, listJobs as listStoredJobs, restartParkedJob } from "../../../jobs/jobs";
import { getProgress, type LongWork, type Progress } from "../../../jobs/progress";
import { defineOperation } from "../../../operation/operation";
import { omitUndefined } from "../../../utils/objects";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { job } from "./rules";
import { Job, JobStatus } from "./schema";

export const listJobs = defineOperation("GET /orgs/:organizationId/jobs", {
  summary: "List background jobs",
  target: organization,
  right: "admin",
  query: { status: v.optional(JobStatus, "waiting") },
  list: Job,
  async handle({ tx, query, pageRequest, ports, organization }) {
    const { count } = await ports.cache.getOrCompute(
      `${findOrganizationPartition(organization.id)} jobs ${query.status}`,
      [await tx.getVersion(jobKeys.changed)],
      async () => ({ count: (await listStoredJobs(tx, query.status, undefined, MAX_COUNTED_JOBS)).length }),
      () => 0,
    );
    const rows = await listStoredJobs(tx, query.status, pageRequest.after, pageRequest.limit + 1);
    const shown = rows.slice(0, pageRequest.limit);
    const progress = await Promise.all(
      shown.map(async ({ job }) => {
        const [work, idField] = sharedProgress[job.step] ?? [];
        if (!work) return job.progress;
        return (await getProgress(tx, work, [(job.payload as Record<string, string>)[idField!]!]))[0];
      }),
    );
    return {
      items: shown.map((it, i) => presentJob(it, progress[i])),
      lastPosition: rows.length > shown.length ? shown.at(-1)!.position : undefined,
      count,
    };
  },
});

export const retryJob = defineOperation("POST /orgs/:organizationId/jobs/:jobId/retry", {
  summary: "Retry a background job",
  target: job,
  right: "admin",
  returns: Job,
  async handle({ tx, job, params, now }) {
    const fresh = restartParkedJob(tx, params.jobId, job, now);
    return presentJob({ id: params.jobId, job: fresh, due: now.getTime() });
  },
});

/** Counting stops here, because nobody needs an exact larger number. */
const MAX_COUNTED_JOBS = 10_000;

/** Job types whose progress is stored for the thing that they work on: the type of work, and the payload field with the id. */
const sharedProgress: Readonly<Record<string, readonly [work: LongWork, idField: string]>> = {
  "sync-git": ["git", "space"],
  "run-translation": ["translation", "translation"],
  "process-openapi-spec": ["openapi-spec", "spec"],
};

function presentJob({ id, job, due }: Omit<ListedJob, "position">, progress?: Progress): v.InferOutput<typeof Job> {
  return {
    object: "job",
    id,
    status: due === undefined ? "parked" : "waiting",
    step: job.step,
    attempts: job.attempts,
    ...omitUndefined({ progress, error: job.error }),
    createdAt: new Date(job.createdAt).toISOString(),
    ...omitUndefined({ dueAt: due === undefined ? undefined : new Date(due).toISOString() }),
  };
}
