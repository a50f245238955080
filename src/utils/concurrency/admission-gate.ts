// A gate for heavy work: a few tasks run at once, some more wait in a queue, and all others are refused.

import { createConcurrencyLimiter } from "./concurrency-limiter";

/** Admits work as far as its limits allow. */
export interface AdmissionGate {
  /**
   * Runs a function as soon as fewer than `maxRunning` others run. Returns undefined if too many already run or wait; the
   * caller should try again later.
   */
  readonly tryRun: <T>(run: () => Promise<T>) => Promise<T> | undefined;
  /** Returns true if nothing runs or waits. */
  readonly isIdle: () => boolean;
}

export function createAdmissionGate(options: {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}): AdmissionGate {
  const { maxRunning, maxWaiting } = options;
  const limitConcurrency = createConcurrencyLimiter(maxRunning);
  let admitted = 0;
  return {
    tryRun(run) {
      if (admitted >= maxRunning + maxWaiting) return undefined;
      admitted++;
      return limitConcurrency(run).finally(() => admitted--);
    },
    isIdle: () => admitted === 0,
  };
}
