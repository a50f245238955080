// maintain(): does the work that waits. The library has no timers of its own; the host calls this at the time that it
// returned.

import { type JobType, LANES, outlook, startJobs } from "../jobs/jobs";
import { forgetWishes } from "../storage/claims";
import { HashSet } from "../storage/hash-set";
import { hasObjects, lastSwept, type Objects, objectsIn, type Swept, sweep, sweptAt } from "../storage/objects";
import type { Reader } from "../storage/transaction";
import { createConcurrencyLimiter } from "../utils/concurrency/concurrency-limiter";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { forgetAnswers } from "./idempotency";
import type { Kernel } from "./kernel";
import { nextPiece } from "./piece";

/** What `maintain()` did, and when it wants to be called next. */
export interface Maintained {
  /** Partitions that were gone through; one that fails is reported to `onError` and stops no other. */
  readonly partitions: number;
  /** Jobs that were due: left behind by a process that crashed, or to be tried again. */
  readonly jobs: number;
  /** Events that were told, or taken away where nobody listens. */
  readonly events: number;
  /** Answers kept for an Idempotency-Key whose day was over. */
  readonly answers: number;
  /** Counts of events whose time was over. */
  readonly counts: number;
  /** Reservations of names that were never used. */
  readonly reservations: number;
  /** Uploads that were never used. */
  readonly uploads: number;
  /** Objects that no revision named any more. */
  readonly objects: number;
  /** Blobs that no record named any more. */
  readonly blobs: number;
  /** Jobs that wait now, by the names of their steps: at most 1,000 are counted for each organization. */
  readonly waiting: Readonly<Record<string, number>>;
  /** Jobs that were given up after many attempts, and wait for an admin: counted in the same way. */
  readonly parked: number;
  /** Whether the last partition was reached; otherwise the next call goes on, and should come at once. */
  readonly finished: boolean;
  readonly next: Date;
}

/** How much one call of `maintain()` takes on. */
export interface MaintainOptions {
  /**
   * At most so many partitions: the next call goes on behind them, in any process. For hosts that stop what takes too
   * long, such as Workers. After a call that was stopped, the next one takes half as many. Default: all.
   */
  readonly partitions?: number;
}

const ABANDONED_AFTER_MS = 60 * 60 * 1000;
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;
/** The longest pause between two calls. */
const INTERVAL_MS = 60 * 1000;

/** Tells the hashes of the objects that one kind of record in a partition names. One may be told more than once. */
export type Reachable = (view: Reader, objects: Objects, tell: (hash: string) => void) => Promise<void>;

/** Deletes what a partition has kept long enough, a bounded piece of it. Gives how much that was. */
export type Forget = (store: Kernel["store"], partition: string) => Promise<number>;

/** What the resources of the API have to say to maintenance. */
export interface Upkeep {
  readonly steps: readonly JobType<never>[];
  readonly reachable: readonly Reachable[];
  readonly forgetting: readonly Forget[];
  /** Brings the audit log of a partition into order. */
  readonly tend: (store: Kernel["store"], partition: string) => Promise<void>;
}

export async function maintain(
  kernel: Kernel,
  { steps, reachable, forgetting, tend }: Upkeep,
  { partitions: most }: MaintainOptions = {},
): Promise<Maintained> {
  if (most !== undefined && !(most >= 1)) throw new TypeError("maintain: `partitions` is a number from 1.");
  const { store, jobs: work } = kernel;
  const piece = most === undefined ? undefined : await nextPiece(store, most);
  const byName = new Map(steps.map((step) => [step.name, step]));
  const olderThan = new Date(store.now().getTime() - ABANDONED_AFTER_MS);
  let next = store.now().getTime() + INTERVAL_MS;
  const done = {
    partitions: 0,
    jobs: 0,
    events: 0,
    answers: 0,
    counts: 0,
    reservations: 0,
    uploads: 0,
    objects: 0,
    blobs: 0,
  };
  const waiting: Record<string, number> = {};
  let parked = 0;
  const lanes = createConcurrencyLimiter(LANES);
  const unfinished: { readonly partition: string; readonly rest: Promise<number> }[] = [];
  for await (const partition of piece?.names ?? store.storage.partitions()) {
    try {
      const jobs = await startJobs(work, partition, byName, lanes);
      done.jobs += jobs.done;
      unfinished.push({ partition, rest: jobs.rest });
      done.events += await work.outbox.empty(partition);
      done.answers += await forgetAnswers(store, partition);
      for (const forget of forgetting) done.counts += await forget(store, partition);
      await tend(store, partition);
      done.reservations += await forgetWishes(store, partition, olderThan);
      const { uploads, objects, blobs } = await sweepDaily(kernel, partition, reachable);
      done.uploads += uploads;
      done.objects += objects;
      done.blobs += blobs;
      done.partitions++;
    } catch (error) {
      // One organization that is damaged must not keep the others waiting.
      work.onError(error);
    }
  }
  await store.storage.maintain?.(piece && { after: piece.after, partitions: piece.names.length }).catch(work.onError);
  for (const { partition, rest } of unfinished) {
    done.jobs += await rest;
    const ahead = await store.read(partition).then(outlook).catch(work.onError);
    if (!ahead) continue;
    next = Math.min(next, ahead.due ?? next);
    parked += ahead.parked;
    for (const [step, count] of ahead.waiting) waiting[step] = (waiting[step] ?? 0) + count;
  }
  await piece?.done();
  const finished = piece?.isLast ?? true;
  const now = store.now().getTime();
  return { ...done, waiting, parked, finished, next: new Date(finished ? Math.max(next, now) : now) };
}

/** Sweeping looks at every object and blob, so it is done once a day, and only where there is something to sweep. */
async function sweepDaily(
  { store, jobs: work }: Kernel,
  partition: string,
  reachable: readonly Reachable[],
): Promise<Swept> {
  const view = await store.read(partition);
  const now = store.now().getTime();
  if (now - (await lastSwept(view)) < SWEEP_EVERY_MS || !(await hasObjects(view)))
    return { objects: 0, uploads: 0, blobs: 0 };
  const swept = await sweep(store, partition, {
    olderThan: new Date(now - ABANDONED_AFTER_MS),
    turn: yieldToEventLoop,
    reachable: async (marked) => {
      const objects = objectsIn(store, work.objects, marked);
      const live = new HashSet();
      for (const of of reachable) await of(marked, objects, (hash) => live.add(hash));
      return live;
    },
  });
  await store.write(partition, async (tx) => sweptAt(tx, now));
  return swept;
}
