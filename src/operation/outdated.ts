// What a handler throws when the world has moved since `prepare` looked at it: the preparation is made again. Steps work in
// the same way.

import type { Store } from "../store/store";

/** What was prepared no longer fits the state that the transaction sees. */
export class Outdated extends Error {
  constructor() {
    super("What was prepared is out of date.");
  }
}

/** Runs what throws `Outdated` anew, on the state as it is by then: so often at most, and then it is thrown on. */
export async function untilUpToDate<T>(store: Pick<Store, "pause">, most: number, run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Outdated) || tries === most) throw error;
      await store.pause(tries);
    }
  }
}
