// Work in steps: whoever does it decides whether others have their turn between two of them.

/** Work that is done step by step. */
export type Steps<Result> = Generator<void, Result>;

/** Carries out steps, at once or with turns for others in between. */
export type RunSteps = <Result>(steps: Steps<Result>) => Promise<Result>;

/** No work: a place between others where somebody else may have a turn. */
export function* yieldOnce(): Steps<void> {}

/** All steps at once. */
export const runStepsAtOnce: RunSteps = async (steps) => runStepsSync(steps);

/** The result of all steps, one after the other. */
export function runStepsSync<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
