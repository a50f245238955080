// Converts node-fetch's response to the platform's `Response`. Its body is counted while it is read: the size limit holds for the bytes
// after decompression, whatever the headers say.

import type { Response as NodeFetchResponse } from "node-fetch";
import type { Deadline } from "./deadline";
import { EgressError } from "./errors";

export type { NodeFetchResponse };

const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

export interface ResponseLimits {
  readonly maxBytes: number;
  readonly betweenBytesMs: number;
  /** Resolves when the body of the request was sent. A server may begin its response before that, and waits for the rest itself. */
  readonly requestSent: Promise<unknown> | undefined;
}

/** Converts a response. The deadline ends with its body. */
export function toResponse(
  nodeResponse: NodeFetchResponse,
  url: URL,
  limits: ResponseLimits,
  deadline: Deadline,
): Response {
  const { maxBytes } = limits;
  const createTooLargeError = () => new EgressError(url, "too_large", `its answer is larger than ${maxBytes} bytes`);
  const { status, statusText } = nodeResponse;
  const headers = new Headers();
  for (const [name, values] of Object.entries(nodeResponse.headers.raw()))
    for (const value of values) headers.append(name, value);

  try {
    if (Number(headers.get("content-length") ?? 0) > maxBytes) throw createTooLargeError();
    if (nodeResponse.body !== null && !STATUSES_WITHOUT_BODY.has(status)) {
      const body = createCountedStream(nodeResponse, limits, createTooLargeError, deadline);
      return new Response(body, { status, statusText, headers });
    }
    const response = new Response(null, { status, statusText, headers });
    deadline.end();
    discardResponse(nodeResponse);
    return response;
  } catch (error) {
    discardResponse(nodeResponse);
    throw error;
  }
}

/** Calls `start` after a promise, or at once if there is none. Returns a function that stops it, or prevents it from starting. */
export function startWhenSettled(promise: Promise<unknown> | undefined, start: () => () => void): () => void {
  if (!promise) return start();
  let stop = () => {};
  let isStopped = false;
  void promise.then(() => {
    if (!isStopped) stop = start();
  });
  return () => {
    isStopped = true;
    stop();
  };
}

function createCountedStream(
  response: NodeFetchResponse,
  { maxBytes, betweenBytesMs, requestSent }: ResponseLimits,
  createTooLargeError: () => Error,
  deadline: Deadline,
): ReadableStream<Uint8Array> {
  const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let size = 0;
  const end = () => {
    deadline.end();
    discardResponse(response);
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const stopTimer = startWhenSettled(requestSent, () =>
        deadline.startPhase("the next piece of its answer", betweenBytesMs),
      );
      try {
        const { done, value } = await chunks.next();
        if (done) {
          end();
          controller.close();
          return;
        }
        size += value.length;
        if (size > maxBytes) throw createTooLargeError();
        controller.enqueue(value);
      } catch (error) {
        end();
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      } finally {
        stopTimer();
      }
    },
    cancel: end,
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Closes the connection of a response that is not read any further. */
export function discardResponse({ body }: NodeFetchResponse): void {
  (body as (NodeJS.ReadableStream & { destroy(): void }) | null)?.destroy();
}
