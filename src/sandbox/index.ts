// The sandbox: runs the script of an integration, one ES module whose default export has `fetch`, in an interpreter of
// its own. Every event has a new world, everything in it has a limit, and every error comes out as a failure.

import { builtInEngine } from "./engine";
import { failureOf, Stop } from "./failure";
import { Outbound } from "./fetch-requests";
import { defaultLimits } from "./limits";
import type { Ended, Task } from "./messages";
import type { SandboxOptions } from "./options";
import type { Sandbox, SandboxCall, SandboxFailure, SandboxHost, SandboxResult } from "./port";
import { carryOut } from "./run-task";
import { letGoOfThreads, threadsFor } from "./thread-pool";

export type { SandboxLimits, SandboxOptions } from "./options";
export type {
  FailureKind,
  HeaderPairs,
  LogLine,
  Sandbox,
  SandboxCall,
  SandboxFailure,
  SandboxHost,
  SandboxResponse,
  SandboxResult,
} from "./port";

/** Threads where nothing else is said. */
const THREADS = 1;

/** Makes a sandbox. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...defaultLimits, ...options.limits };
  /** The users of the threads of the process. */
  const user = {};
  let most = options.engine ? 0 : (options.threads ?? THREADS);

  /** Carries out a task in a thread, or here if there is none. A host with its own `wait` also has its own time, so it
   * runs here. */
  async function carry(task: Task, host: SandboxHost): Promise<Ended> {
    const threads = host.wait ? undefined : threadsFor(user, most);
    if (!threads) return here(task, host);
    try {
      return await threads.run(task, host);
    } catch (error) {
      // Reported once: if one thread cannot start, the next cannot either.
      if (most > 0) options.onError?.(new Error("No thread for scripts could be started.", { cause: error }));
      most = 0;
      return here(task, host);
    }
  }

  async function here(task: Task, host: SandboxHost): Promise<Ended> {
    const [engine, { world }] = await Promise.all([options.engine ?? builtInEngine(), import("./built/world")]);
    return carryOut(task, { engine, world, host, requests: new Outbound(host.fetch, limits) });
  }

  /** The failure of an input that is too large. */
  function unfit(script: string, call: SandboxCall | undefined): SandboxFailure | undefined {
    const size = (call?.request.body?.length ?? 0) + JSON.stringify([call?.env ?? null, call?.request.headers]).length;
    if (size > limits.memoryBytes / 8) return failureOf("too_much_input");
    if (new TextEncoder().encode(script).length <= limits.scriptBytes) return undefined;
    return failureOf("invalid_script", `A script has ${limits.scriptBytes} bytes at most.`);
  }

  async function ended(script: string, call: SandboxCall | undefined, host: SandboxHost): Promise<Ended> {
    const failure = unfit(script, call);
    if (failure) return { failure, logs: [] };
    try {
      return await carry({ script, call, limits }, host);
    } catch (error) {
      if (error instanceof Stop) return { failure: error.failure, logs: [] };
      throw error;
    }
  }

  return {
    run: async (script, call, host) => (await ended(script, call, host)) as SandboxResult,
    check: async (script, host) => (await ended(script, undefined, { ...host, fetch: undefined })).failure,
    close: async () => {
      most = 0;
      await letGoOfThreads(user);
    },
  };
}
