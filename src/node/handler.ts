// The handler for node:http. It translates between node:http and the plain requests and responses of the HTTP handler, and builds neither
// `Request` nor `Response`, which is worth a factor of three. No error reaches the server that it runs in.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { setImmediate as waitForNextTurn } from "node:timers/promises";
import type { DocsApi } from "../api/create-docs-api";
import { createError, createValidationError, type DocsError } from "../errors";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { readRequestTarget } from "../http/request-target";
import { createResponseEncoder } from "../utils/compression";
import { omitUndefined } from "../utils/objects";
import { AdmissionGate, type AdmissionGateOptions, type GatedRequest } from "./admission-gate";
import { hasMoreBody, MAX_SMALL_BYTES, RETRY_HEADERS, readNodeBody } from "./body";
import { createClientAddressReader, type TrustProxy } from "./client-address";
import { nodeCompressor } from "./compressor";

export interface NodeHandlerOptions {
  /**
   * The proxies in front of this server, for the client's address, by which a rate limit counts. A number: the client is that many hops
   * from the right of `X-Forwarded-For`. A list of addresses and networks (`["10.0.0.0/8", "::1"]`): the client is the first one from
   * the right that is not in it. Default: 0, and the header is never read.
   */
  readonly trustProxy?: TrustProxy;
  /**
   * The most work that is done at once. The rest waits a moment, and is refused with 503 `overloaded` and `Retry-After` if there is too
   * much of it.
   */
  readonly load?: AdmissionGateOptions;
  /** Compresses responses (br, zstd or gzip) for clients that accept it. Set it to false if a proxy does that. Default: true. */
  readonly compress?: boolean;
}

/** A client that reads nothing for this long is gone, or means harm. */
const MAX_STALL_MS = 2 * 60_000;
/** The client gets this long to send a body that is discarded. */
const MAX_DISCARD_MS = 5_000;

/** Responds to a node:http request. It needs no `this`. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Creates a handler of an API for node:http, Express or Fastify.
 *
 * ```ts
 * http.createServer(nodeHandler(api)).listen(3000);
 * ```
 *
 * Express: the API's `basePath` is the path that it is mounted under. It may come after a body parser: then `req.body` is used, and the
 * parser's own limit counts as well.
 *
 * ```ts
 * app.use("/docs-api", nodeHandler(createDocsApi(storage, { basePath: "/docs-api" })));
 * ```
 *
 * Fastify: in a separate scope, whose only content type parser leaves the body unread.
 *
 * ```ts
 * fastify.register(async (scope) => {
 *   scope.removeAllContentTypeParsers();
 *   scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
 *   scope.all("/v1/*", (request, reply) => {
 *     reply.hijack();
 *     handler(request.raw, reply.raw);
 *   });
 * });
 * ```
 */
export function nodeHandler(api: Pick<DocsApi, "handle">, options: NodeHandlerOptions = {}): NodeHandler {
  const getClientAddress = createClientAddressReader(options.trustProxy ?? 0);
  const encodeResponse = options.compress === false ? undefined : createResponseEncoder(nodeCompressor);
  const gate = new AdmissionGate({
    maxConcurrent: 1024,
    maxQueued: 4096,
    maxBytes: 256 * 1024 * 1024,
    ...options.load,
  });

  async function serve(req: IncomingMessage, res: ServerResponse, url: string, admitted?: GatedRequest): Promise<void> {
    const request = new NodeRequest(req, url, getClientAddress, gate, admitted);
    try {
      const plainResponse = await api.handle(request);
      const response = encodeResponse ? await encodeResponse(request, plainResponse) : plainResponse;
      // A fast response can be ready between two pieces of one packet. After this turn, a body that has already arrived is seen as
      // complete, and the connection stays open.
      if (hasMoreBody(req)) await waitForNextTurn();
      sendResponse(req, res, response, gate);
    } catch (error) {
      // Only errors outside of the HTTP handler come here: `onError` itself threw, or node:http refused a header.
      console.error(error);
      if (res.headersSent) res.destroy();
      else sendResponse(req, res, createErrorResponse(createError("internal")), gate);
    } finally {
      request.release();
      if (admitted) gate.leave(admitted);
    }
  }

  class PendingRequest implements GatedRequest {
    constructor(
      private readonly req: IncomingMessage,
      private readonly res: ServerResponse,
      private readonly url: string,
    ) {}

    begin(): void {
      void serve(this.req, this.res, this.url, this);
    }

    refuse(): void {
      sendResponse(this.req, this.res, OVERLOADED_RESPONSE, gate);
    }
  }

  return (req: IncomingMessage & { readonly originalUrl?: string }, res) => {
    // Express removes the path under which a handler is mounted from `url`.
    const { ":authority": authority } = req.headers;
    const host = getHost(req.headers);
    const isAmbiguous = authority !== undefined && authority !== host;
    const url = isAmbiguous ? undefined : readRequestTarget(req.originalUrl ?? req.url!, host);
    if (url === undefined) return sendResponse(req, res, MALFORMED_RESPONSE, gate);
    // Probes are not queued: they matter most when the process has much to do.
    const isProbe = req.url?.endsWith("/health") || req.url?.endsWith("/ready");
    if (isProbe) void serve(req, res, url);
    else gate.enter(new PendingRequest(req, res, url));
  };
}

