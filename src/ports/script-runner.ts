// The sandbox of an API and its queue. It is loaded by the first script, and a few scripts run at once. One integration
// gets at most half of the places and a limited queue, so a slow integration does not block the others.

import type { SandboxOptions } from "../sandbox/options";
import type { Sandbox, SandboxCall, SandboxHost, SandboxResult } from "../sandbox/port";
import { type AdmissionGate, createAdmissionGate } from "../utils/concurrency/admission-gate";
import { createConcurrencyLimiter } from "../utils/concurrency/concurrency-limiter";

/** Scripts that run at once. Most of them wait for other hosts. */
const AT_ONCE = 8;
/** Scripts of one integration that run at once. */
export const MAX_RUNNING_PER_INTEGRATION = 4;
/** Events of one integration that run or wait. */
export const MAX_PENDING_PER_INTEGRATION = 40;
/** A call that has waited longer than this is told to try again when its turn comes. */
export const MAX_WAIT_MS = 15_000;

/** A sandbox that is shared among integrations. */
export interface ScriptRunner extends Pick<Sandbox, "check" | "close"> {
  /**
   * Calls the script of an integration with an event; undefined when too many of its events are running or waiting.
   * Then the event is to be tried again.
   */
  readonly run: (
    of: string,
    script: string,
    call: SandboxCall,
    host: SandboxHost,
  ) => Promise<SandboxResult | undefined>;
}

/** A sandbox that is loaded when first needed. */
export function createScriptRunner(
  options: SandboxOptions | undefined,
  onError: (error: unknown) => void,
): ScriptRunner {
  const lanes = createConcurrencyLimiter(AT_ONCE);
  const gates = new Map<string, AdmissionGate>();
  let sandbox: Promise<Sandbox> | undefined;

  function load(): Promise<Sandbox> {
    sandbox ??= import("../sandbox").then(({ createSandbox }) => createSandbox({ onError, ...options }));
    return sandbox;
  }

  /**
   * Takes a turn among the events of one integration, and then among all; undefined when there is no room, or the wait
   * was too long.
   */
  async function inTurn<T>(
    of: string,
    { now }: Pick<SandboxHost, "now">,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const own =
      gates.get(of) ??
      createAdmissionGate({
        maxRunning: MAX_RUNNING_PER_INTEGRATION,
        maxWaiting: MAX_PENDING_PER_INTEGRATION - MAX_RUNNING_PER_INTEGRATION,
      });
    gates.set(of, own);
    const asked = now().getTime();
    const isLate = () => now().getTime() - asked > MAX_WAIT_MS;
    try {
      return await own.tryRun(() => lanes(async () => (isLate() ? undefined : work())));
    } finally {
      if (own.isIdle() && gates.get(of) === own) gates.delete(of);
    }
  }

  return {
    run: (of, script, call, host) => inTurn(of, host, async () => (await load()).run(script, call, host)),
    check: (...args) => lanes(async () => (await load()).check(...args)),
    async close() {
      if (sandbox) await (await sandbox).close();
    },
  };
}
