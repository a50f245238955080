// Content codings (RFC 9110, 8.4): which one a request prefers, and which responses are worth it. The doors bring the
// compressors of their platform: node:zlib, or `CompressionStream`.
//
// Two kinds of responses are never compressed, so that the length of a response tells nobody what is in it (BREACH): those
// that nobody may store, as all are that hand out secrets, and those to cookies that a page of another site sent along.

/** What a choice needs to know of a request. */
interface Accepting {
  readonly headers: { get(name: string): string | null };
}

/** A response as a door sends it. */
interface Encodable {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  readonly bodyKey?: object | undefined;
}

export type ContentCoding = "br" | "zstd" | "gzip";

/** How a platform compresses. Neither way holds the event loop. */
export interface Compressor {
  /** What it can do, the preferred coding first. */
  readonly codings: readonly ContentCoding[];
  readonly compress: (body: Uint8Array, coding: ContentCoding) => Promise<Uint8Array>;
  readonly compressStream: (body: ReadableStream<Uint8Array>, coding: ContentCoding) => ReadableStream<Uint8Array>;
}

export type EncodeResponse = <Response extends Encodable>(request: Accepting, response: Response) => Promise<Response>;

/** Shorter bodies hardly become shorter. */
const MIN_BYTES = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[^;]*\+)?(?:json|xml|javascript|x-ndjson|wasm)\b|image\/svg\+xml)/i;
/** Events are sent when they happen; a compressor would hold them back. */
const LIVE = /^text\/event-stream\b/i;

/**
 * Returns a function that compresses responses as their requests accept it. A response that is the same object again, or
 * has the same `bodyKey`, is compressed once in each coding.
 */
export function createResponseEncoder(compressor: Compressor): EncodeResponse {
  const compressed = new WeakMap<object, Map<ContentCoding, Promise<Uint8Array>>>();

  function compressOnce(key: object, body: string | Uint8Array, coding: ContentCoding): Promise<Uint8Array> {
    const known = compressed.get(key) ?? new Map<ContentCoding, Promise<Uint8Array>>();
    compressed.set(key, known);
    const bytes = known.get(coding) ?? compressor.compress(typeof body === "string" ? utf8.encode(body) : body, coding);
    known.set(coding, bytes);
    return bytes;
  }

  return async (request, response) => {
    if (response.status === 304) return withKnownTag(request, response);
    if (!isCompressible(response)) return response;
    const coding = isSafe(request, response)
      ? chooseCoding(request.headers.get("accept-encoding"), compressor.codings)
      : undefined;
    const { "content-length": _, ...headers } = response.headers;
    headers.vary = addVary(headers.vary, "accept-encoding");
    if (coding === undefined) return { ...response, headers: { ...response.headers, vary: headers.vary } };
    headers["content-encoding"] = coding;
    // The bytes are others than those that the tag names, and mean the same.
    if (headers.etag !== undefined) headers.etag = weakTag(headers.etag);
    const { body } = response;
    if (body instanceof ReadableStream) return { ...response, headers, body: compressor.compressStream(body, coding) };
    return { ...response, headers, body: await compressOnce(response.bodyKey ?? response, body!, coding) };
  };
}

const utf8 = new TextEncoder();

/** Returns whether content of a type is compressed, if it is long enough. */
export function isCompressibleType(type = ""): boolean {
  return COMPRESSIBLE.test(type) && !LIVE.test(type);
}

/** Whether a response has content that becomes shorter. A part of a file is a part of its own bytes. */
function isCompressible({ status, headers, body }: Encodable): boolean {
  const type = headers["content-type"];
  if (body === undefined || status === 206 || !isCompressibleType(type)) return false;
  if (headers["content-encoding"] !== undefined || headers["accept-ranges"] === "bytes") return false;
  // A stream of unknown length is still being made, and is sent as it comes.
  const length = body instanceof ReadableStream ? Number(headers["content-length"] ?? 0) : body.length;
  return length >= MIN_BYTES && !/\bno-transform\b/i.test(headers["cache-control"] ?? "");
}

/** Whether the length of the compressed response gives nothing away. */
function isSafe({ headers }: Accepting, response: Encodable): boolean {
  if (/\bno-store\b/i.test(response.headers["cache-control"] ?? "")) return false;
  const from = headers.get("sec-fetch-site") ?? "none";
  return headers.get("cookie") === null || from === "same-origin" || from === "none";
}

/**
 * Returns the content coding that an `Accept-Encoding` header prefers among those available, or undefined for none. Where
 * several have the same weight, the first of `available` is used. A header that accepts nothing that there is, not even
 * the content as it is, is treated as absent (RFC 9110, 12.4.1).
 */
export function chooseCoding<Coding extends string>(
  header: string | null,
  available: readonly Coding[],
): Coding | undefined {
  if (header === null) return undefined;
  const weights = readWeights(header);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  let best: Coding | undefined;
  for (const coding of available) if (weightOf(coding) > (best === undefined ? 0 : weightOf(best))) best = coding;
  // Without a weight of its own, the content as it is comes after everything that was asked for.
  const identity = weights.get("identity") ?? 0;
  return best !== undefined && weightOf(best) >= identity ? best : undefined;
}

/** The longest header that is read. */
const MAX_HEADER_LENGTH = 1024;

/** The weights of an `Accept-Encoding` header by coding. `x-gzip` is another name of gzip. */
function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (header.length > MAX_HEADER_LENGTH) return weights;
  for (const item of header.split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((it) => /^q\s*=/.test(it))?.replace(/^q\s*=\s*/, "") ?? "1";
    const isValid = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
    if (name !== "" && isValid) weights.set(name === "x-gzip" ? "gzip" : name, Number(weight));
  }
  return weights;
}

/** A `Vary` header that also names another header. */
export function addVary(vary: string | undefined, name: string): string {
  if (vary === undefined || vary.trim() === "") return name;
  const names = vary.split(",").map((it) => it.trim().toLowerCase());
  return names.includes("*") || names.includes(name) ? vary : `${vary}, ${name}`;
}

function weakTag(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}

/** A 304 with the tag that the caller has: caches look for exactly that one. */
function withKnownTag<Response extends Encodable>({ headers }: Accepting, response: Response): Response {
  const { etag } = response.headers;
  if (etag === undefined) return response;
  const isWeak = headers.get("if-none-match")?.includes(weakTag(etag)) === true;
  const vary = addVary(response.headers.vary, "accept-encoding");
  return { ...response, headers: { ...response.headers, vary, etag: isWeak ? weakTag(etag) : etag } };
}

/** The compressor of the web platform; undefined where it has none. */
export function createWebCompressor(): Compressor | undefined {
  if (typeof CompressionStream === "undefined") return undefined;
  const compressStream: Compressor["compressStream"] = (body) =>
    body.pipeThrough(new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
  return {
    codings: ["gzip"],
    async compress(body, coding) {
      const stream = compressStream(new Blob([body as BlobPart]).stream(), coding);
      return new Uint8Array(await new Response(stream as BodyInit).arrayBuffer());
    },
    compressStream,
  };
}
