// What a step has beside its transaction: the same as a handler, so that both can call the same code.

import type { Ports } from "../ports/ports";
import type { Place } from "../storage/ids";
import type { Json } from "../storage/storage";
import type { Transaction } from "../storage/transaction";
import type { OutgoingEvent } from "./events";
import { enqueueJob, type JobContext, type JobType } from "./jobs";

/** A transaction, and what goes with its commit. */
export interface Writing {
  readonly tx: Transaction;
  readonly now: Date;
  readonly ports: Ports;
  /** Has a step run after the commit; with a time to come, not before that. */
  readonly enqueueJob: <Payload extends Json>(step: JobType<Payload>, payload: Payload, when?: Date) => string;
  /** Tells whoever listens, once the commit holds. */
  readonly emit: (event: OutgoingEvent) => void;
}

/** What goes with the transaction of a step. */
export function writingIn(work: JobContext, at: Place, tx: Transaction): Writing {
  return {
    tx,
    now: work.store.now(),
    ports: work.ports,
    enqueueJob: (step, payload, when) => enqueueJob(work, at, tx, step, payload, when),
    emit: (event) => work.outbox.emit(at, tx, event),
  };
}
