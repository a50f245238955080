// Work in steps: whoever does it decides whether others have their turn between two of them.

/** Work that is done step by step. */
export type Steps<Result> = Generator<void, Result>;

/** The result of all steps, one after the other. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
