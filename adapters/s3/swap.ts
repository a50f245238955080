// Replaces a head by its successor, and finds out whether that has happened when the store does not say. Every answer
// but a plain success is settled by reading the head: a 412 may be the answer to a repetition of our own success.

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

/** What a head is to become. */
export interface Successor {
  readonly head: Head;
  readonly recent: RecentKeys;
  readonly recentSize: number;
}

/** Makes one attempt; false when another head came first, and then the present has it. */
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
  // Whether an attempt was sent of which we do not know that it came to nothing.
  let doubt = false;
  let failure: StoreFailure | undefined;
  const began = requests.environment.now();
  for (let turn = 0; turn === 0 || requests.mayRetry(turn - 1, began); turn++) {
    if (turn > 0) await requests.waitBeforeRetry(turn - 1);
    let put: PutResult | undefined;
    const sentAt = requests.environment.now();
    try {
      put = await requests.sendOnce(requests.objects.put(object, bytes, condition));
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      failure = error;
      if (error.outcome === "none" && !doubt) {
        if (error.isTransient) continue;
        throw toStorageError(error, "none");
      }
    }
    if (put?.outcome === "stored") {
      const { recent, recentSize } = successor;
      present.accept({ head, etag: put.etag, recent, recentSize }, sentAt);
      return true;
    }
    doubt = true;
    const outcome = resolveAttempt((await readInDoubt(present)).head, base.head, attempt);
    if (outcome === "won") return true;
    if (outcome === "lost") return false;
    if (outcome === "forgotten")
      throw new Unavailable(`${object} has changed too often to tell whether a commit is in it.`, {
        outcome: "unknown",
        cause: failure,
      });
  }
  const reason = failure?.message ?? `${object} could not be replaced, though nobody else has done so.`;
  throw new Unavailable(reason, { outcome: doubt ? "unknown" : "none", cause: failure });
}

async function readInDoubt(present: Present): Promise<HeadState> {
  try {
    return await present.readLatest();
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause;
    throw new Unavailable(cause.message, { outcome: "unknown", cause });
  }
}
