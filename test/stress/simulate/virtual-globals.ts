// Runs work in virtual time with the code as it is: while it runs, the timers, the clock and the random numbers of this
// process are those of the simulation. What client libraries and a PostgreSQL in this process read is the same.

import type { VirtualTime } from "./virtual-time";

/** What `Date.now` gives at the beginning of a day. */
const MIDNIGHT = Date.UTC(2026, 0, 1);

export async function inVirtualTime<T>(
  time: VirtualTime,
  random: (below: number) => number,
  work: () => Promise<T>,
): Promise<T> {
  const { setTimeout, clearTimeout } = globalThis;
  const { now } = Date;
  const { random: chance } = Math;
  const begin = (ring: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const timer = { stop: time.alarm(ms, () => ring(...given)), ref: () => timer, unref: () => timer };
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: begin,
    clearTimeout: (timer: { stop?: () => void } | undefined) => timer?.stop?.(),
  });
  Date.now = () => MIDNIGHT + Math.floor(time.now());
  Math.random = () => random(1_000_000) / 1_000_000;
  try {
    return await time.run(work());
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Date.now = now;
    Math.random = chance;
  }
}
