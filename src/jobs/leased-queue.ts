// Queues that have a record of their own, such as the requests of a repository: what waits is carried out one after the other,
// by one process at a time. Whoever works on a queue is named in its record, the runner, and is left alone until a time.
//
// A runner who did not let go in that time belonged to a process that has ended. Where one process has the storage alone, so did
// every runner of another process. The second in a row is reason enough to give
// up what it was about, since it may be that which ends them. Whoever gets somewhere renews the lease, and the count begins anew.

import { generateRandomText, getOrganizationPlace, type Place } from "../storage/ids";
import type { Json } from "../storage/storage";
import type { Reader, Transaction } from "../storage/transaction";
import { defineJob, type End, enqueueJob, hasEnded, type JobContext, type JobType, MAX_DEATHS, ownerOf } from "./jobs";

/** Whoever works on a queue, and until when they are left alone. */
export interface Runner {
  readonly id: string;
  readonly until: number;
  /** The process that they belong to, where the storage names it. */
  readonly owner?: string;
  /** How many before them never came to an end, one after the other. */
  readonly deaths?: number;
}

/** The record of a queue. */
export interface Leased {
  readonly runner?: Runner;
}

/** One process at a queue. */
export interface Lease<Payload = unknown> {
  readonly jobContext: JobContext;
  readonly at: Place;
  readonly payload: Payload;
  /** The id of this runner. */
  readonly runner: string;
}

/** How a queue is worked on. */
export interface Queue<Payload, State extends Leased, Taken> {
  /** The set that has the record of the queue, under the id that follows from the payload. */
  readonly records: {
    get(tx: Reader, id: string): Promise<State | undefined>;
    put(tx: Transaction, state: State): Promise<void>;
  };
  readonly id: (payload: Payload) => string;
  /** How long whoever has taken something is left alone with it. */
  readonly milliseconds: (work: JobContext) => number;
  /** Takes what is next, and puts the runner into the record. Undefined: nothing is to be done. `again`: something was put
   * aside, and it is to be looked again. */
  readonly take: (
    lease: Lease<Payload>,
    tx: Transaction,
    state: State | undefined,
    runner: Runner,
  ) => Promise<Taken | "again" | undefined>;
  /** Carries out what was taken, and lets go of the record; true: there may be more. What it throws has its job tried again.
   * The commit after which there is nothing more may `end` the job. */
  readonly carryOut: (lease: Lease<Payload>, taken: Taken, end: End) => Promise<boolean>;
}

/** A step that works on a queue. */
export interface QueueStep<Payload extends Json, Taken> extends JobType<Payload> {
  /** Takes what is next, in the commit that ends with what was before it. */
  readonly takeNext: (lease: Lease<Payload>, tx: Transaction) => Promise<Taken | "again" | undefined>;
  /** Takes what is next in the commit that adds to the queue, with a job that carries it out after the commit. Nothing is
   * done where there is nothing to take. */
  readonly begin: (work: JobContext, tx: Transaction, payload: Payload) => Promise<void>;
}

/** Declares the step that works on a queue: one thing of it. */
export function queueStep<Payload extends { readonly organization: string }, State extends Leased, Taken>(
  name: string,
  queue: Queue<Payload, State, Taken>,
): QueueStep<Payload, Taken> {
  const { records, id, milliseconds, take, carryOut } = queue;

  const takeNext = async (lease: Lease<Payload>, tx: Transaction) => {
    const { jobContext: work, at, payload } = lease;
    const state = await records.get(tx, id(payload));
    const before = state?.runner;
    if (before && before.until > work.store.now().getTime() && !hasEnded(work, before)) {
      // Should they never come to an end, this one takes over.
      enqueueJob(work, at, tx, itself, payload, new Date(before.until));
      return undefined;
    }
    const fresh = renewed(lease, milliseconds(work));
    return take(lease, tx, state, before ? { ...fresh, deaths: (before.deaths ?? 0) + 1 } : fresh);
  };

  const newLease = (work: JobContext, payload: Payload): Lease<Payload> => ({
    jobContext: work,
    at: getOrganizationPlace(payload.organization),
    payload,
    runner: generateRandomText(work.store.random, 16),
  });

  const finish = async (lease: Lease<Payload>, taken: Taken, end: End) => {
    try {
      return await carryOut(lease, taken, end);
    } catch (error) {
      // A runner who is left in the record would look like one whose process has ended.
      await release(lease, records, id(lease.payload)).catch(lease.jobContext.onError);
      throw error;
    }
  };

  const run: JobType<Payload>["run"] = async (work, payload, _, end = () => {}) => {
    const lease = newLease(work, payload);
    const taken = await work.store.write(lease.at.partition, async (tx) => {
      const next = await takeNext(lease, tx);
      if (next === undefined) end(tx);
      return next;
    });
    if (taken === undefined || taken === "again") return taken === "again";
    return finish(lease, taken, end);
  };

  const begin = async (work: JobContext, tx: Transaction, payload: Payload) => {
    const lease = newLease(work, payload);
    let first = await takeNext(lease, tx);
    if (first === undefined) return;
    const runFirst: JobType<Payload>["run"] = (present, given, mayGoOn, end = () => {}) => {
      if (first === undefined || first === "again") return run(present, given, mayGoOn, end);
      const taken = first;
      first = undefined;
      return finish(lease, taken, end);
    };
    enqueueJob(work, lease.at, tx, { ...itself, run: runFirst }, payload);
  };

  const itself = { ...defineJob<Payload>(name, run, { isLong: true, hasRunner: true }), takeNext, begin };
  return itself;
}

/** Whether a record names this runner: nobody else has taken over, and it is still there. */
export function isHeld<State extends Leased>(
  { runner }: Pick<Lease, "runner">,
  state: State | undefined,
): state is State & { readonly runner: Runner } {
  return state?.runner?.id === runner;
}

/** A record that nobody works on. */
export function idle<State extends Leased>({ runner: _, ...state }: State): Omit<State, "runner"> {
  return state;
}

/** The runner for another while. */
export function renewed(
  { jobContext: work, runner }: Pick<Lease, "jobContext" | "runner">,
  milliseconds: number,
): Runner {
  return { id: runner, until: work.store.now().getTime() + milliseconds, ...ownerOf(work) };
}

/** Takes the runner out of a record, unless it names somebody else by now. */
export async function release<State extends Leased>(
  lease: Pick<Lease, "jobContext" | "at" | "runner">,
  records: Queue<never, State, never>["records"],
  id: string,
): Promise<void> {
  await lease.jobContext.store.write(lease.at.partition, async (tx) => {
    const state = await records.get(tx, id);
    if (isHeld(lease, state)) await records.put(tx, idle(state) as State);
  });
}

/** Whether so many have ended at this that nobody is to begin it again. */
export function isDeadly({ deaths = 0 }: Runner): boolean {
  return deaths >= MAX_DEATHS;
}

/** What is told of what is given up for that. */
export const DEADLY = `The server ended ${MAX_DEATHS} times while it was at it, so it is not tried again by itself.`;
