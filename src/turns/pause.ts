// Pauses in long work, so that other calls get their turn. A storage in memory never waits for I/O, so without a pause
// they would not.

/** Lets other calls run, and what comes from outside. Of all that pause, one goes on in each turn of the event loop. */
export function pause(): Promise<void> {
  return new Promise((goOn) => {
    if (!afterTurn) setTimeout(goOn, 0);
    else if (waiting.push(goOn) === 1) afterTurn(letOneGoOn);
  });
}

const waiting: (() => void)[] = [];

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
export type Break = () => Promise<void>;

/** For pieces of work that wait for each other but for nothing else. */
export function createBreaks(): Break {
  const inTurns = takingTurns();
  return () => turnIn(inTurns);
}

/** Does work step by step, with a pause between two steps when they have taken long enough. */
export type InTurns = <Result>(steps: Generator<void, Result>) => Promise<Result>;

/** For several pieces of work, one after the other: their time is counted together. */
export function takingTurns(): InTurns {
  let since = performance.now();
  return async (steps) => {
    for (;;) {
      const { done, value } = steps.next();
      if (performance.now() - since >= LONGEST_MS) {
        await pause();
        since = performance.now();
      }
      if (done) return value;
    }
  };
}

/** A pause, if work has taken long enough by now. */
export function turnIn(inTurns: InTurns): Promise<void> {
  return inTurns(noWork());
}

function* noWork(): Generator<void, void> {}

/** The result of one piece of work, with pauses. */
export const inTurns: InTurns = (steps) => takingTurns()(steps);

/** How long others wait, in milliseconds. */
const LONGEST_MS = 10;
