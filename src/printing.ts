// The one printer of an API, and those who wait for it: printing is work for the processor, so a few documents are printed
// at once, some more wait, and whoever comes then is asked to come again. Between two pages the process does its other work.

import type { PrintedPage, Printer, PrintJob } from "./content/print";
import { DocsError } from "./errors";

/** Documents that are printed at once. */
const AT_ONCE = 2;

/** Documents that wait. */
const WAITING = 20;

/** Prints with a printer that is loaded when it is needed. */
export function createPrinting(load: () => Promise<Printer>): (job: PrintJob) => Promise<Uint8Array> {
  const waiting: (() => void)[] = [];
  let printing = 0;

  async function begin(): Promise<void> {
    if (printing < AT_ONCE) printing++;
    else if (waiting.length < WAITING) await new Promise<void>((turn) => waiting.push(turn));
    else throw new DocsError("printer_busy", { headers: { "retry-after": "5" } });
  }

  function end(): void {
    const next = waiting.shift();
    if (next) next();
    else printing--;
  }

  return async (job) => {
    await begin();
    try {
      const printer = await load();
      return await printer.print({ ...job, pages: unhurried(job.pages) });
    } finally {
      end();
    }
  };
}

/** Pages with a pause after each, in which whatever else waits has its turn: a storage in memory alone gives it none. */
async function* unhurried(pages: PrintJob["pages"]): AsyncGenerator<PrintedPage> {
  for await (const page of pages) {
    yield page;
    await new Promise((done) => setTimeout(done, 0));
  }
}
