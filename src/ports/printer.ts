// The printer of an API and its queue. Printing uses the processor, so a few documents are printed at once, some more
// wait, and further callers are asked to try again. Between two pages the process does its other work.

import type { PrintedPage, Printer, PrintJob } from "../content/print-job";
import { DocsError } from "../errors";
import { createAdmissionGate } from "../utils/concurrency/admission-gate";
import { pauseUntilNextTurn } from "../utils/concurrency/event-loop";

/** Documents that are printed at once. */
const AT_ONCE = 2;

/** Documents that wait. */
const WAITING = 20;

/** A document that is printed: its bytes, or a stream of them while they are made. */
type Printed = Uint8Array | ReadableStream<Uint8Array>;

/** Prints a document. */
export type PrintDocument = (job: PrintJob) => Promise<Printed>;

/** A printer that is loaded when first needed. `onError` hears of what fails while a stream is sent. */
export function createPrintQueue(load: () => Promise<Printer>, onError: (error: unknown) => void): PrintDocument {
  const gate = createAdmissionGate({ maxRunning: AT_ONCE, maxWaiting: WAITING });

  return (asked) =>
    new Promise((answer, refuse) => {
      const printing = gate.tryRun(async () => {
        const printer = await load();
        const job = { ...asked, pages: unhurried(asked.pages) };
        if (printer.stream) await sendOn(printer.stream(job), answer, onError);
        else answer(await printer.print(job));
      });
      if (printing) printing.catch(refuse);
      else refuse(new DocsError("printer_busy", { headers: { "retry-after": "5" } }));
    });
}

/**
 * Answers when there is more than one piece, or the only one. The others are sent on as they come: printing does not wait for
 * those who read slowly, for others wait for their turn to print. It ends when nobody reads any more.
 */
async function sendOn(
  pieces: AsyncIterable<Uint8Array>,
  answer: (printed: Printed) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  const printing = pieces[Symbol.asyncIterator]();
  const first = await printing.next();
  let next = first.done ? first : await printing.next();
  if (next.done) {
    answer(first.value ?? new Uint8Array());
    return;
  }
  let isRead = true;
  let stream!: ReadableStreamDefaultController<Uint8Array>;
  const start = (controller: typeof stream) => {
    stream = controller;
    stream.enqueue(first.value);
  };
  const cancel = () => {
    isRead = false;
  };
  answer(new ReadableStream({ start, cancel }));
  try {
    for (; isRead && !next.done; next = await printing.next()) stream.enqueue(next.value);
    if (isRead) stream.close();
    else await printing.return?.();
  } catch (error) {
    onError(error);
    if (isRead) stream.error(error);
  }
}

/** Pages with a pause after each. */
async function* unhurried(pages: PrintJob["pages"]): AsyncGenerator<PrintedPage> {
  for await (const page of pages) {
    yield page;
    await pauseUntilNextTurn();
  }
}
