// Work in steps: whoever does it decides whether others have their turn between two of them.

/** Work that is done step by step. */
export type Steps<Result> = Generator<void, Result>;

/** Carries out steps, at once or with turns for others in between. */
export type CarryOut = <Result>(steps: Steps<Result>) => Promise<Result>;

/** All steps at once. */
export const atOnce: CarryOut = async (steps) => finished(steps);

/** The result of all steps, one after the other. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** One step: a place where others may have their turn. */
export function* oneStep(): Steps<void> {
  yield;
}
