// Pauses in long work, so that other calls get their turn. A storage in memory never waits for I/O, so without a pause
// they would not.

/** Lets other calls run. */
export function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}

/** Runs work step by step, with a pause when the last steps took long enough. Gives its result. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < LONGEST_MS) continue;
    await pause();
    since = performance.now();
  }
}

/** How long other calls wait at most, in milliseconds. */
const LONGEST_MS = 10;
