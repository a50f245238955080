// Threads of Node, Bun and Deno, through one module. It is asked for at run time and imported nowhere, because other
// runtimes do not have it.

/** A thread as whoever started it sees it. */
export interface ThreadHandle {
  readonly postMessage: (message: unknown, moved?: readonly ArrayBuffer[]) => void;
  readonly on: (event: "message" | "error" | "exit", hear: (value: never) => void) => void;
  readonly terminate: () => Promise<unknown>;
  /** Whether the process waits for it. */
  readonly ref: () => void;
  readonly unref: () => void;
}

/** The other end, as the thread sees it. */
export interface ThreadPort {
  readonly postMessage: (message: unknown, moved?: readonly ArrayBuffer[]) => void;
  readonly on: (event: "message", hear: (value: never) => void) => void;
}

interface WorkerThreads {
  readonly Worker: new (code: string, options: object) => ThreadHandle;
  readonly parentPort: ThreadPort | null;
}

interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  readonly navigator?: { readonly userAgent?: string };
}

/** The module; undefined where there are no threads. Cloudflare's Workers may have the module, but cannot start
 * threads. */
export function workerThreads(): WorkerThreads | undefined {
  const { process, navigator } = globalThis as Runtime;
  if (navigator?.userAgent === "Cloudflare-Workers") return undefined;
  return process?.getBuiltinModule?.("node:worker_threads") as WorkerThreads | undefined;
}
