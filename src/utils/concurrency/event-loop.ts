// Yields to the event loop during long work, so that other calls make progress. A storage in memory never waits for I/O, so
// without such pauses they would not.

import type { RunSteps } from "./steps";

/** Runs all steps, and pauses between two steps if they have taken long enough. The time of all work in one turn of the event loop is counted together. */
export const runSteps: RunSteps = async (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (isTimeSliceOver()) await pauseUntilNextTurn();
    if (done) return value;
  }
};

/** Pauses if the work since the last pause has taken long enough. */
export async function yieldToEventLoop(): Promise<void> {
  if (isTimeSliceOver()) await pauseUntilNextTurn();
}

const { navigator: runtimeNavigator, setImmediate: runtimeSetImmediate } = globalThis as {
  navigator?: { userAgent?: string };
  setImmediate?: (run: () => void) => void;
};

/**
 * Runs a function after a turn of the event loop; undefined if the runtime cannot. A timer is worse: all timers that are due
 * run in a row, and with several pieces of long work one always is, so that nothing else gets in. The Workers of Cloudflare
 * use timers nevertheless, because one request may not wait there for what another began.
 */
const runAfterTurn = runtimeNavigator?.userAgent === "Cloudflare-Workers" ? undefined : runtimeSetImmediate;

/** The resumptions of paused work, the oldest first. */
const pausedTasks: (() => void)[] = [];

/** Returns true if work is paused that could go on. */
export function hasPausedTasks(): boolean {
  return pausedTasks.length > 0;
}

/** Lets other calls run, and I/O come in. Of all paused work, one piece resumes in each turn of the event loop. */
export function pauseUntilNextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // The time slice begins when work resumes, not when it pauses: other work in the same turn must pause as well.
    const resume = () => {
      resetTimeSlice();
      resolve();
    };
    if (!runAfterTurn) setTimeout(resume, 0);
    else if (pausedTasks.push(resume) === 1) runAfterTurn(resumeOneTask);
  });
}

function resumeOneTask(): void {
  pausedTasks.shift()!();
  if (pausedTasks.length > 0) runAfterTurn!(resumeOneTask);
}

/** The longest that other calls wait. */
const TIME_SLICE_MS = 10;

/** The time of the first work in this turn of the event loop and since the last pause; undefined if there was none. */
let timeSliceStart: number | undefined;

/** Returns true if other calls have waited long enough. Otherwise starts the time slice if it has not begun. */
function isTimeSliceOver(): boolean {
  const now = performance.now();
  if (timeSliceStart !== undefined) return now - timeSliceStart >= TIME_SLICE_MS;
  timeSliceStart = now;
  if (runAfterTurn) runAfterTurn(resetTimeSlice);
  else setTimeout(resetTimeSlice, 0);
  return false;
}

function resetTimeSlice(): void {
  timeSliceStart = undefined;
}
