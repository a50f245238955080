// Shows the progress of a storage tool in the terminal.

import type { OnProgress } from "octavo/storage-tools";
import type { ProgressBar, Terminal } from "../framework/terminal";

const STEP_LABELS = { blobs: "blobs", entries: "partitions", check: "partitions checked" } as const;

/** Shows a bar for each step until `end` is called. */
export function showProgress(terminal: Terminal): { readonly onProgress: OnProgress; readonly end: () => void } {
  let current: { readonly step: string; readonly total: number; readonly bar: ProgressBar } | undefined;
  const end = () => current?.bar.end();
  return {
    end,
    onProgress({ step, done, total, entries }) {
      if (current?.step !== step || current.total !== total) {
        end();
        current = { step, total, bar: terminal.progress(STEP_LABELS[step], total) };
      }
      current.bar.at(done, entries > 0 ? `${entries} entries` : undefined);
    },
  };
}
