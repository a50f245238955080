// How long work takes: seconds of the processor, and the longest time in which nothing else could run.

/** What work has cost. */
export interface Cost {
  readonly processorSeconds: number;
  /** The longest hold of the event loop, in milliseconds of the processor: a busy machine makes it no longer. */
  readonly longestHold: number;
}

/** How often the event loop is looked at, in milliseconds. */
const EVERY = 5;

/** Does work, and says what it has cost. */
export async function costOf<Result>(work: () => Promise<Result>): Promise<Cost & { readonly result: Result }> {
  let [last, longestHold] = [process.cpuUsage(), 0];
  const look = () => {
    const { user, system } = process.cpuUsage(last);
    longestHold = Math.max(longestHold, (user + system) / 1000);
    last = process.cpuUsage();
  };
  const timer = setInterval(look, EVERY);
  const before = process.cpuUsage();
  try {
    const result = await work();
    // A hold up to the very end is one too.
    await new Promise((done) => setTimeout(done, 0));
    look();
    const { user, system } = process.cpuUsage(before);
    return { result, processorSeconds: (user + system) / 1e6, longestHold };
  } finally {
    clearInterval(timer);
  }
}
