// Shows how far a storage was copied, kept or checked.

import type { OnProgress } from "octavo/storage-tools";
import type { Progress, Terminal } from "../../framework/terminal";

const words = { blobs: "blobs", entries: "partitions", check: "partitions checked" } as const;

/** Shows progress until it is told to end. */
export function showProgress(terminal: Terminal): { readonly onProgress: OnProgress; readonly end: () => void } {
  let shown: { readonly step: string; readonly total: number; readonly bar: Progress } | undefined;
  const end = () => shown?.bar.end();
  return {
    end,
    onProgress({ step, done, total, entries }) {
      if (shown?.step !== step || shown.total !== total) {
        end();
        shown = { step, total, bar: terminal.progress(words[step], total) };
      }
      shown.bar.at(done, entries > 0 ? `${entries} entries` : undefined);
    },
  };
}
