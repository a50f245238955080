// Waiting for others within a limit of time.

/**
 * What comes in time; undefined when nothing does. The signal ends with the time, and what ignores it is not waited for.
 */
export async function runWithTimeout<T>(
  milliseconds: number,
  run: (signal: AbortSignal) => T | Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
      controller.abort(new DOMException("The time is over.", "TimeoutError"));
    }, milliseconds);
  });
  try {
    return await Promise.race([run(controller.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
