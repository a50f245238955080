// The sandbox: runs the script of an integration, one ES module whose default export has `fetch`, in an interpreter.
// Every event has a new world, everything in it has a limit, and every error is returned as a failure.

import { loadBuiltInEngine } from "./engine";
import { createFailure, SandboxError } from "./failure";
import { FetchRequests } from "./fetch-requests";
import type { TaskResult } from "./messages";
import {
  DEFAULT_SANDBOX_LIMITS,
  type Sandbox,
  type SandboxCall,
  type SandboxHost,
  type SandboxOptions,
  type SandboxResult,
} from "./port";
import { runTask } from "./run-task";
import { acquireThreadPool, releaseThreadPool } from "./thread-pool";

export type {
  FailureKind,
  HeaderPairs,
  LogLine,
  Sandbox,
  SandboxCall,
  SandboxFailure,
  SandboxHost,
  SandboxLimits,
  SandboxOptions,
  SandboxResponse,
  SandboxResult,
} from "./port";

const DEFAULT_THREADS = 1;

/** Creates a sandbox. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...options.limits };
  /** Represents this sandbox among those that share the threads of the process. */
  const threadUser = {};
  let maxThreads = options.engine ? 0 : (options.threads ?? DEFAULT_THREADS);

  /** Runs or checks a script in a thread, or here if there is none. */
  async function execute(script: string, call: SandboxCall | undefined, host: SandboxHost): Promise<TaskResult> {
    const bodyBytes = call?.request.body?.length ?? 0;
    const inputBytes = bodyBytes + JSON.stringify([call?.env ?? null, call?.request.headers]).length;
    if (inputBytes > limits.memoryBytes / 8) return { failure: createFailure("too_much_input"), logs: [] };
    if (new TextEncoder().encode(script).length > limits.scriptBytes)
      return {
        failure: createFailure("invalid_script", `A script has ${limits.scriptBytes} bytes at most.`),
        logs: [],
      };

    const task = { script, call, limits };
    // A host that waits by its own means has a clock of its own as well, so its scripts run here.
    const threadPool = host.wait ? undefined : acquireThreadPool(threadUser, maxThreads);
    if (threadPool) {
      try {
        return await threadPool.run(task, host);
      } catch (error) {
        // Reported once: if one thread cannot start, the next cannot either.
        if (maxThreads > 0) options.onError?.(new Error("No thread for scripts could be started.", { cause: error }));
        maxThreads = 0;
      }
    }

    try {
      const [engine, { world }] = await Promise.all([options.engine ?? loadBuiltInEngine(), import("./built/world")]);
      return await runTask(task, { engine, world, host, requests: new FetchRequests(host.fetch, limits) });
    } catch (error) {
      if (error instanceof SandboxError) return { failure: error.failure, logs: [] };
      throw error;
    }
  }

  return {
    run: async (script, call, host) => (await execute(script, call, host)) as SandboxResult,
    check: async (script, host) => (await execute(script, undefined, { ...host, fetch: undefined })).failure,
    close: async () => {
      maxThreads = 0;
      await releaseThreadPool(threadUser);
    },
  };
}
