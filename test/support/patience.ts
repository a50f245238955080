// Waiting in tests. A machine may be busy, so no test fails for being slow: these limits only end what hangs.

import { setTimeout as wait } from "node:timers/promises";

/** Longer than anything takes on a busy machine, in milliseconds. */
export const PATIENCE_MS = 15 * 60_000;

/** Runs a check again and again until it throws no more. */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await wait(10)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
