// The one sandbox of an API, and those who wait for it: it is loaded by the first who runs a script, and a few run at once.
// One integration has half of the places at most, and only so many of its events wait: whoever asks it in vain keeps nobody
// else waiting.

import type { Sandbox, SandboxCall, SandboxHost, SandboxOptions, SandboxResult } from "../sandbox/port";
import { createGate, type Gate } from "../turns/gate";
import { createLanes } from "../turns/lanes";

/** Scripts that run at once, most of which wait for others. */
const AT_ONCE = 8;
/** Of one integration. */
export const AT_ONCE_OF_ONE = 4;
/** Events of one integration that run or wait to. */
export const UNDER_WAY_OF_ONE = 40;
/** Whoever has waited longer than this is told to come again when their turn comes. */
export const LONGEST_WAIT_MS = 15_000;

/** A sandbox that is shared among integrations. */
export interface Sandboxing extends Pick<Sandbox, "check" | "close"> {
  /** Calls the script of an integration with an event; undefined when so many of its events are under way that this one is to
   * be tried again. */
  readonly run: (
    of: string,
    script: string,
    call: SandboxCall,
    host: SandboxHost,
  ) => Promise<SandboxResult | undefined>;
}

/** Runs scripts in a sandbox that is loaded when it is needed. */
export function createSandboxing(options: SandboxOptions | undefined, onError: (error: unknown) => void): Sandboxing {
  const lanes = createLanes(AT_ONCE);
  const gates = new Map<string, Gate>();
  let sandbox: Promise<Sandbox> | undefined;

  function load(): Promise<Sandbox> {
    sandbox ??= import("../sandbox").then(({ createSandbox }) => createSandbox({ onError, ...options }));
    return sandbox;
  }

  /** Takes a turn among the events of one integration, and then among all; undefined when there is no room, or it is late. */
  async function inTurn<T>(
    of: string,
    { now }: Pick<SandboxHost, "now">,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const own = gates.get(of) ?? createGate({ atOnce: AT_ONCE_OF_ONE, waiting: UNDER_WAY_OF_ONE - AT_ONCE_OF_ONE });
    gates.set(of, own);
    const asked = now().getTime();
    const isLate = () => now().getTime() - asked > LONGEST_WAIT_MS;
    try {
      return await own.enter(() => lanes(async () => (isLate() ? undefined : work())));
    } finally {
      if (own.isEmpty() && gates.get(of) === own) gates.delete(of);
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
