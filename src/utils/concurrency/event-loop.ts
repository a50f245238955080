// Pauses in long work, so that other calls get their turn. A storage in memory never waits for I/O, so without a pause
// they would not.

/** Lets other calls run, and what comes from outside. Of all that pause, one goes on in each turn of the event loop. */
export function pauseUntilNextTurn(): Promise<void> {
  return new Promise((done) => {
    // Time begins anew with whoever goes on, not with the pause: what runs beside it in the same turn is to pause as well.
    const goOn = () => {
      began = undefined;
      done();
    };
    if (!afterTurn) setTimeout(goOn, 0);
    else if (waiting.push(goOn) === 1) afterTurn(letOneGoOn);
  });
}

const waiting: (() => void)[] = [];

/** Whether somebody pauses who could go on. */
export function hasPausedTasks(): boolean {
  return waiting.length > 0;
}

function letOneGoOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) afterTurn!(letOneGoOn);
}

/**
 * Runs something after a turn of the event loop, where the runtime has that. A timer is worse: all timers that are due run in
 * a row, and with several pieces of long work one always is, so that nothing else comes in.
 */
const afterTurn = isShared() ? (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate : undefined;

/** Whether one request may wait for what another began. Not so in the Workers of Cloudflare. */
function isShared(): boolean {
  return (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent !== "Cloudflare-Workers";
}

/** Comes between two pieces of work, and is a pause when they have taken long enough. */
export type YieldToEventLoop = () => Promise<void>;

/** Does work step by step, with a pause between two steps when they have taken long enough. */
export type RunSteps = <Result>(steps: Generator<void, Result>) => Promise<Result>;

/** The result of work, with pauses. The time of all work in one turn of the event loop is counted together. */
export const runSteps: RunSteps = async (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (isOver()) await pauseUntilNextTurn();
    if (done) return value;
  }
};

/** A pause, if work has taken long enough by now. */
export const yieldToEventLoop: YieldToEventLoop = async () => {
  if (isOver()) await pauseUntilNextTurn();
};

/** When work was first done in this turn of the event loop, and since the last pause. */
let began: number | undefined;

/** Whether others have waited long enough. */
function isOver(): boolean {
  const now = performance.now();
  if (began !== undefined) return now - began >= LONGEST_MS;
  began = now;
  if (afterTurn) afterTurn(beginAnew);
  else setTimeout(beginAnew, 0);
  return false;
}

function beginAnew(): void {
  began = undefined;
}

/** How long others wait, in milliseconds. */
const LONGEST_MS = 10;
