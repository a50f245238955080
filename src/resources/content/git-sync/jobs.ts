// The queue of the Git requests of a space, which run one after the other in the order of their times.

import type { JobType } from "../../../jobs/jobs";
import { defineQueueJob } from "../../../jobs/leased-queue";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { type GitRequest, type GitSyncRecord, gitSyncs } from "./records";

/** The lease of a request lasts this much longer than a call to a repository. */
const MARGIN_MS = 60_000;

/** Loaded with the first request, because most processes never run one. */
const loadRunner = loadLazily(() => import("./run-requests"));

type GitSyncPayload = { readonly organization: string; readonly space: string };

/** The job that runs the oldest request of a space. */
export const syncGit: JobType<GitSyncPayload> = defineQueueJob<GitSyncPayload, GitSyncRecord, GitRequest>("sync-git", {
  records: gitSyncs,
  getRecordId: ({ space }) => space,
  getLeaseMs: (work) => work.ports.git.timeoutMs + MARGIN_MS,
  take: callLazily(loadRunner, (module) => module.takeRequest),
  process: callLazily(loadRunner, (module) => module.runRequest),
});
