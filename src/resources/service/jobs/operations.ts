// The jobs of an organization, for its admins: those that wait and those that were given up.

import * as v from "valibot";
import { operation } from "../../../operation/operation";
import { listJobs as jobsOf, type KnownJob, unpark } from "../../../work/jobs";
import { organization } from "../../people/organizations/rules";
import { job } from "./rules";
import { Job, JobStatus } from "./schema";

export const listJobs = operation("GET /orgs/:organizationId/jobs", {
  summary: "List the jobs that wait, or those that were given up",
  on: organization,
  right: "admin",
  query: { status: v.optional(JobStatus, "waiting") },
  list: Job,
  async handle({ tx, query, listPart }) {
    const all = await jobsOf(tx, query.status, undefined, MOST);
    const rest = all.filter(({ position }) => listPart.after === undefined || position > listPart.after);
    const shown = rest.slice(0, listPart.limit);
    return {
      items: shown.map(jobView),
      last: rest.length > shown.length ? shown.at(-1)!.position : undefined,
      count: all.length,
    };
  },
});

export const retryJob = operation("POST /orgs/:organizationId/jobs/:jobId/retry", {
  summary: "Let a job that was given up start anew",
  on: job,
  right: "admin",
  returns: Job,
  async handle({ tx, job, params, now }) {
    const fresh = unpark(tx, params.jobId, job, now);
    return jobView({ id: params.jobId, job: fresh, due: now.getTime() });
  },
});

/** Counting stops here. Nobody needs an exact larger number. */
const MOST = 10_000;

function jobView({ id, job, due }: Omit<KnownJob, "position">): v.InferOutput<typeof Job> {
  return {
    object: "job",
    id,
    status: due === undefined ? "parked" : "waiting",
    step: job.step,
    attempts: job.attempts,
    ...(job.error === undefined ? {} : { error: job.error }),
    createdAt: new Date(job.createdAt).toISOString(),
    ...(due === undefined ? {} : { dueAt: new Date(due).toISOString() }),
  };
}
