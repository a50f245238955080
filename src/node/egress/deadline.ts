// The time limits of a request: from the call to the last byte of the answer, and for parts of that way.

import { EgressRefused } from "./refused";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the limit of a part of the request. It ends when the returned function is called. */
  part(what: string, ms: number): () => void;
  /** Stops all clocks. */
  end(): void;
}

/** A signal that fires when a time limit is over or the caller has aborted, whichever comes first. */
export function startDeadline(url: URL, timeoutMs: number, caller: AbortSignal | null | undefined): Deadline {
  const controller = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const part = (what: string, ms: number) => {
    const giveUp = () => controller.abort(new EgressRefused(url, "timeout", `${what} took longer than ${ms} ms`));
    const timer = setTimeout(giveUp, ms).unref();
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  part("it", timeoutMs);
  const onAbort = () => controller.abort(caller!.reason);
  caller?.addEventListener("abort", onAbort);
  if (caller?.aborted) onAbort();
  return {
    signal: controller.signal,
    part,
    end() {
      for (const timer of timers) clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    },
  };
}
