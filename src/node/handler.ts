// The Node door: node:http on one side, the plain shapes of the edge on the other. It builds neither `Request` nor
// `Response`, which is worth a factor of three, and nothing that goes wrong reaches the server that it runs in.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DocsApi } from "../api/create-docs-api";
import { createError, createValidationError, type DocsError } from "../errors";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { readRequestTarget } from "../http/request-target";
import { createResponseEncoder } from "../utils/compression";
import { omitUndefined } from "../utils/objects";
import { isStillComing, RETRY, readBody, runDry, SMALL_BYTES } from "./body";
import { clientAddress, type TrustProxy } from "./client-address";
import { nodeCompressor } from "./compressor";
import { Gate, type GateOptions, type Visitor } from "./gate";

export interface NodeHandlerOptions {
  /** The proxies in front of this server, for the address that a rate limit counts by. A number: the client is that many hops
   * from the right of `X-Forwarded-For`. A list of addresses and networks (`["10.0.0.0/8", "::1"]`): the client is the first
   * one from the right that is not in it. Default: 0, and the header is never read. */
  readonly trustProxy?: TrustProxy;
  /** How much is taken on at once. The rest waits a moment, and is refused with 503 `overloaded` and `Retry-After` if there is
   * too much of it. */
  readonly load?: GateOptions;
  /** Whether responses are compressed (br, zstd or gzip) for clients that accept it. False where a proxy does it. Default: true. */
  readonly compress?: boolean;
}

/** A client that takes nothing for so long is gone, or means harm. */
const STALLED_MS = 2 * 60_000;

