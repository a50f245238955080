// How long work takes: seconds of the processor, and the longest time in which nothing else could run.

import { readFileSync } from "node:fs";

/** What work has cost. */
export interface Cost {
  readonly processorSeconds: number;
  /** The longest hold of the event loop, in milliseconds of the processor: a busy machine makes it no longer, and neither do
   * the threads beside it. */
  readonly longestHold: number;
}

/** How often the event loop is looked at, in milliseconds. */
const EVERY = 5;

/** Does work, and says what it has cost. */
export async function costOf<Result>(work: () => Promise<Result>): Promise<Cost & { readonly result: Result }> {
  let [last, longestHold] = [spentByThread(), 0];
  const look = () => {
    longestHold = Math.max(longestHold, spentByThread() - last);
    last = spentByThread();
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

/** Milliseconds that the thread of the event loop has had of the processor. Where the system does not tell, those of the
 * whole process. */
function spentByThread(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
