// Replaces a head by its successor, and determines whether that has happened if the store does not say. After every response except a
// success the head is read, because a 412 may be the response to a retry of a request that succeeded.

import { Unavailable } from "../adapter";
import {
  encodeHead,
  type Head,
  type HeadAttempt,
  type HeadState,
  type RecentKeys,
  resolveAttempt,
  signHead,
} from "./head";
import { type PutResult, StoreFailure } from "./object-store";
import type { Present } from "./present";
import { type Requests, toStorageError } from "./requests";

/** The content of the next head. */
export interface Successor {
  readonly head: Head;
  readonly recent: RecentKeys;
  readonly recentSize: number;
}

/** Makes one attempt. Returns false if another head came first, which `present` then contains. */
export async function swapHead(
  present: Present,
  requests: Requests,
  attempt: HeadAttempt,
  base: HeadState,
  successor: Successor,
): Promise<boolean> {
  const object = requests.getHeadName(present.partition);
  const head = signHead(successor.head, attempt);
  const bytes = encodeHead(head, successor.recent);
  const condition = base.etag === undefined ? ({ ifAbsent: true } as const) : { ifMatch: base.etag };
  // True if a request may have been applied.
  let isDoubtful = false;
  let failure: StoreFailure | undefined;
  const startedAt = requests.environment.now();
  for (let retry = 0; retry === 0 || requests.mayRetry(retry - 1, startedAt); retry++) {
    if (retry > 0) await requests.waitBeforeRetry(retry - 1);
    let put: PutResult | undefined;
    const sentAt = requests.environment.now();
    try {
      put = await requests.sendOnce(requests.objects.put(object, bytes, condition));
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      failure = error;
      if (error.outcome === "none" && !isDoubtful) {
        if (error.isTransient) continue;
        throw toStorageError(error, "none");
      }
    }
    if (put?.outcome === "stored") {
      const { recent, recentSize } = successor;
      present.accept({ head, etag: put.etag, recent, recentSize }, sentAt);
      return true;
    }
    isDoubtful = true;
    const latest = await present.readLatest().catch((cause) => {
      if (!(cause instanceof Unavailable)) throw cause;
      throw new Unavailable(cause.message, { outcome: "unknown", cause });
    });
    const outcome = resolveAttempt(latest.head, base.head, attempt);
    if (outcome === "won") return true;
    if (outcome === "lost") return false;
    if (outcome === "forgotten")
      throw new Unavailable(`${object} has changed too often to tell whether a commit is in it.`, {
        outcome: "unknown",
        cause: failure,
      });
  }
  const reason = failure?.message ?? `${object} could not be replaced, though nobody else has done so.`;
  throw new Unavailable(reason, { outcome: isDoubtful ? "unknown" : "none", cause: failure });
}
