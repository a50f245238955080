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
      async body(maxBytes) {
        if (!request.body) return new Uint8Array();
        const controller = new AbortController();
        const deadline = new BodyDeadline(() => controller.abort(createError("body_too_slow")));
        try {
          const { signal } = controller;
          const onBytes = (count: number) => deadline.addReceivedBytes(count);
          const bytes = await readStream(request.body, maxBytes, { signal, onBytes });
          if (!bytes) throw createError("body_too_large", { limit: maxBytes });
          return bytes;
        } finally {
          deadline.clear();
        }
      },
      address: getClientAddress?.(request),
    });
    const encodedResponse = encodeResponse ? await encodeResponse(request, plainResponse) : plainResponse;

    const { status, headers, body, cookies } = encodedResponse;
    const response = new Response((body as BodyInit | undefined) ?? null, { status, headers });
    for (const cookie of cookies ?? []) response.headers.append("set-cookie", cookie);
    return response;
  };
}