/** A request of node:http as a plain request. It is a class, because objects with accessors and closures take longer to create. */
class NodeRequest implements PlainRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  /** The number of bytes of the body, and how many of them the gate holds. */
  #size = 0;
  #heldBytes = 0;

  constructor(
    private readonly req: IncomingMessage,
    readonly url: string,
    private readonly getClientAddress: (req: IncomingMessage) => string | undefined,
    private readonly gate: AdmissionGate,
    private readonly admitted: GatedRequest | undefined,
  ) {
    const isHead = req.method === "HEAD";
    // A HEAD is handled as a GET, so that the length of the body is known; `sendResponse` leaves the body out.
    this.method = isHead ? "GET" : req.method!;
    // Only a GET can request a range.
    this.headers = new NodeHeaders(isHead ? { ...req.headers, range: undefined } : req.headers);
  }

  get address(): string | undefined {
    return this.getClientAddress(this.req);
  }

  headerPairs(): (readonly [name: string, value: string])[] {
    const names = Object.keys(this.req.headers).filter((name) => !name.startsWith(":"));
    return names.map((name) => [name, this.headers.get(name) ?? ""]);
  }

  /** Reads the body. A request that waits for its body needs no processor, so it leaves the gate until then. */
  async body(limit: number): Promise<Uint8Array> {
    if (this.admitted) this.gate.leave(this.admitted);
    try {
      return await readNodeBody(this.req, limit, (bytes) => this.#tryReserve(bytes));
    } finally {
      if (this.admitted) this.gate.reenter(this.admitted);
    }
  }

  /** Reserves bytes of the body. A small body is always accepted, so clients that send large ones slowly keep nobody from writing. */
  #tryReserve(bytes: number): boolean {
    this.#size += bytes;
    if (this.#size <= MAX_SMALL_BYTES) return true;
    const missing = this.#size - this.#heldBytes;
    const isReserved = this.gate.tryReserveBytes(missing);
    if (isReserved) this.#heldBytes += missing;
    return isReserved;
  }

  /** Releases the bytes of the body after the response was sent. */
  release(): void {
    this.gate.releaseBytes(this.#heldBytes);
    this.#heldBytes = 0;
  }
}

class NodeHeaders {
  constructor(private readonly headers: IncomingHttpHeaders) {}

  get(name: string): string | null {
    const lowerName = name.toLowerCase();
    const value = lowerName === "host" ? getHost(this.headers) : this.headers[lowerName];
    if (typeof value === "string") return value;
    return Array.isArray(value) ? value.join(", ") : null;
  }
}

/** Returns the requested host. HTTP/2 has a pseudo-header for it. */
function getHost(headers: IncomingHttpHeaders): string | undefined {
  return headers.host ?? (headers[":authority"] as string | undefined);
}

function sendResponse(req: IncomingMessage, res: ServerResponse, response: PlainResponse, gate: AdmissionGate): void {
  const { status, headers, body, cookies } = response;
  // The client has gone, or the host has already responded, for example with a timeout.
  if (res.destroyed || res.headersSent) {
    if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
    return;
  }

  const bytes = body instanceof ReadableStream ? undefined : body;
  const content = req.method === "HEAD" ? undefined : bytes;
  const length = bytes === undefined ? 0 : Buffer.byteLength(bytes);
  if (content !== undefined && length > MAX_SMALL_BYTES) {
    if (!gate.tryReserveBytes(length)) {
      // A read can be repeated. The response to a write has to be sent.
      if (req.method === "GET") {
        sendResponse(req, res, OVERLOADED_RESPONSE, gate);
        return;
      }
      gate.reserveBytes(length);
    }
    res.once("close", () => gate.releaseBytes(length));
  }

  if (cookies) res.setHeader("set-cookie", cookies);
  // The connection of a client that stops reading is ended.
  if (body instanceof ReadableStream || length > MAX_SMALL_BYTES)
    res.setTimeout(MAX_STALL_MS, () => {
      if (res.writableLength > 0) res.destroy();
    });

  if (body instanceof ReadableStream) {
    // The length is already in the headers. If the client goes away, reading ends. If reading fails, the connection ends.
    res.writeHead(status, hasMoreBody(req) ? { ...headers, connection: "close" } : headers);
    if (req.method === "HEAD") {
      res.end();
      body.cancel().catch(() => undefined);
    } else pipeline(Readable.fromWeb(body as WebStream), res, () => undefined);
    return;
  }

  const sentHeaders: Record<string, string> = headers;
  if (status !== 204 && status !== 304) sentHeaders["content-length"] = String(length);
  if (!hasMoreBody(req)) {
    res.writeHead(status, sentHeaders).end(content);
    return;
  }
  res.writeHead(status, { ...sentHeaders, connection: "close" });
  if (content === undefined) res.flushHeaders();
  else res.write(content);
  // The rest of the body is discarded until the client has stopped or its time is over. A socket that is closed with unread bytes is
  // reset, and a reset can overtake the response.
  const finish = () => {
    clearTimeout(timer);
    req.off("close", finish);
    res.end();
  };
  const timer = setTimeout(finish, MAX_DISCARD_MS).unref();
  req.on("close", finish);
  req.resume();
}

/** Creates an error response that does not come from the HTTP handler. It has the form of every other one. */
function createErrorResponse({ status, reason, message, issues }: DocsError, headers = {}): PlainResponse {
  const body = JSON.stringify({ error: { code: status, message, reason, ...omitUndefined({ issues }) } });
  const type = { "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status, headers: { ...type, ...headers }, body };
}

// These are created once: thousands are sent when there is no time for them.
const OVERLOADED_RESPONSE = createErrorResponse(createError("overloaded"), RETRY_HEADERS);
const MALFORMED_RESPONSE = createErrorResponse(
  createValidationError(
    "url",
    "Expected a path that begins with a single slash, on the host that the header `Host` names",
  ),
);
