// Runs the scripts of integrations in the sandbox through a queue. The sandbox is loaded by the first script, and a few scripts
// run at once. One integration gets at most half of the places and a limited queue, so that a slow one does not block others.

import type { Sandbox, SandboxCall, SandboxHost, SandboxOptions, SandboxResult } from "../sandbox/port";
import { type AdmissionGate, createAdmissionGate } from "../utils/concurrency/admission-gate";
import { createConcurrencyLimiter } from "../utils/concurrency/concurrency-limiter";

/** The scripts that run at once. Most of them wait for other hosts. */
const MAX_RUNNING_SCRIPTS = 8;
/** The scripts of one integration that run at once. */
export const MAX_RUNNING_SCRIPTS_PER_INTEGRATION = 4;
/** The events of one integration that run or wait. */
export const MAX_PENDING_SCRIPTS_PER_INTEGRATION = 40;
/** A call that has waited longer than this does not run: it is to be tried again later. */
export const MAX_SCRIPT_WAIT_MS = 15_000;

/** A sandbox that is shared among integrations. */
export interface ScriptRunner extends Pick<Sandbox, "check" | "close"> {
  /**
   * Calls the script of an integration with an event. Returns undefined if too many of its events are running or waiting, or
   * if the event has waited too long: then it is to be tried again.
   */
  readonly run: (
    integration: string,
    script: string,
    call: SandboxCall,
    host: SandboxHost,
  ) => Promise<SandboxResult | undefined>;
}

/** Creates a runner whose sandbox is loaded when it is first needed. */
export function createScriptRunner(
  options: SandboxOptions | undefined,
  onError: (error: unknown) => void,
): ScriptRunner {
  const limitConcurrency = createConcurrencyLimiter(MAX_RUNNING_SCRIPTS);
  const gates = new Map<string, AdmissionGate>();
  let sandbox: Promise<Sandbox> | undefined;

  function loadSandbox(): Promise<Sandbox> {
    sandbox ??= import("../sandbox").then(({ createSandbox }) => createSandbox({ onError, ...options }));
    return sandbox;
  }

  return {
    async run(integration, script, call, host) {
      const gate =
        gates.get(integration) ??
        createAdmissionGate({
          maxRunning: MAX_RUNNING_SCRIPTS_PER_INTEGRATION,
          maxWaiting: MAX_PENDING_SCRIPTS_PER_INTEGRATION - MAX_RUNNING_SCRIPTS_PER_INTEGRATION,
        });
      gates.set(integration, gate);
      const enqueuedAt = host.now().getTime();
      try {
        // A call waits for a place among the events of its integration, and then among all.
        return await gate.tryRun(() =>
          limitConcurrency(async () => {
            if (host.now().getTime() - enqueuedAt > MAX_SCRIPT_WAIT_MS) return undefined;
            return (await loadSandbox()).run(script, call, host);
          }),
        );
      } finally {
        if (gate.isIdle() && gates.get(integration) === gate) gates.delete(integration);
      }
    },
    check: (...args) => limitConcurrency(async () => (await loadSandbox()).check(...args)),
    async close() {
      if (sandbox) await (await sandbox).close();
    },
  };
}
