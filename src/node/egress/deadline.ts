// The time limit of a request, from the call to the last byte of the answer.

import { EgressRefused } from "./refused";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock. */
  end(): void;
}

/** A signal that fires when the time is over or the caller has lost interest, whichever comes first. */
export function startDeadline(url: URL, timeoutMs: number, caller: AbortSignal | null | undefined): Deadline {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new EgressRefused(url, "timeout", `it took longer than ${timeoutMs} ms`));
  const timer = setTimeout(giveUp, timeoutMs).unref();
  const onAbort = () => controller.abort(caller!.reason);
  caller?.addEventListener("abort", onAbort);
  if (caller?.aborted) onAbort();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    },
  };
}
