// Measures how long a piece of work blocks all others: the longest time in which no timer runs; and counts its pieces.

import { vi } from "vitest";

/** What work took, in milliseconds of the processor. */
export interface Held {
  /** All of it, in every thread. */
  readonly processorMs: number;
  /** The longest stretch without a turn for others. */
  readonly heldMs: number;
}

/** Measures work. The first stretch begins with it, and the last one ends with it. */
export async function held(work: () => Promise<unknown>): Promise<Held> {
  const begun = process.cpuUsage();
  let heldMs = 0;
  let last = now();
  let isDone = false;
  const look = () => {
    const next = now();
    // Other threads use the processor too, and on a busy machine time passes without work: a stretch is no longer than either.
    heldMs = Math.max(heldMs, Math.min(next.processor - last.processor, next.clock - last.clock));
    last = next;
  };
  const turn = () => {
    if (isDone) return;
    look();
    setTimeout(turn, 0);
  };
  setTimeout(turn, 0);
  try {
    await work();
  } finally {
    look();
    isDone = true;
  }
  const { user, system } = process.cpuUsage(begun);
  return { processorMs: (user + system) / 1000, heldMs };
}

/**
 * Counts how often work looks whether it is time to pause, with a clock by which it always is. So the count is that of the
 * pieces of the work, on any machine, and each of them ends with a pause.
 */
export async function countPieces(work: () => Promise<unknown>): Promise<number> {
  let pieces = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => ++pieces * 1000);
  try {
    await work();
  } finally {
    clock.mockRestore();
  }
  return pieces;
}

function now(): { readonly processor: number; readonly clock: number } {
  const { user, system } = process.cpuUsage();
  return { processor: (user + system) / 1000, clock: performance.now() };
}
