// Runs the deferred work of the API, one run after the other: at the time that the last run returned, or earlier on request.

import { setTimeout as delay } from "node:timers/promises";
import type { DocsApi } from "octavo";

const HOUR_MS = 60 * 60 * 1000;
/** The pause after a failed run: the storage may be unreachable, or its disk full. */
const RETRY_MS = 60 * 1000;

export interface Maintenance {
  /** Schedules a run at this time, unless one is due earlier. */
  readonly schedule: (when: Date) => void;
  readonly begin: (api: Pick<DocsApi, "maintain">) => void;
  /** Starts no further run, waits for the current one up to a limit, and returns the time of the next run. */
  readonly end: (limitMs: number) => Promise<Date | undefined>;
}

export function createMaintenance(onError: (error: unknown) => void): Maintenance {
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  let run: (() => void) | undefined;
  /** The current run. It returns the time of the next one. */
  let running: Promise<void> | undefined;
  const schedule = (when: Date) => {
    next = Math.min(next, when.getTime());
    clearTimeout(timer);
    const wait = Math.min(Math.max(next - Date.now(), 1_000), HOUR_MS);
    if (run && !running) timer = setTimeout(run, wait).unref();
  };
  return {
    schedule,
    begin(api) {
      const maintainOnce = async () => {
        next = Number.POSITIVE_INFINITY;
        const result = await api.maintain().catch((error) => {
          if (run) onError(error);
        });
        running = undefined;
        schedule(result?.next ?? new Date(Date.now() + RETRY_MS));
      };
      run = () => {
        running = maintainOnce();
      };
      run();
    },
    async end(limitMs) {
      run = undefined;
      clearTimeout(timer);
      const timeout = new AbortController();
      await Promise.race([running, delay(limitMs, undefined, timeout).catch(() => undefined)]);
      timeout.abort();
      return Number.isFinite(next) ? new Date(next) : undefined;
    },
  };
}
