// Between the platform's `Request` and `Response` and the plain shapes of the edge.

import { createError } from "../errors";
import { createResponseEncoder, createWebCompressor } from "../utils/compression";
import { BodyDeadline } from "../utils/concurrency/body-deadline";
import { readStream } from "../utils/streams";
import type { PlainRequest, PlainResponse } from "./plain";

/** Cloudflare compresses what a Worker answers, and would compress it a second time. */
const isCompressedByPlatform = globalThis.navigator?.userAgent === "Cloudflare-Workers";
const compressor = isCompressedByPlatform ? undefined : createWebCompressor();
const encodeResponse = compressor && createResponseEncoder(compressor);

/** The platform's `fetch` handler of one that works on plain requests. */
export function createFetch(
  handle: (request: PlainRequest) => Promise<PlainResponse>,
  addressOf: ((request: Request) => string | undefined) | undefined,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await handle(fromRequest(request, addressOf?.(request)));
    return toResponse(encodeResponse ? await encodeResponse(request, response) : response);
  };
}

function fromRequest(request: Request, address: string | undefined): PlainRequest {
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    headerPairs: () => request.headers,
    body: (limit) => readAll(request.body, limit),
    address,
  };
}

function toResponse({ status, headers, body, cookies }: PlainResponse): Response {
  const response = new Response((body as BodyInit | undefined) ?? null, { status, headers });
  for (const cookie of cookies ?? []) response.headers.append("set-cookie", cookie);
  return response;
}

/** Returns all of a stream, or throws the failure that says that it is too long, or takes too long. */
async function readAll(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (!stream) return new Uint8Array();
  const stop = new AbortController();
  const deadline = new BodyDeadline(() => stop.abort(createError("body_too_slow")));
  try {
    const bytes = await readStream(stream, limit, { signal: stop.signal, onBytes: (count) => deadline.add(count) });
    if (!bytes) throw createError("body_too_large", { limit });
    return bytes;
  } finally {
    deadline.clear();
  }
}
