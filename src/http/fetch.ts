// Translates between the platform's `Request` and `Response` and plain requests and responses.

import { createError } from "../errors";
import { createResponseEncoder, createWebCompressor } from "../utils/compression";
import { BodyDeadline } from "../utils/concurrency/body-deadline";
import { readStream } from "../utils/streams";
import type { PlainRequest, PlainResponse } from "./plain-request";

/** Cloudflare compresses the responses of a Worker, and would compress them a second time. */
const isCompressedByPlatform = globalThis.navigator?.userAgent === "Cloudflare-Workers";
const compressor = isCompressedByPlatform ? undefined : createWebCompressor();
const encodeResponse = compressor && createResponseEncoder(compressor);

/** Returns a `fetch` handler that passes requests on to a handler of plain requests. */
export function createFetchHandler(
  handle: (request: PlainRequest) => Promise<PlainResponse>,
  getClientAddress: ((request: Request) => string | undefined) | undefined,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const plainResponse = await handle({
      method: request.method,
      url: request.url,
      headers: request.headers,
      headerPairs: () => request.headers,
      body: (maxBytes) => readRequestBody(request.body, maxBytes),
      address: getClientAddress?.(request),
    });
    const encodedResponse = encodeResponse ? await encodeResponse(request, plainResponse) : plainResponse;

    const { status, headers, body, cookies } = encodedResponse;
    const response = new Response((body as BodyInit | undefined) ?? null, { status, headers });
    for (const cookie of cookies ?? []) response.headers.append("set-cookie", cookie);
    return response;
  };
}

/** Returns the bytes of a body. Throws `body_too_large` or `body_too_slow`. */
async function readRequestBody(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  if (!stream) return new Uint8Array();
  const controller = new AbortController();
  const deadline = new BodyDeadline(() => controller.abort(createError("body_too_slow")));
  try {
    const { signal } = controller;
    const bytes = await readStream(stream, maxBytes, { signal, onBytes: (count) => deadline.addReceivedBytes(count) });
    if (!bytes) throw createError("body_too_large", { limit: maxBytes });
    return bytes;
  } finally {
    deadline.clear();
  }
}
