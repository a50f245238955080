// Sends a call again after a failure, with increasing pauses, and only if that cannot have a second effect.

import { CallError } from "./call-error";
import type { ClientRoute } from "./route";

/** The clock and the randomness that retries depend on. Tests pass in their own. */
export interface ClientEnvironment {
  /** Resolves after so many milliseconds. Rejects if the signal is aborted before that. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

/** The first pause takes at most this long, and each further one at most twice as long. */
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;

/**
 * Runs attempts until one succeeds, none is left, or another one would be wrong. If the server asks for a longer pause
 * than `until` leaves, the call fails at once, and its error says how long the pause would be.
 */
export async function callWithRetries<Value>(
  attempt: () => Promise<Value>,
  retryMode: ClientRoute["retryMode"],
  limits: { readonly retries: number; readonly until: number; readonly signal: AbortSignal },
  { wait, random, now }: ClientEnvironment,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CallError) || failures >= limits.retries) throw error;

      // The call is sent again only if that can help and has no second effect. A proxy answers with the status of a gateway if the
      // server behind it does not. A 503 of the API itself says that nothing was changed.
      const { reason, status, retryAfter } = error;
      const isGatewayStatus = status === 502 || status === 503 || status === 504 || status === 429;
      const isCut = reason === "network" || ((reason === "not_json" || reason === "unexpected") && isGatewayStatus);
      const mayHaveEffect = isCut || reason === "outcome_unknown";
      const isHarmless = mayHaveEffect ? retryMode !== "once" : status === 503;
      if (reason !== "rate_limited" && !isHarmless) throw error;

      // The random part keeps many clients from coming back at the same moment.
      const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
      const pauseMs =
        retryAfter === undefined ? backoffMs * (0.5 + random() / 2) : retryAfter * 1000 + backoffMs * random();
      if (now() + pauseMs >= limits.until) throw error;
      await wait(pauseMs, limits.signal);
    }
  }
}

export const systemEnvironment: ClientEnvironment = {
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
