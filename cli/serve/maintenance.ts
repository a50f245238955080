// Does the work that waits, one run after the other: when the last run asked for it, or sooner if something comes up.

import type { DocsApi } from "octavo";

const HOUR_MS = 60 * 60 * 1000;

export interface Maintenance {
  /** Something is to be done at this time. */
  readonly wantedAt: (when: Date) => void;
  readonly begin: (api: Pick<DocsApi, "maintain">) => void;
  readonly end: () => void;
}

export function createMaintenance(onError: (error: unknown) => void): Maintenance {
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  let run: (() => Promise<void>) | undefined;
  /** Whether a run is under way, which says itself when the next one is due. */
  let isRunning = false;
  const wantedAt = (when: Date) => {
    next = Math.min(next, when.getTime());
    clearTimeout(timer);
    const wait = Math.min(Math.max(next - Date.now(), 1_000), HOUR_MS);
    if (run && !isRunning) timer = setTimeout(run, wait).unref();
  };
  return {
    wantedAt,
    begin(api) {
      run = async () => {
        isRunning = true;
        next = Number.POSITIVE_INFINITY;
        const wanted = await api.maintain().catch((error) => {
          if (run) onError(error);
        });
        isRunning = false;
        wantedAt(wanted?.next ?? new Date(Date.now() + HOUR_MS));
      };
      void run();
    },
    end() {
      run = undefined;
      clearTimeout(timer);
    },
  };
}
