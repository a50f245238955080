// The error that a handler throws if the state has changed since `prepare` read it. The preparation then runs again. Jobs use
// it in the same way.

import type { Store } from "../storage/store";

/** Thrown if the prepared work does not fit the state that the transaction sees. */
export class OutdatedError extends Error {
  constructor() {
    super("What was prepared is out of date.");
  }
}

/**
 * Runs a function again, on the current state, each time that it throws `OutdatedError`. Throws the error itself when
 * `mayRetry` returns false for the number of attempts so far.
 */
export async function retryWhileOutdated<T>(
  store: Pick<Store, "pause">,
  mayRetry: (attempts: number) => boolean,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof OutdatedError) || !mayRetry(attempts)) throw error;
      await store.pause(attempts);
    }
  }
}
