// The one sandbox of an API, and those who wait for it: it is loaded by the first who runs a script, and a few run at once.

import type { Sandbox, SandboxOptions } from "./sandbox/port";
import { createLanes } from "./work/lanes";

/** Scripts that run at once, most of which wait for others. */
const AT_ONCE = 8;

/** Runs scripts in a sandbox that is loaded when it is needed. */
export function createSandboxing(options: SandboxOptions | undefined): Sandbox {
  const lanes = createLanes(AT_ONCE);
  let sandbox: Promise<Sandbox> | undefined;

  function load(): Promise<Sandbox> {
    sandbox ??= import("./sandbox").then(({ createSandbox }) => createSandbox(options));
    return sandbox;
  }

  const loaded = <T>(work: (sandbox: Sandbox) => Promise<T>) => lanes(async () => work(await load()));

  return {
    run: (...args) => loaded((it) => it.run(...args)),
    check: (...args) => loaded((it) => it.check(...args)),
  };
}
