// The queue of the Git requests of a space. They run one after the other, by their times.

import type { JobType } from "../../../jobs/jobs";
import { defineQueueJob } from "../../../jobs/leased-queue";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { type GitRequest, type GitSyncRecord, gitSyncs } from "./records";

type OfSpace = { readonly organization: string; readonly space: string };

/** The lease of a request lasts this much longer than a call to a repository. */
const MARGIN_MS = 60_000;

/** What runs requests is loaded by the first: most processes never do. */
const running = loadLazily(() => import("./run-requests"));

/** Runs the oldest request of a space. */
export const syncGit: JobType<OfSpace> = defineQueueJob<OfSpace, GitSyncRecord, GitRequest>("sync-git", {
  records: gitSyncs,
  getRecordId: ({ space }) => space,
  getLeaseMs: (work) => work.ports.git.timeoutMs + MARGIN_MS,
  take: callLazily(running, (it) => it.take),
  process: callLazily(running, (it) => it.carryOut),
});
