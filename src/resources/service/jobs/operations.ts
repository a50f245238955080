// The jobs of an organization, for its admins: those that wait and those that were given up.

import * as v from "valibot";
import { getJobsVersion, listJobs as jobsOf, type ListedJob, restartParkedJob } from "../../../jobs/jobs";
import { getProgress, type LongWork, type Progress } from "../../../jobs/progress";
import { defineOperation } from "../../../operation/operation";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { getOrCompute } from "../../../utils/stamped-cache";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { job } from "./rules";
import { Job, JobStatus } from "./schema";

export const listJobs = defineOperation("GET /orgs/:organizationId/jobs", {
  summary: "List the jobs that wait, or those that were given up",
  target: organization,
  right: "admin",
  query: { status: v.optional(JobStatus, "waiting") },
  list: Job,
  async handle({ tx, query, pageRequest, ports, organization }) {
    const { count } = await getOrCompute(
      ports.cache,
      `${findOrganizationPartition(organization.id)} jobs ${query.status}`,
      await getJobsVersion(tx),
      async () => ({ count: (await jobsOf(tx, query.status, undefined, MOST)).length }),
      () => 0,
    );
    const rows = await jobsOf(tx, query.status, pageRequest.after, pageRequest.limit + 1);
    const shown = rows.slice(0, pageRequest.limit);
    const progress = await progressIn(tx, shown);
    return {
      items: shown.map((it, i) => jobView(it, progress[i])),
      lastPosition: rows.length > shown.length ? shown.at(-1)!.position : undefined,
      count,
    };
  },
});

export const retryJob = defineOperation("POST /orgs/:organizationId/jobs/:jobId/retry", {
  summary: "Let a job that was given up start anew",
  target: job,
  right: "admin",
  returns: Job,
  async handle({ tx, job, params, now }) {
    const fresh = restartParkedJob(tx, params.jobId, job, now);
    return jobView({ id: params.jobId, job: fresh, due: now.getTime() });
  },
});

/** Counting stops here. Nobody needs an exact larger number. */
const MOST = 10_000;

/** The work that tells how far it is under another name than that of its job: by the name of the step, with the member of the
 * payload that names the thing. */
const others: Readonly<Record<string, readonly [work: LongWork, member: string]>> = {
  "sync-git": ["git", "space"],
  "run-translation": ["translation", "translation"],
  "process-openapi-spec": ["openapi-spec", "spec"],
};

/** How far jobs are, in their order. */
function progressIn(tx: Reader, jobs: readonly ListedJob[]): Promise<(Progress | undefined)[]> {
  return Promise.all(
    jobs.map(async ({ job }) => {
      const [work, member] = others[job.step] ?? [];
      if (!work) return job.progress;
      return (await getProgress(tx, work, [(job.payload as Record<string, string>)[member!]!]))[0];
    }),
  );
}

function jobView({ id, job, due }: Omit<ListedJob, "position">, progress?: Progress): v.InferOutput<typeof Job> {
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
