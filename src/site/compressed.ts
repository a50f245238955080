// Texts as gzip, for browsers that reach the server itself. Answers that are sent again are compressed once.

import type { PlainRequest, PlainResponse } from "../http/plain";

/** Shorter texts hardly become shorter. */
const SHORTEST = 1024;
const TEXTS = /^(?:text\/|application\/(?:json|xml|rss\+xml|javascript))/;

const known = new WeakMap<PlainResponse, Promise<PlainResponse>>();

/** The answer as gzip where the request takes that and it is worth it, else as it is. */
export function compressed(request: PlainRequest, response: PlainResponse): PlainResponse | Promise<PlainResponse> {
  const { status, body, headers } = response;
  if (status !== 200 || body === undefined || body instanceof ReadableStream || body.length < SHORTEST) return response;
  if (!takesGzip(request.headers.get("accept-encoding")) || typeof CompressionStream === "undefined") return response;
  if (!TEXTS.test(headers["content-type"] ?? "") || headers["content-encoding"] !== undefined) return response;
  const again = known.get(response) ?? compress(response, body);
  known.set(response, again);
  return again;
}

function takesGzip(header: string | null): boolean {
  return header?.split(",").some((it) => /^\s*gzip\s*(?:$|;(?!\s*q=0(?:\.0*)?\s*$))/i.test(it)) ?? false;
}

async function compress(response: PlainResponse, body: string | Uint8Array): Promise<PlainResponse> {
  const { "content-length": _, etag, ...headers } = response.headers;
  const stream = new Blob([body as BlobPart]).stream().pipeThrough(new CompressionStream("gzip"));
  return {
    ...response,
    // The bytes are others than those that the tag was made of, and mean the same.
    headers: { ...headers, "content-encoding": "gzip", ...(etag === undefined ? {} : { etag: `W/${etag}` }) },
    body: new Uint8Array(await new Response(stream).arrayBuffer()),
  };
}
