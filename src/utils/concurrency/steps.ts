// Long computations as generators. A computation yields between its steps, and the caller decides whether other work runs then.

/** A computation that yields between its steps. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps of a computation, and may let other work run between them. */
export type RunSteps = <Result>(steps: Steps<Result>) => Promise<Result>;

/** Does nothing: gives `RunSteps` an opportunity to let other work run. */
export function* yieldOnce(): Steps<void> {}

/** Lets other work run, if the caller wants this and it is time. */
export function yieldToOthers({ runSteps = runStepsAtOnce }: { readonly runSteps?: RunSteps }): Promise<void> {
  return runSteps(yieldOnce());
}

/** Runs all steps without a pause. */
export const runStepsAtOnce: RunSteps = async (steps) => runStepsSync(steps);

/** Runs all steps and returns the result. */
export function runStepsSync<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
