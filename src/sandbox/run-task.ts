// Carries out one task where this code runs: on the thread of the server or on a thread of its own.

import { failureOf, Stop } from "./failure";
import type { Ended, Task } from "./messages";
import type { Requests } from "./outbound-requests";
import type { SandboxHost } from "./port";
import { Run } from "./script-run";
import { templateOf } from "./template";

/** What a run needs beside its task. */
export interface Surroundings {
  readonly engine: WebAssembly.Module;
  /** The text of what scripts find in the sandbox. */
  readonly world: string;
  readonly host: Omit<SandboxHost, "fetch">;
  readonly requests: Requests;
}

/** Carries out a task. Failures of the script are part of the result; anything else is thrown. */
export async function carryOut({ script, call, limits }: Task, around: Surroundings): Promise<Ended> {
  const { engine, world, host, requests } = around;
  try {
    const run = begun(() => new Run(engine, templateOf(engine, world), limits, host, requests));
    if (call) return await run.answer(script, call);
    const failure = await run.check(script);
    return failure ? { failure, logs: [] } : { logs: [] };
  } catch (error) {
    if (error instanceof Stop) return { failure: error.failure, logs: [] };
    throw error;
  }
}

/** If the engine does not start, the run has crashed. */
function begun<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw error instanceof Stop ? error : new Stop(failureOf("crashed"));
  }
}
