// Queues that have a record, such as the Git requests of a repository: their items are processed one after the other, by one process
// at a time. The record names the runner that works on the queue, and the time until which that runner is left alone.
//
// A runner that has not released the queue by then belonged to a process that has ended. If one process has the storage to itself, so
// did every runner of another process. The second such runner in a row gives the item up, because the item may be what ends the
// processes. A runner that makes progress renews the lease, and the count begins again.

import { generateRandomText, getPartitionRef, type PartitionRef } from "../storage/ids";
import type { Json } from "../storage/storage";
import type { Reader, Transaction } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";
import { defineJob, type EndJob, enqueueJob, hasOwnerEnded, type JobContext, type JobType, MAX_DEATHS } from "./jobs";

export interface Runner {
  readonly id: string;
  /** The time until which it is left alone. */
  readonly until: number;
  /** The process that it belongs to, if the storage identifies it. */
  readonly owner?: string;
  /** The number of runners in a row before it that never finished. */
  readonly deaths?: number;
}

export interface LeasedRecord {
  readonly runner?: Runner;
}

/** A process at work on a queue. */
export interface Lease<Payload = unknown> {
  readonly jobContext: JobContext;
  readonly place: PartitionRef;
  readonly payload: Payload;
  readonly runnerId: string;
}

/** The functions that process a queue. */
export interface Queue<Payload, State extends LeasedRecord, Taken> {
  readonly records: {
    get(tx: Reader, id: string): Promise<State | undefined>;
    put(tx: Transaction, state: State): Promise<void>;
  };
  readonly getRecordId: (payload: Payload) => string;
  /** Returns the time for which a runner is left alone with what it has taken. */
  readonly getLeaseMs: (jobContext: JobContext) => number;
  /**
   * Takes the next item, and puts the runner into the record. Returns undefined if there is nothing to do, and `again` if an item was
   * put aside and the queue has to be looked at again.
   */
  readonly take: (
    lease: Lease<Payload>,
    tx: Transaction,
    state: State | undefined,
    runner: Runner,
  ) => Promise<Taken | "again" | undefined>;
  /**
   * Processes the item, and releases the record. Returns true if there may be more. If it throws, its job is retried. The commit after
   * which there is nothing more may end the job.
   */
  readonly process: (lease: Lease<Payload>, taken: Taken, endJob: EndJob) => Promise<boolean>;
}

export interface QueueJobType<Payload extends Json, Taken> extends JobType<Payload> {
  /** Takes the next item, in the commit that ends the work on the one before it. */
  readonly takeNext: (lease: Lease<Payload>, tx: Transaction) => Promise<Taken | "again" | undefined>;
  /** Takes the next item, if any, in the commit that adds to the queue; a job processes it after the commit. */
  readonly start: (jobContext: JobContext, tx: Transaction, payload: Payload) => Promise<void>;
}

/** Declares the job type that processes one item of a queue. */
export function defineQueueJob<Payload extends { readonly organization: string }, State extends LeasedRecord, Taken>(
  name: string,
  { records, getRecordId, getLeaseMs, take, process }: Queue<Payload, State, Taken>,
): QueueJobType<Payload, Taken> {
  const createLease = (jobContext: JobContext, payload: Payload): Lease<Payload> => ({
    jobContext,
    place: getPartitionRef(payload.organization),
    payload,
    runnerId: generateRandomText(jobContext.store.random, 16),
  });

  const takeNext = async (lease: Lease<Payload>, tx: Transaction) => {
    const { jobContext, place, payload } = lease;
    const state = await records.get(tx, getRecordId(payload));
    const earlierRunner = state?.runner;
    const now = jobContext.store.now().getTime();
    if (earlierRunner && earlierRunner.until > now && !hasOwnerEnded(jobContext, earlierRunner)) {
      // If the other runner never finishes, this job takes over.
      enqueueJob(jobContext, place, tx, jobType, payload, new Date(earlierRunner.until));
      return undefined;
    }
    const runner = renewRunner(lease, getLeaseMs(jobContext));
    return take(lease, tx, state, earlierRunner ? { ...runner, deaths: (earlierRunner.deaths ?? 0) + 1 } : runner);
  };

  const processTaken = async (lease: Lease<Payload>, taken: Taken, endJob: EndJob) => {
    try {
      return await process(lease, taken, endJob);
    } catch (error) {
      // A runner that is left in the record would look like one whose process has ended.
      await releaseRunner(lease, records, getRecordId(lease.payload)).catch(lease.jobContext.onError);
      throw error;
    }
  };

  const run: JobType<Payload>["run"] = async (jobContext, payload, _, endJob = () => {}) => {
    const lease = createLease(jobContext, payload);
    const taken = await jobContext.store.write(lease.place.partition, async (tx) => {
      const next = await takeNext(lease, tx);
      if (next === undefined) endJob(tx);
      return next;
    });
    if (taken === undefined || taken === "again") return taken === "again";
    return processTaken(lease, taken, endJob);
  };

  const start = async (jobContext: JobContext, tx: Transaction, payload: Payload) => {
    const lease = createLease(jobContext, payload);
    let first = await takeNext(lease, tx);
    if (first === undefined) return;
    const runFirst: JobType<Payload>["run"] = (currentContext, currentPayload, canContinue, endJob = () => {}) => {
      if (first === undefined || first === "again") return run(currentContext, currentPayload, canContinue, endJob);
      const taken = first;
      first = undefined;
      return processTaken(lease, taken, endJob);
    };
    enqueueJob(jobContext, lease.place, tx, { ...jobType, run: runFirst }, payload);
  };

  const jobType = { ...defineJob<Payload>(name, run, { isLong: true, hasRunner: true }), takeNext, start };
  return jobType;
}

/** Returns true if the record still exists and names this runner, so nobody else has taken over. */
export function hasLease<State extends LeasedRecord>(
  { runnerId }: Pick<Lease, "runnerId">,
  state: State | undefined,
): state is State & { readonly runner: Runner } {
  return state?.runner?.id === runnerId;
}

/** Returns a record that nobody works on. */
export function removeRunner<State extends LeasedRecord>({ runner: _, ...state }: State): Omit<State, "runner"> {
  return state;
}

export function renewRunner({ jobContext, runnerId }: Pick<Lease, "jobContext" | "runnerId">, leaseMs: number): Runner {
  const { store } = jobContext;
  return { id: runnerId, until: store.now().getTime() + leaseMs, ...omitUndefined({ owner: store.storage.owner }) };
}

/** Removes the runner from a record, unless the record names another one by now. */
export async function releaseRunner<State extends LeasedRecord>(
  lease: Pick<Lease, "jobContext" | "place" | "runnerId">,
  records: Queue<never, State, never>["records"],
  id: string,
): Promise<void> {
  await lease.jobContext.store.write(lease.place.partition, async (tx) => {
    const state = await records.get(tx, id);
    if (hasLease(lease, state)) await records.put(tx, removeRunner(state) as State);
  });
}

/** Returns true if so many runners have died that nobody should begin again. */
export function hasDiedTooOften({ deaths = 0 }: Runner): boolean {
  return deaths >= MAX_DEATHS;
}

/** The error of an item that was given up because of that. */
export const DIED_TOO_OFTEN_MESSAGE = `The server ended ${MAX_DEATHS} times while it was at it, so it is not tried again by itself.`;
