// From node-fetch's answer to the platform's `Response`, whose body is counted while it is read: the size limit holds for
// what comes out of decompression, whatever the headers say.

import type { Response as Answer } from "node-fetch";
import type { Deadline } from "./deadline";
import { EgressRefused } from "./refused";

export type { Answer };

const WITHOUT_BODY = new Set([204, 205, 304]);

/** What an answer may take. */
export interface AnswerLimits {
  readonly maxBytes: number;
  readonly betweenBytesMs: number;
  /** When the body of the request is sent. A server may begin its answer before, and waits for the rest itself. */
  readonly sent: Promise<unknown> | undefined;
}

/** The deadline ends with the body. */
export function toResponse(answer: Answer, url: URL, limits: AnswerLimits, deadline: Deadline): Response {
  const { maxBytes } = limits;
  const tooLarge = () => new EgressRefused(url, "too_large", `its answer is larger than ${maxBytes} bytes`);
  const { status, statusText } = answer;
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headers.raw())) {
    for (const value of values) headers.append(name, value);
  }
  try {
    if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
    if (answer.body !== null && !WITHOUT_BODY.has(status))
      return new Response(counted(answer, limits, tooLarge, deadline), { status, statusText, headers });
    const response = new Response(null, { status, statusText, headers });
    deadline.end();
    discard(answer);
    return response;
  } catch (error) {
    discard(answer);
    throw error;
  }
}

/** Begins something after something else, or never if it was stopped before. */
export function afterThat(first: Promise<unknown> | undefined, begin: () => () => void): () => void {
  if (!first) return begin();
  let [stop, isOver] = [() => {}, false];
  first.then(() => {
    if (!isOver) stop = begin();
  });
  return () => {
    isOver = true;
    stop();
  };
}

function counted(
  answer: Answer,
  { maxBytes, betweenBytesMs, sent }: AnswerLimits,
  tooLarge: () => Error,
  deadline: Deadline,
): ReadableStream<Uint8Array> {
  const chunks = (answer.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let size = 0;
  const end = () => {
    deadline.end();
    discard(answer);
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const stop = afterThat(sent, () => deadline.part("the next piece of its answer", betweenBytesMs));
      try {
        const { done, value } = await chunks.next();
        if (done) {
          end();
          controller.close();
          return;
        }
        size += value.length;
        if (size > maxBytes) throw tooLarge();
        controller.enqueue(value);
      } catch (error) {
        end();
        throw deadline.signal.aborted ? deadline.signal.reason : error;
      } finally {
        stop();
      }
    },
    cancel: end,
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Closes the connection of an answer that nobody reads any further. */
export function discard({ body }: Answer): void {
  (body as (NodeJS.ReadableStream & { destroy(): void }) | null)?.destroy();
}
