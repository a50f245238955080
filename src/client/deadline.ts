// How a call ends before its answer: by the clock, or by the caller.

import { CallError } from "./call-error";

/** The end of one call. */
export interface Deadline {
  /** Aborted when the call is to end. */
  readonly signal: AbortSignal;
  /** The value, unless the call ends before. Not every `fetch` looks at the signal of a request. */
  readonly orEnded: <Value>(value: Promise<Value>) => Promise<Value>;
  /** What an error of this call is called: an end by the caller or the clock counts first. */
  readonly explain: (error: unknown) => CallError;
  /** The call is over. */
  readonly clear: () => void;
}

/** Timers cannot be set further ahead. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createDeadline(timeout: number, caller: AbortSignal | undefined): Deadline {
  const clock = new AbortController();
  const signal = caller ? AbortSignal.any([caller, clock.signal]) : clock.signal;
  const timer = Number.isFinite(timeout)
    ? setTimeout(() => clock.abort(), Math.min(timeout, LONGEST_TIMER_MS))
    : undefined;
  return {
    signal,
    orEnded: (value) => Promise.race([value, endOf(signal)]),
    explain(error) {
      if (caller?.aborted) return new CallError("aborted", "The call was aborted.", { cause: caller.reason });
      if (clock.signal.aborted) return new CallError("timeout", `The call took longer than ${timeout} ms.`);
      return error instanceof CallError ? error : new CallError("network", sentenceOf(error), { cause: error });
    },
    clear: () => clearTimeout(timer),
  };
}

/** Rejects when the signal is aborted. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** What is known of a connection that failed: Node says it in the cause. */
function sentenceOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: string; readonly cause?: { readonly message?: string } };
  const told = [message, cause?.message].filter(Boolean).join(": ");
  return `No answer came${told === "" ? "." : `: ${told}`}`;
}
