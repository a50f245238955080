// The time limits of a request: from the call to the last byte of the response, and for its phases.

import { EgressError } from "./errors";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the limit of a phase of the request. It ends when the returned function is called. */
  startPhase(name: string, limitMs: number): () => void;
  /** Stops all timers. */
  end(): void;
}

/** Creates a signal that fires when a time limit is over or the caller has aborted, whichever comes first. */
export function startDeadline(url: URL, timeoutMs: number, callerSignal: AbortSignal | null | undefined): Deadline {
  const controller = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const startPhase = (name: string, limitMs: number) => {
    const abort = () => controller.abort(new EgressError(url, "timeout", `${name} took longer than ${limitMs} ms`));
    const timer = setTimeout(abort, limitMs).unref();
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };

  startPhase("it", timeoutMs);
  const onAbort = () => controller.abort(callerSignal!.reason);
  callerSignal?.addEventListener("abort", onAbort);
  if (callerSignal?.aborted) onAbort();
  return {
    signal: controller.signal,
    startPhase,
    end() {
      for (const timer of timers) clearTimeout(timer);
      callerSignal?.removeEventListener("abort", onAbort);
    },
  };
}
