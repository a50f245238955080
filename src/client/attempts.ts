// How often a call is sent, and how long is waited in between. A call is sent again only when that cannot have a second
// effect.

import { CallError } from "./call-error";
import type { Route } from "./route";

/** What attempts depend on, so that tests can pass it in. */
export interface Surroundings {
  /** Resolves after so many milliseconds; rejects when the signal is aborted before that. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Milliseconds, for measuring. */
  readonly now: () => number;
}

/** The first pause is at most this long, and each further one at most twice as long. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Runs attempts until one succeeds, none is left, or another one would be wrong. A server that asks for more patience
 * than `until` leaves is not waited for: the caller hears at once how long it would take.
 */
export async function persist<Value>(
  attempt: () => Promise<Value>,
  repeats: Route["repeats"],
  limits: { readonly retries: number; readonly until: number; readonly signal: AbortSignal },
  { wait, random, now }: Surroundings,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CallError) || failures >= limits.retries || !mayRepeat(error, repeats)) throw error;
      const pause = pauseAfter(failures, error.retryAfter, random());
      if (now() + pause >= limits.until) throw error;
      await wait(pause, limits.signal);
    }
  }
}

/** Whether sending again can help, and does nothing twice. */
function mayRepeat({ reason, status }: CallError, repeats: Route["repeats"]): boolean {
  if (reason === "rate_limited") return true;
  const isCut = reason === "network" || ((reason === "not_json" || reason === "unexpected") && isOfGateway(status));
  if (isCut || reason === "outcome_unknown") return repeats !== "once";
  // Our own 503 says that nothing was changed.
  return status === 503;
}

/** What a proxy answers when the server behind it does not. */
function isOfGateway(status: number | undefined): boolean {
  return status === 502 || status === 503 || status === 504 || status === 429;
}

/** A random part keeps many clients from coming back at the same moment. */
function pauseAfter(failures: number, retryAfter: number | undefined, chance: number): number {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  return (retryAfter ?? 0) * 1000 + most * (retryAfter === undefined ? 0.5 + chance / 2 : chance);
}

export const surroundings: Surroundings = {
  random: Math.random,
  now: Date.now,
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    }),
};
