// Limits how many calls run at once. The others wait, in the order in which they came.

/** Runs a function as soon as fewer calls than the limit run. */
export type ConcurrencyLimiter = <T>(run: () => Promise<T>) => Promise<T>;

export function createConcurrencyLimiter(maxRunning: number): ConcurrencyLimiter {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running < maxRunning) running++;
    else await new Promise<void>((start) => queue.push(start));
    try {
      return await run();
    } finally {
      // The place passes to the next call directly, so that no later one can take it.
      const startNext = queue.shift();
      if (startNext) startNext();
      else running--;
    }
  };
}
