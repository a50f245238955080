// How a process is asked to end.

/** Resolves when the process was asked to end, in whichever way its system has for that. */
export function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    // Windows knows no SIGTERM: there it is Ctrl+C, Ctrl+Break, or a message of the parent process.
    for (const signal of ["SIGTERM", "SIGINT", "SIGBREAK"]) process.once(signal, () => resolve());
    if (process.send) process.on("message", (message) => message === "shutdown" && resolve());
    if (process.env.npm_lifecycle_event) whenOrphaned(resolve);
  });
}

/** npm passes a signal to its shell, and many shells end without passing it on. Then this process has another parent. */
function whenOrphaned(resolve: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    resolve();
  }, 250).unref();
}
