// The sandbox: runs the script of an integration, one ES module whose default export has `fetch`, in an interpreter of its
// own. Every event has a fresh world, everything in it has a limit, and whatever goes wrong comes out as a failure.

import { builtInEngine } from "./engine";
import { failureOf, Stop } from "./failure";
import { defaultLimits } from "./limits";
import type { Sandbox, SandboxFailure, SandboxHost, SandboxOptions } from "./port";
import { Run } from "./run";
import { templateOf } from "./template";

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

/** Makes a sandbox. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...defaultLimits, ...options.limits };

  async function open(script: string, host: SandboxHost): Promise<Run> {
    if (new TextEncoder().encode(script).length > limits.scriptBytes)
      throw new Stop(failureOf("invalid_script", `A script has ${limits.scriptBytes} bytes at most.`));
    const [engine, { world }] = await Promise.all([options.engine ?? builtInEngine(), import("./built/world")]);
    try {
      return new Run(engine, templateOf(engine, world), limits, host);
    } catch (error) {
      throw error instanceof Stop ? error : new Stop(failureOf("crashed"));
    }
  }

  return {
    async run(script, call, host) {
      try {
        const size = (call.request.body?.length ?? 0) + JSON.stringify([call.env ?? null, call.request.headers]).length;
        if (size > limits.memoryBytes / 8) throw new Stop(failureOf("too_much_input"));
        return await (await open(script, host)).answer(script, call);
      } catch (error) {
        return { failure: failureBefore(error), logs: [] };
      }
    },

    async check(script, host) {
      try {
        return await (await open(script, { ...host, fetch: undefined })).check(script);
      } catch (error) {
        return failureBefore(error);
      }
    },
  };
}

/** What kept a run from beginning. */
function failureBefore(error: unknown): SandboxFailure {
  if (error instanceof Stop) return error.failure;
  throw error;
}