/** A closure that answers a node:http request. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Puts an API on node:http, Express or Fastify.
 *
 * ```ts
 * http.createServer(nodeHandler(api)).listen(3000);
 * ```
 *
 * Express: the API's `basePath` is the path that it is mounted under. A body parser in front is no harm: then `req.body`
 * is taken, and the parser's own limit counts as well.
 *
 * ```ts
 * app.use("/docs-api", nodeHandler(createDocsApi(storage, { basePath: "/docs-api" })));
 * ```
 *
 * Fastify: in a scope of its own, whose one content type parser leaves the body unread.
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
  const addressOf = clientAddress(options.trustProxy ?? 0);
  const encodeResponse = options.compress === false ? undefined : createResponseEncoder(nodeCompressor);
  const gate = new Gate({ atOnce: 1024, inLine: 4096, bytes: 256 * 1024 * 1024, ...options.load });

  async function serve(req: IncomingMessage, res: ServerResponse, url: string, caller?: Caller): Promise<void> {
    const request = new NodeRequest(req, url, addressOf, gate, caller);
    try {
      const whole = await api.handle(request);
      const response = encodeResponse ? await encodeResponse(request, whole) : whole;
      // A fast answer can come between two pieces of one packet. After this turn, a body that has already arrived is
      // seen as complete, and the connection stays open.
      if (isStillComing(req)) await nextTurn();
      send(req, res, response, gate);
    } catch (error) {
      // Only errors outside of the edge come here: `onError` itself threw, or node:http refused a header.
      console.error(error);
      if (res.headersSent) res.destroy();
      else send(req, res, failed(createError("internal")), gate);
    } finally {
      request.release();
      if (caller) gate.leave(caller);
    }
  }

  class Caller implements Visitor {
    constructor(
      private readonly req: IncomingMessage,
      private readonly res: ServerResponse,
      private readonly url: string,
    ) {}

    begin(): void {
      void serve(this.req, this.res, this.url, this);
    }

    refuse(): void {
      send(this.req, this.res, OVERLOADED, gate);
    }
  }
  return (req: IncomingMessage & { readonly originalUrl?: string }, res) => {
    // Express removes the path under which a handler is mounted from `url`.
    const url = readTarget(req.originalUrl ?? req.url!, req.headers);
    if (url === undefined) return send(req, res, MALFORMED, gate);
    // Whether the process lives is asked most urgently when it has much to do.
    if (isProbe(req)) void serve(req, res, url);
    else gate.enter(new Caller(req, res, url));
  };
}

const isProbe = ({ url = "" }: IncomingMessage) => url.endsWith("/health") || url.endsWith("/ready");

/** A request of node:http as the edge takes it. A class, because objects with accessors and closures take longer to make. */
class NodeRequest implements PlainRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  /** Bytes of the body: how many there are, and how many the gate holds. */
  #size = 0;
  #held = 0;

  constructor(
    private readonly req: IncomingMessage,
    readonly url: string,
    private readonly addressOf: (req: IncomingMessage) => string | undefined,
    private readonly gate: Gate,
    private readonly caller: Visitor | undefined,
  ) {
    // A HEAD is handled as a GET, so that the length of the body is known; `send` leaves the body out.
    this.method = req.method === "HEAD" ? "GET" : req.method!;
    // A part can only be asked for with GET.
    this.headers = new NodeHeaders(req.method === "HEAD" ? { ...req.headers, range: undefined } : req.headers);
  }

  get address(): string | undefined {
    return this.addressOf(this.req);
  }

  headerPairs(): (readonly [name: string, value: string])[] {
    const names = Object.keys(this.req.headers).filter((name) => !name.startsWith(":"));
    return names.map((name) => [name, this.headers.get(name) ?? ""]);
  }

  /** Who waits for a body needs no processor. */
  async body(limit: number): Promise<Uint8Array> {
    if (this.caller) this.gate.leave(this.caller);
    try {
      return await readBody(this.req, limit, (bytes) => this.#take(bytes));
    } finally {
      if (this.caller) this.gate.goOn(this.caller);
    }
  }

  /** A small body is always taken: those who send large ones slowly keep nobody from writing. */
  #take(bytes: number): boolean {
    this.#size += bytes;
    if (this.#size <= SMALL_BYTES) return true;
    const more = this.#size - this.#held;
    const isTaken = this.gate.take(more);
    if (isTaken) this.#held += more;
    return isTaken;
  }

  /** The request is answered: its body is held no longer. */
  release(): void {
    this.gate.release(this.#held);
    this.#held = 0;
  }
}

class NodeHeaders {
  constructor(private readonly given: IncomingHttpHeaders) {}

  get(name: string): string | null {
    const lower = name.toLowerCase();
    const value = lower === "host" ? hostOf(this.given) : this.given[lower];
    if (typeof value === "string") return value;
    return Array.isArray(value) ? value.join(", ") : null;
  }
}

/** The host that was asked. HTTP/2 has a pseudo-header for it. */
function hostOf(headers: IncomingHttpHeaders): string | undefined {
  return headers.host ?? (headers[":authority"] as string | undefined);
}

/** Returns the target of a request as a path on the host that was asked; undefined when it is malformed. */
function readTarget(target: string, headers: IncomingHttpHeaders): string | undefined {
  const host = hostOf(headers);
  const isAmbiguous = headers[":authority"] !== undefined && headers[":authority"] !== host;
  return isAmbiguous ? undefined : readRequestTarget(target, host);
}

function send(req: IncomingMessage, res: ServerResponse, response: PlainResponse, gate: Gate): void {
  const { status, headers, body, cookies } = response;
  // The client has gone, or the host has already answered, for example with a timeout.
  if (res.destroyed || res.headersSent) {
    discard(body);
    return;
  }
  const bytes = body instanceof ReadableStream ? undefined : body;
  const content = req.method === "HEAD" ? undefined : bytes;
  const length = bytes === undefined ? 0 : Buffer.byteLength(bytes);
  if (content !== undefined && length > SMALL_BYTES) {
    if (!gate.take(length)) {
      // A read can be asked again. What a write has done must be told.
      if (req.method === "GET") {
        send(req, res, OVERLOADED, gate);
        return;
      }
      gate.hold(length);
    }
    res.once("close", () => gate.release(length));
  }
  if (cookies) res.setHeader("set-cookie", cookies);
  if (body instanceof ReadableStream || length > SMALL_BYTES) watchReader(res);
  if (body instanceof ReadableStream) {
    sendStream(req, res, status, headers, body);
    return;
  }
  const sent: Record<string, string> = headers;
  if (status !== 204 && status !== 304) sent["content-length"] = String(length);
  if (!isStillComing(req)) {
    res.writeHead(status, sent).end(content);
    return;
  }
  res.writeHead(status, { ...sent, connection: "close" });
  if (content === undefined) res.flushHeaders();
  else res.write(content);
  runDry(req, () => res.end());
}

/** Ends the connection of a client that has taken nothing of its answer for a long time. */
function watchReader(res: ServerResponse): void {
  res.setTimeout(STALLED_MS, () => {
    if (res.writableLength > 0) res.destroy();
  });
}

/** The length is already in the headers. If the client goes away, reading ends. If reading fails, the connection
 * ends. */
function sendStream(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: PlainResponse["headers"],
  body: ReadableStream<Uint8Array>,
): void {
  res.writeHead(status, isStillComing(req) ? { ...headers, connection: "close" } : headers);
  if (req.method === "HEAD") {
    res.end();
    discard(body);
    return;
  }
  pipeline(Readable.fromWeb(body as WebStream), res, () => undefined);
}

/** Cancels a body that nobody will read. */
function discard(body: PlainResponse["body"]): void {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined);
}

/** An answer that the edge did not make, in the shape of every other error. */
function failed({ status, reason, message, issues }: DocsError, headers = {}): PlainResponse {
  const body = JSON.stringify({ error: { code: status, message, reason, ...omitUndefined({ issues }) } });
  const type = { "content-type": "application/json; charset=utf-8", "x-content-type-options": "nosniff" };
  return { status, headers: { ...type, ...headers }, body };
}

/** Made once: thousands are sent when there is no time for them. */
const OVERLOADED = failed(createError("overloaded"), RETRY);
const MALFORMED = failed(
  createValidationError(
    "url",
    "Expected a path that begins with a single slash, on the host that the header `Host` names",
  ),
);
