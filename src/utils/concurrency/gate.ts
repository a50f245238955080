// A gate for heavy work: a few run at once, some more wait for their turn, and all others are refused.

import { createConcurrencyLimiter } from "./lanes";

/** Lets work in as far as there is room. */
export interface AdmissionGate {
  /** Runs a function when it is its turn; undefined when too many already run or wait. Then it is to be tried later. */
  readonly enter: <T>(run: () => Promise<T>) => Promise<T> | undefined;
  /** Whether nothing runs or waits. */
  readonly isEmpty: () => boolean;
}

export function createAdmissionGate({
  atOnce,
  waiting,
}: {
  readonly atOnce: number;
  readonly waiting: number;
}): AdmissionGate {
  const lanes = createConcurrencyLimiter(atOnce);
  let inside = 0;
  return {
    enter(run) {
      if (inside >= atOnce + waiting) return undefined;
      inside++;
      return lanes(run).finally(() => inside--);
    },
    isEmpty: () => inside === 0,
  };
}
