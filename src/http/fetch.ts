// Between the platform's `Request` and `Response` and the plain shapes of the edge.

import { failure } from "../errors";
import type { PlainRequest, PlainResponse } from "./plain";

export function fromRequest(request: Request, address: string | undefined): PlainRequest {
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: (limit) => readAll(request.body, limit),
    address,
  };
}

export function toResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body ?? null, { status, headers });
}

/** Reads a stream to its end, and gives up as soon as it is longer than the limit. */
async function readAll(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (stream) {
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > limit) {
        await reader.cancel();
        throw failure("body_too_large");
      }
      chunks.push(next.value);
    }
  }
  return join(chunks, size);
}

/** Chunks as one array. */
function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
