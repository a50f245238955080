// Finds out if this process can answer requests. Load balancers ask often and without a token, so a result counts for a second,
// and requests that arrive while the checks run share their result.

import { runWithTimeout } from "../utils/concurrency/timeout";

/** A condition that a process has to meet before it can answer requests. */
export interface ReadinessCheck {
  /** Throws if the condition is not met. The error is reported to the host. */
  readonly check: () => Promise<unknown>;
  /** Says why the process is not ready if the check throws, as the end of a sentence. */
  readonly problem: string;
}

/** The time that a result counts. */
const RESULT_LIFETIME_MS = 1000;
/** The longest time that a request waits for the checks. */
const MAX_WAIT_MS = 5000;

/** Returns a function that returns why the process is not ready, or undefined if it is. */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  { now, onError }: { readonly now: () => Date; readonly onError: (error: unknown) => void },
): () => Promise<string | undefined> {
  let lastRun:
    | { readonly startedAt: number; readonly problem: Promise<string | undefined>; isDone: boolean }
    | undefined;

  return async () => {
    const time = now().getTime();
    if (!lastRun || (lastRun.isDone && Math.abs(time - lastRun.startedAt) >= RESULT_LIFETIME_MS)) {
      const firstProblem = (async () => {
        for (const { check, problem } of checks) {
          try {
            await check();
          } catch (error) {
            onError(error);
            return problem;
          }
        }
        return undefined;
      })();
      const run = { startedAt: time, problem: firstProblem, isDone: false };
      void run.problem.finally(() => {
        run.isDone = true;
      });
      lastRun = run;
    }

    // Checks that take too long are a problem of their own. They go on, and later requests get their result.
    const { problem } = lastRun;
    const result = await runWithTimeout(MAX_WAIT_MS, async () => ({ problem: await problem }));
    return result ? result.problem : "the storage does not answer";
  };
}
