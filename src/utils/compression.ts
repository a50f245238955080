// Content codings (RFC 9110, 8.4): which coding a request prefers, and which responses are compressed. Each HTTP adapter brings
// the compressor of its platform: node:zlib, or `CompressionStream`.
//
// Two kinds of responses are never compressed, so that the length of a response reveals nothing about its content (BREACH):
// those with `no-store`, as are all that hand out secrets, and those to cookies that a page of another site sent along.

/** The part of a request that decides about compression. */
interface EncodingRequest {
  readonly headers: { get(name: string): string | null };
}

/** A response before it is sent. */
interface EncodableResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  readonly bodyKey?: object | undefined;
}

export type ContentCoding = "br" | "zstd" | "gzip";

/** Compresses with the means of a platform, without blocking the event loop. */
export interface Compressor {
  /** The supported codings, the preferred one first. */
  readonly codings: readonly ContentCoding[];
  readonly compress: (body: Uint8Array, coding: ContentCoding) => Promise<Uint8Array>;
  readonly compressStream: (body: ReadableStream<Uint8Array>, coding: ContentCoding) => ReadableStream<Uint8Array>;
}

export type ResponseEncoder = <Response extends EncodableResponse>(
  request: EncodingRequest,
  response: Response,
) => Promise<Response>;

const utf8 = new TextEncoder();

/**
 * Returns a function that compresses responses as their requests accept it. A response that is the same object again, or
 * has the same `bodyKey`, is compressed once in each coding.
 */
export function createResponseEncoder(compressor: Compressor): ResponseEncoder {
  const compressedBodies = new WeakMap<object, Map<ContentCoding, Promise<Uint8Array>>>();

  return async (request, response) => {
    const { status, headers: plainHeaders, body } = response;
    if (status === 304) {
      const { etag } = plainHeaders;
      if (etag === undefined) return response;
      // Caches look for exactly the tag that the caller sent.
      const weakTag = etag.startsWith("W/") ? etag : `W/${etag}`;
      const isWeak = request.headers.get("if-none-match")?.includes(weakTag) === true;
      return {
        ...response,
        headers: { ...plainHeaders, vary: addToVary(plainHeaders), etag: isWeak ? weakTag : etag },
      };
    }

    // Only content that becomes shorter is compressed. A range of a file refers to the file's own bytes. A stream of unknown length is
    // still being produced, and is sent as it comes. Most responses of an API are short, so the length comes first.
    const length = body instanceof ReadableStream ? Number(plainHeaders["content-length"] ?? 0) : (body?.length ?? 0);
    if (length < MIN_COMPRESSIBLE_BYTES || !isCompressibleType(plainHeaders["content-type"])) return response;
    const cacheControl = plainHeaders["cache-control"] ?? "";
    const isRange = status === 206 || plainHeaders["accept-ranges"] === "bytes";
    const isCoded = plainHeaders["content-encoding"] !== undefined || /\bno-transform\b/i.test(cacheControl);
    if (isRange || isCoded) return response;

    // The length of the compressed response must reveal nothing.
    const origin = request.headers.get("sec-fetch-site") ?? "none";
    const isFromOwnPage = request.headers.get("cookie") === null || origin === "same-origin" || origin === "none";
    const coding =
      isFromOwnPage && !/\bno-store\b/i.test(cacheControl)
        ? chooseCoding(request.headers.get("accept-encoding"), compressor.codings)
        : undefined;
    const vary = addToVary(plainHeaders);
    if (coding === undefined) return { ...response, headers: { ...plainHeaders, vary } };

    const { "content-length": _, ...headers } = plainHeaders;
    headers.vary = vary;
    headers["content-encoding"] = coding;
    // The compressed bytes are not those that the tag names, but mean the same.
    if (headers.etag !== undefined) headers.etag = headers.etag.startsWith("W/") ? headers.etag : `W/${headers.etag}`;
    if (body instanceof ReadableStream) return { ...response, headers, body: compressor.compressStream(body, coding) };

    const key = response.bodyKey ?? response;
    const compressed = compressedBodies.get(key) ?? new Map<ContentCoding, Promise<Uint8Array>>();
    compressedBodies.set(key, compressed);
    const bytes =
      compressed.get(coding) ?? compressor.compress(typeof body === "string" ? utf8.encode(body) : body!, coding);
    compressed.set(coding, bytes);
    return { ...response, headers, body: await bytes };
  };
}

/** Shorter bodies hardly become shorter. */
const MIN_COMPRESSIBLE_BYTES = 1024;
const COMPRESSIBLE_TYPES =
  /^(?:text\/|application\/(?:[^;]*\+)?(?:json|xml|javascript|x-ndjson|wasm)\b|image\/svg\+xml)/i;
/** Events are sent when they happen; a compressor would hold them back. */
const EVENT_STREAM_TYPE = /^text\/event-stream\b/i;

/** Returns true if content of a type is compressed, provided that it is long enough. */
export function isCompressibleType(type = ""): boolean {
  return COMPRESSIBLE_TYPES.test(type) && !EVENT_STREAM_TYPE.test(type);
}

/** Returns the `Vary` header of a response that depends on `Accept-Encoding`. */
function addToVary({ vary = "" }: Readonly<Record<string, string>>): string {
  const names = vary.split(",").map((it) => it.trim().toLowerCase());
  if (names.includes("*") || names.includes("accept-encoding")) return vary;
  return vary.trim() === "" ? "accept-encoding" : `${vary}, accept-encoding`;
}

/** Longer `Accept-Encoding` headers are ignored. */
const MAX_HEADER_LENGTH = 1024;

/**
 * Returns the content coding that an `Accept-Encoding` header prefers among those available, or undefined for none. If
 * several have the same weight, the first of `available` is used. A header that accepts none of them, not even the
 * identity coding, is treated as absent (RFC 9110, 12.4.1).
 */
export function chooseCoding<Coding extends string>(
  header: string | null,
  available: readonly Coding[],
): Coding | undefined {
  if (header === null) return undefined;
  const weights = new Map<string, number>();
  for (const item of header.length > MAX_HEADER_LENGTH ? [] : header.split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((it) => /^q\s*=/.test(it))?.replace(/^q\s*=\s*/, "") ?? "1";
    const isValid = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
    // RFC 9110, 8.4.1.3: `x-gzip` is another name of gzip.
    if (name !== "" && isValid) weights.set(name === "x-gzip" ? "gzip" : name, Number(weight));
  }

  let best: Coding | undefined;
  let bestWeight = 0;
  for (const coding of available) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  // Without an explicit weight, the identity coding comes after everything that was asked for.
  const identityWeight = weights.get("identity") ?? 0;
  return bestWeight >= identityWeight ? best : undefined;
}

/**
 * Returns the compressor of the web platform, or undefined if the runtime has none. Bun has Zstandard as well. Brotli isn't used:
 * the platform takes no quality, and the default of Bun is the best one, which takes 1.6 s for 240 KB.
 */
export function createWebCompressor(): Compressor | undefined {
  if (typeof CompressionStream === "undefined") return undefined;
  const compressStream: Compressor["compressStream"] = (body, coding) =>
    body.pipeThrough(new CompressionStream(coding as "gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
  return {
    codings: (["zstd", "gzip"] as const).filter((format) => {
      try {
        new CompressionStream(format as CompressionFormat);
        return true;
      } catch {
        return false;
      }
    }),
    async compress(body, coding) {
      const stream = compressStream(new Blob([body as BlobPart]).stream(), coding);
      return new Uint8Array(await new Response(stream as BodyInit).arrayBuffer());
    },
    compressStream,
  };
}
