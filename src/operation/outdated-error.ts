// The error that a handler throws when the state has changed since `prepare` read it. The preparation then runs again.
// Jobs use it in the same way.

import type { Store } from "../storage/store";

/** What was prepared does not fit the state that the transaction sees. */
export class OutdatedError extends Error {
  constructor() {
    super("What was prepared is out of date.");
  }
}

/** Runs a function again, on the current state, each time it throws `OutdatedError`; unless, after so many attempts, it may not. */
export async function retryWhileOutdated<T>(
  store: Pick<Store, "pause">,
  mayTryAgain: (tries: number) => boolean,
  run: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof OutdatedError) || !mayTryAgain(tries)) throw error;
      await store.pause(tries);
    }
  }
}
