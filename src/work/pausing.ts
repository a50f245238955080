// Pauses in long work, in which whatever else waits has its turn: a storage in memory alone gives it none.

/** Lets others have their turn. */
export function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}

/** The result of work that is done step by step, with a pause between two steps when they have taken long enough. */
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

/** How long others wait, in milliseconds. */
const LONGEST_MS = 10;
