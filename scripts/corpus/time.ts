// How long work takes: seconds of the processor, and the longest time in which nothing else could run.

import { readFileSync } from "node:fs";
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { pid } from "node:process";

/** What work has cost. */
export interface Cost {
  readonly processorSeconds: number;
  /** The longest hold of the event loop, in milliseconds of the processor: a busy machine makes it no longer, and neither do
   * the threads beside it. */
  readonly longestHold: number;
  /** The longest hold without what the garbage collector took of it. */
  readonly longestWork: number;
  /** The longest pause that the garbage collector made. */
  readonly longestCollection: number;
}

/** How often the event loop is looked at, in milliseconds. */
const EVERY = 2;

/** Shorter holds are not remembered. */
const SHORT = 5;

interface Hold {
  readonly from: number;
  readonly to: number;
  /** Of the processor. */
  readonly milliseconds: number;
}

/** Does work, and says what it has cost. */
export async function costOf<Result>(work: () => Promise<Result>): Promise<Cost & { readonly result: Result }> {
  const holds: Hold[] = [];
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  let last = { time: performance.now(), used: ofThread() };
  const look = () => {
    const now = { time: performance.now(), used: ofThread() };
    const milliseconds = now.used - last.used;
    if (milliseconds >= SHORT) holds.push({ from: last.time, to: now.time, milliseconds });
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
    // Collections are told a moment later.
    await new Promise((done) => setTimeout(done, EVERY));
    return {
      result,
      processorSeconds: (user + system) / 1e6,
      longestHold: most(holds.map(({ milliseconds }) => milliseconds)),
      longestWork: most(holds.map((hold) => hold.milliseconds - collectedIn(hold, collections))),
      longestCollection: most(collections.map(({ duration }) => duration)),
    };
  } finally {
    clearInterval(timer);
    observer.disconnect();
  }
}

const most = (all: readonly number[]) => all.reduce((longest, each) => Math.max(longest, each), 0);

/** How long the garbage collector ran in a hold. */
function collectedIn({ from, to }: Hold, collections: readonly PerformanceEntry[]): number {
  const inside = collections.map(
    ({ startTime, duration }) => Math.min(to, startTime + duration) - Math.max(from, startTime),
  );
  return inside.reduce((sum, each) => sum + Math.max(0, each), 0);
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
