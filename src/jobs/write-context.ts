// The context of a job's transaction. It has the members that the context of a handler has, so that both can call the same code.

import type { Ports } from "../ports/ports";
import type { PartitionRef } from "../storage/ids";
import type { Json } from "../storage/storage";
import type { Transaction } from "../storage/transaction";
import { enqueueJob, type JobContext, type JobType } from "./jobs";
import type { OutgoingEvent } from "./outbox";

/** A transaction, and what takes effect with its commit. */
export interface WriteContext {
  readonly tx: Transaction;
  readonly now: Date;
  readonly ports: Ports;
  /** Enqueues a job that runs after the commit; with a time in the future, not before that. Returns its id. */
  readonly enqueueJob: <Payload extends Json>(jobType: JobType<Payload>, payload: Payload, when?: Date) => string;
  /** Emits an event, which is delivered after the commit. */
  readonly emit: (event: OutgoingEvent) => void;
}

export function createWriteContext(jobContext: JobContext, place: PartitionRef, tx: Transaction): WriteContext {
  return {
    tx,
    now: jobContext.store.now(),
    ports: jobContext.ports,
    enqueueJob: (jobType, payload, when) => enqueueJob(jobContext, place, tx, jobType, payload, when),
    emit: (event) => jobContext.outbox.emit(place, tx, event),
  };
}
