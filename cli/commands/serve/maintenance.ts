// Does the work that waits, one run after the other: when the last run asked for it, or sooner if something comes up.

import { setTimeout as delay } from "node:timers/promises";
import type { DocsApi } from "octavo";

const HOUR_MS = 60 * 60 * 1000;
/** The pause after a run that failed: the storage may be away, or its disk full. */
const FAILED_MS = 60 * 1000;

export interface Maintenance {
  /** Something is to be done at this time. */
  readonly wantedAt: (when: Date) => void;
  readonly begin: (api: Pick<DocsApi, "maintain">) => void;
  /** Begins no further run, and waits for the one that is under way, but not longer than this. Gives the time of the next. */
  readonly end: (longestMs: number) => Promise<Date | undefined>;
}

export function createMaintenance(onError: (error: unknown) => void): Maintenance {
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  let run: (() => void) | undefined;
  /** The run that is under way. It says itself when the next one is due. */
  let running: Promise<void> | undefined;
  const wantedAt = (when: Date) => {
    next = Math.min(next, when.getTime());
    clearTimeout(timer);
    const wait = Math.min(Math.max(next - Date.now(), 1_000), HOUR_MS);
    if (run && !running) timer = setTimeout(run, wait).unref();
  };
  return {
    wantedAt,
    begin(api) {
      const once = async () => {
        next = Number.POSITIVE_INFINITY;
        const wanted = await api.maintain().catch((error) => {
          if (run) onError(error);
        });
        running = undefined;
        wantedAt(wanted?.next ?? new Date(Date.now() + FAILED_MS));
      };
      run = () => {
        running = once();
      };
      run();
    },
    async end(longestMs) {
      run = undefined;
      clearTimeout(timer);
      const tired = new AbortController();
      await Promise.race([running, delay(longestMs, undefined, tired).catch(() => undefined)]);
      tired.abort();
      return Number.isFinite(next) ? new Date(next) : undefined;
    },
  };
}
