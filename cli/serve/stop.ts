// The end of a server: it takes no new connections and answers what is under way.

import type { Server } from "node:http";

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

/** Resolves when the last request is answered, or its time is over. */
export async function drain(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Connections that were busy when the server closed are kept alive after their answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50).unref();
  const end = setTimeout(() => server.closeAllConnections(), drainMs).unref();
  await closed;
  clearInterval(idle);
  clearTimeout(end);
}
