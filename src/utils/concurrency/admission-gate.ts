// A gate for heavy work: a few run at once, some more wait for their turn, and all others are refused.

import { createConcurrencyLimiter } from "./concurrency-limiter";

/** Lets work in as far as there is room. */
export interface AdmissionGate {
  /** Runs a function when it is its turn; undefined when too many already run or wait. Then it is to be tried later. */
  readonly tryRun: <T>(run: () => Promise<T>) => Promise<T> | undefined;
  /** Whether nothing runs or waits. */
  readonly isIdle: () => boolean;
}

export function createAdmissionGate({
  maxRunning: atOnce,
  maxWaiting: waiting,
}: {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}): AdmissionGate {
  const lanes = createConcurrencyLimiter(atOnce);
  let inside = 0;
  return {
    tryRun(run) {
      if (inside >= atOnce + waiting) return undefined;
      inside++;
      return lanes(run).finally(() => inside--);
    },
    isIdle: () => inside === 0,
  };
}
