// Replaces a head by its successor, and finds out whether that has happened when the store does not say. Every answer
// but a plain success is settled by reading the head: a 412 may be the answer to a repetition of our own success.

import { Unavailable } from "../adapter";
import { type Attempt, encodeHead, type Head, type Recent, type State, settled, signed } from "./head";
import { type Put, StoreFailure } from "./object-store";
import type { Present } from "./present";
import { asStorageError, type Requests } from "./requests";

/** What a head is to become. */
export interface Successor {
  readonly head: Head;
  readonly recent: Recent;
  readonly recentSize: number;
}

/** Makes one attempt; false when another head came first, and then the present has it. */
export async function swap(
  present: Present,
  requests: Requests,
  attempt: Attempt,
  base: State,
  successor: Successor,
): Promise<boolean> {
  const object = requests.head(present.partition);
  const head = signed(successor.head, attempt);
  const bytes = encodeHead(head, successor.recent);
  const condition = base.etag === undefined ? ({ ifAbsent: true } as const) : { ifMatch: base.etag };
  // Whether an attempt was sent of which we do not know that it came to nothing.
  let doubt = false;
  let failure: StoreFailure | undefined;
  const began = requests.around.now();
  for (let turn = 0; turn === 0 || requests.mayTryAgain(turn - 1, began); turn++) {
    if (turn > 0) await requests.backOff(turn - 1);
    let put: Put | undefined;
    const sentAt = requests.around.now();
    try {
      put = await requests.answered(requests.objects.put(object, bytes, condition));
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      failure = error;
      if (error.outcome === "none" && !doubt) {
        if (error.passing) continue;
        throw asStorageError(error, "none");
      }
    }
    if (put?.outcome === "stored") {
      const { recent, recentSize } = successor;
      present.take({ head, etag: put.etag, recent, recentSize }, sentAt);
      return true;
    }
    doubt = true;
    const outcome = settled((await readInDoubt(present)).head, base.head, attempt);
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

async function readInDoubt(present: Present): Promise<State> {
  try {
    return await present.fresh();
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause;
    throw new Unavailable(cause.message, { outcome: "unknown", cause });
  }
}
