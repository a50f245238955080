// Threads of Node, Bun and Deno, through one module. It is loaded at run time and imported nowhere, because other
// runtimes do not have it.

/** A thread, as seen by the thread that started it. */
export interface ThreadHandle {
  readonly postMessage: (message: unknown, transfer?: readonly ArrayBuffer[]) => void;
  readonly on: (event: "message" | "error" | "exit", listener: (value: never) => void) => void;
  readonly terminate: () => Promise<unknown>;
  /** Keeps the process alive for the thread, or does not. */
  readonly ref: () => void;
  readonly unref: () => void;
}

/** The other end, as seen by the thread itself. */
export interface ThreadPort {
  readonly postMessage: (message: unknown, transfer?: readonly ArrayBuffer[]) => void;
  readonly on: (event: "message", listener: (value: never) => void) => void;
}

interface WorkerThreads {
  readonly Worker: new (code: string, options: object) => ThreadHandle;
  readonly parentPort: ThreadPort | null;
}

interface RuntimeGlobals {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  readonly navigator?: { readonly userAgent?: string };
}

/** Returns `node:worker_threads`, or undefined without threads. Workers may have the module and start none. */
export function getWorkerThreads(): WorkerThreads | undefined {
  const { process, navigator } = globalThis as RuntimeGlobals;
  if (navigator?.userAgent === "Cloudflare-Workers") return undefined;
  return process?.getBuiltinModule?.("node:worker_threads") as WorkerThreads | undefined;
}
