// Runs work with a time limit.

/**
 * Runs a function and returns its result, or undefined if the time runs out first. The signal is aborted then, and a function
 * that ignores it is not waited for.
 */
export async function runWithTimeout<T>(
  timeoutMs: number,
  run: (signal: AbortSignal) => T | Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
      controller.abort(new DOMException("The time is over.", "TimeoutError"));
    }, timeoutMs);
  });
  try {
    return await Promise.race([run(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
