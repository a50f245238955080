// maintain(): does the work that is due, such as jobs, events, expired records and unreferenced objects. The library has no timers.
// The host calls maintain() again at the time that it returned.

import { countPendingJobs, type JobType, MAX_PARALLEL_JOBS, startJobs } from "../jobs/jobs";
import { deleteExpiredReservations } from "../storage/claims";
import { HashSet } from "../storage/hash-set";
import { DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { lastSweep, type Objects, openObjects, type SweepCounts, sweepPartition } from "../storage/objects";
import type { Reader } from "../storage/transaction";
import { createConcurrencyLimiter } from "../utils/concurrency/concurrency-limiter";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { deleteExpiredResults } from "./idempotency";
import type { Kernel } from "./kernel";

/** The work that `maintain()` did, and when it should be called next. */
export interface MaintenanceReport {
  /** Partitions that were processed. One that fails is reported to `onError` and does not stop the others. */
  readonly partitions: number;
  /** Jobs that were due: left behind by a process that crashed, or waiting for a retry. */
  readonly jobs: number;
  /** Events that were delivered, or deleted because nobody listens. */
  readonly events: number;
  /** Results stored for an Idempotency-Key that expired. */
  readonly responses: number;
  /** Counts of events that expired. */
  readonly counts: number;
  /** Reservations of names that were never used. */
  readonly reservations: number;
  /** Uploads that were never used. */
  readonly uploads: number;
  /** Objects that no revision references any more. */
  readonly objects: number;
  /** Blobs that no record references any more. */
  readonly blobs: number;
  /** Jobs that are waiting now, by job type. At most 1,000 are counted for each organization. */
  readonly waiting: Readonly<Record<string, number>>;
  /** Jobs that were given up after many attempts and wait for an admin, counted in the same way. */
  readonly parked: number;
  /** True if the last partition was reached. Otherwise the next call continues, and should follow immediately. */
  readonly finished: boolean;
  readonly next: Date;
}

/** The limits of one call of `maintain()`. */
export interface MaintainOptions {
  /**
   * The most partitions to process. The next call continues after them, in any process. It is meant for hosts that stop calls that
   * take too long, such as Workers. After a call that was stopped, the next one processes half as many. Default: all.
   */
  readonly partitions?: number;
}

/** Marks the objects that one kind of record in a partition references. An object may be marked more than once. */
export type MarkReachable = (view: Reader, objects: Objects, mark: (hash: string) => void) => Promise<void>;

/** The maintenance work that the resources contribute. */
export interface MaintenanceTasks {
  readonly jobTypes: readonly JobType<never>[];
  readonly reachableObjects: readonly MarkReachable[];
  readonly cleanUps: readonly ((store: Kernel["store"], partition: string) => Promise<number>)[];
  /** Seals the audit log of a partition, and deletes what is older than it is kept. */
  readonly maintainAuditLog: (store: Kernel["store"], partition: string) => Promise<void>;
}

/** Names and uploads that were reserved for so long and not used count as abandoned. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000;
/** The longest pause between two calls. */
const MAX_PAUSE_MS = 60 * 1000;

/** Processes all partitions, or the next batch of them. */
export async function maintain(
  kernel: Kernel,
  { jobTypes, reachableObjects, cleanUps, maintainAuditLog }: MaintenanceTasks,
  { partitions: maxPartitions }: MaintainOptions = {},
): Promise<MaintenanceReport> {
  if (maxPartitions !== undefined && !(maxPartitions >= 1))
    throw new TypeError("maintain: `partitions` is a number from 1.");
  const { store, jobs: jobContext } = kernel;
  const batch = maxPartitions === undefined ? undefined : await beginBatch(store, maxPartitions);
  const jobTypesByName = new Map(jobTypes.map((jobType) => [jobType.name, jobType]));
  const abandonedBefore = new Date(store.now().getTime() - ABANDONED_AFTER_MS);
  let next = store.now().getTime() + MAX_PAUSE_MS;
  const done = {
    partitions: 0,
    jobs: 0,
    events: 0,
    responses: 0,
    counts: 0,
    reservations: 0,
    uploads: 0,
    objects: 0,
    blobs: 0,
  };

  // Long jobs of all partitions run side by side, while the loop goes on.
  const limiter = createConcurrencyLimiter(MAX_PARALLEL_JOBS);
  const runningJobs: { readonly partition: string; readonly rest: Promise<number> }[] = [];
  for await (const partition of batch?.partitions ?? store.storage.partitions()) {
    try {
      const jobs = await startJobs(jobContext, partition, jobTypesByName, limiter);
      done.jobs += jobs.done;
      runningJobs.push({ partition, rest: jobs.rest });
      done.events += await jobContext.outbox.deliverPending(partition);
      done.responses += await deleteExpiredResults(store, partition);
      for (const cleanUp of cleanUps) done.counts += await cleanUp(store, partition);
      await maintainAuditLog(store, partition);
      done.reservations += await deleteExpiredReservations(store, partition, abandonedBefore);
      const { uploads, objects, blobs } = await sweepOncePerDay(kernel, partition, reachableObjects);
      done.uploads += uploads;
      done.objects += objects;
      done.blobs += blobs;
      done.partitions++;
    } catch (error) {
      // One damaged organization must not hold up the others.
      jobContext.onError(error);
    }
  }
  await store.storage
    .maintain?.(batch && { after: batch.after, partitions: batch.partitions.length })
    .catch(jobContext.onError);

  // The jobs that are left decide when the next call is due.
  const waiting: Record<string, number> = {};
  let parked = 0;
  for (const { partition, rest } of runningJobs) {
    done.jobs += await rest;
    const ahead = await store.read(partition).then(countPendingJobs).catch(jobContext.onError);
    if (!ahead) continue;
    next = Math.min(next, ahead.due ?? next);
    parked += ahead.parked;
    for (const [jobType, count] of ahead.waiting) waiting[jobType] = (waiting[jobType] ?? 0) + count;
  }

  await batch?.end();
  const finished = batch?.isLast ?? true;
  const now = store.now().getTime();
  return { ...done, waiting, parked, finished, next: new Date(finished ? Math.max(next, now) : now) };
}

/** Deletes unreferenced objects and blobs. Looking at all of them is slow, so it happens once a day, and only if there are any. */
async function sweepOncePerDay(
  { store, jobs: jobContext }: Kernel,
  partition: string,
  reachableObjects: readonly MarkReachable[],
): Promise<SweepCounts> {
  const view = await store.read(partition);
  const now = store.now().getTime();
  const nothing = { objects: 0, uploads: 0, blobs: 0 };
  if (now - (await lastSweep.read(view)) < SWEEP_INTERVAL_MS) return nothing;
  const found = await Promise.all(["object", "upload"].map((kind) => view.list({ under: encodeKey(kind), limit: 1 })));
  if (found.every((entries) => entries.length === 0)) return nothing;

  const swept = await sweepPartition(store, partition, {
    olderThan: new Date(now - ABANDONED_AFTER_MS),
    yieldToOthers: yieldToEventLoop,
    reachable: async (snapshot) => {
      const objects = openObjects(store, jobContext.objects, snapshot);
      const reachable = new HashSet();
      for (const markReachable of reachableObjects)
        await markReachable(snapshot, objects, (hash) => reachable.add(hash));
      return reachable;
    },
  });
  await store.write(partition, async (tx) => lastSweep.write(tx, now));
  return swept;
}

/** The partitions that one call processes. */
interface Batch {
  readonly after: string;
  readonly partitions: readonly string[];
  /** True if the last partition is among them. */
  readonly isLast: boolean;
  /** Records that the batch is done. */
  end(): Promise<void>;
}

/** The record of the last batch that was begun. */
type BatchRecord = {
  /** The batch began after this partition; empty: at the first one. */
  readonly after: string;
  /** The next batch begins after this partition. */
  readonly until: string;
  /** The most partitions that it could have. */
  readonly size: number;
  /** True if it was begun and not ended: it is under way, or it was stopped. */
  readonly isOpen: boolean;
};

const batchKey = encodeKey("maintenance");

/**
 * Begins the next batch of at most `maxPartitions` partitions. A Worker may make only so many calls, and is stopped in the middle
 * when it makes more. So a batch is recorded before it begins and again when it ends. If the last batch was stopped, it is begun
 * again with half as many partitions. A single partition that was too much is skipped until the next round.
 */
async function beginBatch(store: Kernel["store"], maxPartitions: number): Promise<Batch> {
  const last = (await (await store.read(DIRECTORY)).get(batchKey)) as BatchRecord | undefined;
  const isRetry = last?.isOpen === true && last.size > 1;
  const size = last?.isOpen
    ? Math.ceil(Math.min(maxPartitions, last.size) / 2)
    : Math.min(maxPartitions, (last?.size ?? maxPartitions) * 2);
  const after = (isRetry ? last.after : last?.until) ?? "";

  const partitions: string[] = [];
  let isLast = true;
  for await (const partition of store.storage.partitions(after)) {
    isLast = partitions.length < size;
    if (!isLast) break;
    partitions.push(partition);
  }

  const record = { after, until: isLast ? "" : partitions.at(-1)!, size };
  const save = (isOpen: boolean) => store.write(DIRECTORY, async (tx) => tx.put(batchKey, { ...record, isOpen }));
  await save(true);
  return { after, partitions, isLast, end: () => save(false) };
}
