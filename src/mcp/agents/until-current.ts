// Writing on what was read: a write that comes too late is worked out again on what is there now.

import { DocsError } from "../../errors";

const MOST_ATTEMPTS = 5;

/** Runs work that reads and then writes with `ifMatch`, again while others write in between. */
export async function untilCurrent<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isLate = error instanceof DocsError && error.reason === "precondition_failed";
      if (!isLate || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
