// How long work takes: seconds of the processor, and the longest time in which nothing else could run.

import { readFileSync } from "node:fs";
import { pid } from "node:process";

/** What work has cost. */
export interface Cost {
  readonly processorSeconds: number;
  /** The longest hold of the event loop, in milliseconds of the processor: a busy machine makes it no longer, and neither do
   * the threads beside it. */
  readonly longestHold: number;
}

/** How often the event loop is looked at, in milliseconds. */
const EVERY = 2;

/** Does work, and says what it has cost. */
export async function costOf<Result>(work: () => Promise<Result>): Promise<Cost & { readonly result: Result }> {
  let [last, longestHold] = [ofThread(), 0];
  const look = () => {
    const now = ofThread();
    longestHold = Math.max(longestHold, now - last);
    last = now;
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

/**
 * Milliseconds of the processor that the thread of the event loop has used. Linux tells them; elsewhere those of the process
 * count, with the threads that collect garbage and pack bytes.
 */
function ofThread(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
