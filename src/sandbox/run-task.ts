// Runs one task in the current thread: the thread of the server, or a thread for scripts.

import { createFailure, SandboxError } from "./failure";
import type { Task, TaskResult } from "./messages";
import type { OutboundRequests } from "./outbound-requests";
import type { SandboxHost } from "./port";
import { ScriptRun } from "./script-run";
import { getTemplate } from "./template";

/** The engine, the host and the requests of a run. */
export interface TaskEnvironment {
  readonly engine: WebAssembly.Module;
  /** The program that creates the globals of scripts. */
  readonly world: string;
  readonly host: Omit<SandboxHost, "fetch">;
  readonly requests: OutboundRequests;
}

/** Runs a task. Failures of the script are part of the result; anything else is thrown. */
export async function runTask({ script, call, limits }: Task, environment: TaskEnvironment): Promise<TaskResult> {
  const { engine, world, host, requests } = environment;
  let run: ScriptRun;
  try {
    run = new ScriptRun(engine, getTemplate(engine, world), limits, host, requests);
  } catch (error) {
    // If the engine does not start, the run has crashed.
    return { failure: error instanceof SandboxError ? error.failure : createFailure("crashed"), logs: [] };
  }

  try {
    if (call) return await run.call(script, call);
    const failure = await run.check(script);
    return failure ? { failure, logs: [] } : { logs: [] };
  } catch (error) {
    if (error instanceof SandboxError) return { failure: error.failure, logs: [] };
    throw error;
  }
}
