// Pauses in long work, so that other calls get their turn. A storage in memory never waits for I/O, so without a pause
// they would not.

/** Lets other calls run. */
export function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
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
