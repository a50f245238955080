// The printer of an API and its queue. Printing uses the processor, so a few documents are printed at once, some more
// wait, and further callers are asked to try again. Between two pages the process does its other work.

import type { PrintedPage, Printer, PrintJob } from "../content/print";
import { DocsError } from "../errors";
import { createGate } from "../turns/gate";
import { pause } from "../turns/pause";

/** Documents that are printed at once. */
const AT_ONCE = 2;

/** Documents that wait. */
const WAITING = 20;

/** A printer that is loaded when first needed. */
export function createPrinting(load: () => Promise<Printer>): (job: PrintJob) => Promise<Uint8Array> {
  const gate = createGate({ atOnce: AT_ONCE, waiting: WAITING });

  return async (job) => {
    const printed = gate.enter(async () => (await load()).print({ ...job, pages: unhurried(job.pages) }));
    if (!printed) throw new DocsError("printer_busy", { headers: { "retry-after": "5" } });
    return printed;
  };
}

/** Pages with a pause after each. */
async function* unhurried(pages: PrintJob["pages"]): AsyncGenerator<PrintedPage> {
  for await (const page of pages) {
    yield page;
    await pause();
  }
}
