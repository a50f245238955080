// Runs the printer through a queue. Printing is CPU-bound, so a few documents are printed at once, some more wait, and further
// callers are asked to try again. Between two pages the process does its other work.

import type { PrintedPage, Printer, PrintJob } from "../content/print-job";
import { DocsError } from "../errors";
import { createAdmissionGate } from "../utils/concurrency/admission-gate";
import { pauseUntilNextTurn } from "../utils/concurrency/event-loop";

/** The documents that are printed at once, and those that wait. */
const MAX_RUNNING = 2;
const MAX_WAITING = 20;

/** The bytes of a document, or a stream of them while it is printed. */
type PrintedDocument = Uint8Array | ReadableStream<Uint8Array>;

export type PrintDocument = (job: PrintJob) => Promise<PrintedDocument>;

/**
 * Returns a function that prints documents. The printer is loaded when it is first needed. `onError` is called with errors that
 * happen while a stream is sent.
 */
export function createPrintQueue(load: () => Promise<Printer>, onError: (error: unknown) => void): PrintDocument {
  const gate = createAdmissionGate({ maxRunning: MAX_RUNNING, maxWaiting: MAX_WAITING });

  return (job) =>
    new Promise((resolve, reject) => {
      // The promise resolves when the document begins, and the place in the gate is held until its end.
      const printing = gate.tryRun(async () => {
        const printer = await load();
        const yieldingJob = { ...job, pages: pauseAfterEachPage(job.pages) };
        if (printer.stream) await streamDocument(printer.stream(yieldingJob), resolve, onError);
        else resolve(await printer.print(yieldingJob));
      });
      if (printing !== undefined) printing.catch(reject);
      else reject(new DocsError("printer_busy", { headers: { "retry-after": "5" } }));
    });
}

/**
 * Resolves with the only chunk, or with a stream as soon as there is a second one. The stream buffers without limit: printing
 * does not wait for slow readers, because others wait to print. It stops when the stream is canceled.
 */
async function streamDocument(
  chunks: AsyncIterable<Uint8Array>,
  resolve: (document: PrintedDocument) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  let next = first.done ? first : await iterator.next();
  if (next.done) {
    resolve(first.value ?? new Uint8Array());
    return;
  }

  let isCanceled = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({
    start(streamController) {
      controller = streamController;
      controller.enqueue(first.value);
    },
    cancel() {
      isCanceled = true;
    },
  });
  resolve(stream);
  try {
    for (; !isCanceled && !next.done; next = await iterator.next()) controller.enqueue(next.value);
    if (isCanceled) await iterator.return?.();
    else controller.close();
  } catch (error) {
    onError(error);
    if (!isCanceled) controller.error(error);
  }
}

async function* pauseAfterEachPage(pages: PrintJob["pages"]): AsyncGenerator<PrintedPage> {
  for await (const page of pages) {
    yield page;
    await pauseUntilNextTurn();
  }
}
