// The one sandbox of an API, and those who wait for it: it is loaded by the first who runs a script, and a few run at once.

import type { Sandbox, SandboxOptions } from "./sandbox/port";

/** Scripts that run at once, most of which wait for others. */
const AT_ONCE = 8;

/** Runs scripts in a sandbox that is loaded when it is needed. */
export function createSandboxing(options: SandboxOptions | undefined): Sandbox {
  const waiting: (() => void)[] = [];
  let running = 0;
  let sandbox: Promise<Sandbox> | undefined;

  function load(): Promise<Sandbox> {
    sandbox ??= import("./sandbox").then(({ createSandbox }) => createSandbox(options));
    return sandbox;
  }

  async function inTurn<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work(await load());
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    run: (...args) => inTurn((loaded) => loaded.run(...args)),
    check: (...args) => inTurn((loaded) => loaded.check(...args)),
  };
}
