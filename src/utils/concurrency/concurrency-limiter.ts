// A limited number of calls at once. The others wait, in the order in which they came.

/** Runs something as soon as there is room. */
export type ConcurrencyLimiter = <T>(run: () => Promise<T>) => Promise<T>;

export function createConcurrencyLimiter(count: number): ConcurrencyLimiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running < count) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
