// The queue of the Git requests of a space. They run one after the other, by their times.

import type { Step } from "../../../jobs/jobs";
import { queueStep } from "../../../jobs/leased-queue";
import { late, lately } from "../../../utils/lazy";
import { type GitRequest, type GitSyncRecord, gitSyncs } from "./records";

type OfSpace = { readonly organization: string; readonly space: string };

/** The lease of a request lasts this much longer than a call to a repository. */
const MARGIN_MS = 60_000;

/** What runs requests is loaded by the first: most processes never do. */
const running = late(() => import("./run-requests"));

/** Runs the oldest request of a space. */
export const syncGit: Step<OfSpace> = queueStep<OfSpace, GitSyncRecord, GitRequest>("sync-git", {
  records: gitSyncs,
  id: ({ space }) => space,
  milliseconds: (work) => work.parts.git.milliseconds + MARGIN_MS,
  take: lately(running, (it) => it.take),
  carryOut: lately(running, (it) => it.carryOut),
});
