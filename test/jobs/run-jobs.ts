// Runs the jobs of a partition that are due, as `maintain()` does, and waits for all of them.

import { countPendingJobs, type JobContext, type JobType, MAX_PARALLEL_JOBS, startJobs } from "../../src/jobs/jobs";
import { createConcurrencyLimiter } from "../../src/utils/concurrency/concurrency-limiter";

/** Returns how many jobs were done, and the time at which the next one is due. */
export async function runJobs(
  jobContext: JobContext,
  partition: string,
  jobTypes: ReadonlyMap<string, JobType<never>>,
) {
  const limiter = createConcurrencyLimiter(MAX_PARALLEL_JOBS);
  const { done, rest } = await startJobs(jobContext, partition, jobTypes, limiter);
  const total = done + (await rest);
  const { due } = await countPendingJobs(await jobContext.store.read(partition));
  return { done: total, next: due };
}
