// The HTTP handler: a plain request in, a plain response out. It knows routes, headers, bodies and errors, and no resource.

import { createValidationError, DocsError } from "../errors";
import { computeDigest, isIncompleteETag, MAX_ETAG_HEADER_LENGTH, matchesETag } from "../execution/etag";
import { execute } from "../execution/execute";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../execution/idempotency";
import type { Caller, Kernel, OperationResult, RegisteredOperation } from "../execution/kernel";
import type { CachedResponse } from "../execution/response-cache";
import type { Actor } from "../operation/actor";
import { BinaryResponse, SerializedJson } from "../operation/binary-response";
import type { ForwardedRequest } from "../operation/operation";
import { Conflict, StorageError, Unavailable } from "../storage/storage";
import { pauseUntilNextTurn, yieldToEventLoop } from "../utils/concurrency/event-loop";
import { omitUndefined } from "../utils/objects";
import { streamChunks } from "../utils/streams";
import { toLocation, trimTrailingSlashes } from "../utils/url";
import type { VersionedCache } from "../utils/versioned-cache";
import { ALLOWED_HEADERS, type CorsOptions, DEFAULT_MAX_AGE, getCorsHeaders } from "./cors";
import { LONG_TEXT_LENGTH, readJsonBody } from "./json-body";
import type { PlainRequest, PlainResponse, SentRequest } from "./plain-request";
import { getAddressKey, type RateLimiter } from "./rate-limit";
import type { ReportRequest, RequestTrace } from "./request-report";
import { parseTarget } from "./request-target";
import { type CachedRoute, createRouteNotFoundError, createRouter, parseApiPath, type RouteMatch } from "./router";

/**
 * Returns the caller of an operation, or of the agents' endpoint if no operation is given. Throws if a caller is required and nobody
 * is identified, or if the rate limit is exceeded. For a GET, `partition` is the one that the operation will read. `headers` gets those
 * of the rate limit. Requests over HTTP and calls that the process itself makes on behalf of a sender are admitted by the same function.
 */
export type AdmitCaller = (
  request: SentRequest,
  operation: RegisteredOperation | undefined,
  partition: string | undefined,
  headers?: Record<string, string>,
) => Promise<Caller>;

export interface HttpHandlerOptions {
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly cors: CorsOptions | undefined;
  /** Counts a request for the rate limit; undefined if there is none. */
  readonly countRequest: RateLimiter | undefined;
  readonly admitCaller: AdmitCaller;
  /** Renders a page of the API reference, under `/docs`; undefined if it is not served. */
  readonly renderReference: ((page: ReferenceRequest) => Promise<PlainResponse>) | undefined;
  /** Responds to an agent at `/mcp`, on behalf of the caller. */
  readonly handleAgentRequest: (request: PlainRequest, actor: Actor) => Promise<PlainResponse>;
  /** Called with every error whose details the caller does not see. */
  readonly onError: (error: unknown, context: { requestId: string }) => void;
  /** Called after every response. */
  readonly reportRequest: ReportRequest | undefined;
  /** The last routes, as they were sent. */
  readonly routeCache: VersionedCache<CachedRoute>;
}

export interface ReferenceRequest {
  /** The path behind `/docs`, still encoded. */
  readonly path: string;
  readonly search: string;
  readonly ifNoneMatch: string | null;
  /** The `Host` header. */
  readonly host: string | null;
}

const REFERENCE_METHODS = ["GET", "HEAD", "OPTIONS"];
const AGENT_METHODS = ["POST", "OPTIONS"];
const JSON_TYPE = "application/json; charset=utf-8";
/** A client may keep a response, and has to ask each time whether it is still valid. */
const CACHE_CONTROL = "private, no-cache";
const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);
/** The largest body that a caller without a token may send, if the operation does not declare its own limit. */
const MAX_OPEN_BODY_BYTES = 64 * 1024;
/** Serialized JSON that is longer is streamed. Shorter JSON is cached like every other response. */
const MAX_UNSTREAMED_BYTES = 64 * 1024;

/** Creates the handler of an API's requests. */
export function createHttpHandler(
  kernel: Kernel,
  table: readonly RegisteredOperation[],
  options: HttpHandlerOptions,
): (request: PlainRequest) => Promise<PlainResponse> {
  const { basePath, countRequest, admitCaller, reportRequest } = options;
  const router = createRouter(table, basePath, options.routeCache);
  const requestIdPrefix = Array.from(kernel.store.random(6), (byte) => byte.toString(36).padStart(2, "0")).join("");
  let requestCount = 0;

  /** Routes a request, identifies and counts its caller, and runs what the URL leads to. `headers` gets those of the rate limit. */
  async function handleRequest(
    request: PlainRequest,
    headers: Record<string, string>,
    trace: RequestTrace | undefined,
  ): Promise<PlainResponse> {
    const { url } = request;
    const method = request.method === "HEAD" ? "GET" : request.method;
    const count = (callerKey: string) =>
      countRequest && Object.assign(headers, countRequest(callerKey, kernel.store.now()));
    const cachedMatch = router.findCached(method, url);

    if (request.method === "OPTIONS") count(getAddressKey(request.address));

    // A URL that leads to an operation is neither that of the agents nor one of the reference.
    const isForAgents =
      !cachedMatch &&
      url.includes("/mcp") &&
      trimTrailingSlashes(parseTarget(url)?.pathname ?? "") === `${basePath}/v1/mcp`;
    let page: Pick<ReferenceRequest, "path" | "search"> | undefined;
    if (!cachedMatch && options.renderReference && url.includes(`${basePath}/v1/docs`)) {
      const { path, search } = parseApiPath(url, basePath);
      if (path === "/docs" || path.startsWith("/docs/")) page = { path: path.slice("/docs".length), search };
    }

    if (request.method === "OPTIONS") {
      let methods: readonly string[];
      if (isForAgents) methods = AGENT_METHODS;
      else methods = page ? REFERENCE_METHODS : await router.listMethods(url);
      if (methods.length === 0) throw createRouteNotFoundError(url, basePath);
      const preflight: Record<string, string> = { allow: methods.join(", ") };
      if (options.cors && request.headers.get("origin") !== null) {
        preflight["access-control-allow-methods"] = methods.join(", ");
        preflight["access-control-allow-headers"] = ALLOWED_HEADERS;
        preflight["access-control-max-age"] = String(options.cors.maxAge ?? DEFAULT_MAX_AGE);
      }
      return { status: 204, headers: preflight, body: undefined };
    }
    if (page) {
      count(getAddressKey(request.address));
      if (method !== "GET")
        throw new DocsError("method_not_allowed", { headers: { allow: REFERENCE_METHODS.join(", ") } });
      const reference = { ...page, ifNoneMatch: request.headers.get("if-none-match") };
      return options.renderReference!({ ...reference, host: request.headers.get("host") });
    }

    let match: RouteMatch | undefined;
    try {
      match = cachedMatch ?? (isForAgents ? undefined : await router.find(method, url));
    } catch (error) {
      // Requests that lead nowhere count for their network address.
      count(getAddressKey(request.address));
      throw error;
    }
    if (trace && match) Object.assign(trace, { operation: match.operation, params: match.params });
    const caller = await admitCaller(request, match?.operation, match?.partition, headers);
    const { actor } = caller;
    if (trace) trace.actor = actor;
    if (!match) return options.handleAgentRequest(request, actor!);

    // If there are too many ETags that the client has, none is compared, and the response is sent.
    const header = request.headers.get("if-none-match");
    const ifNoneMatch = header !== null && header.length <= MAX_ETAG_HEADER_LENGTH ? header : undefined;
    const result = await runOperation(kernel, request, match, caller, ifNoneMatch, options.maxBodyBytes);
    if (trace) trace.result = result;
    const { cachedResponse } = result;
    return cachedResponse
      ? createJsonResponse(200, {}, cachedResponse, ifNoneMatch)
      : createResponse(match.operation, result, ifNoneMatch);
  }

  return async (request) => {
    // A harmless request id of the client is taken over. Otherwise the id is unique to this process and this request.
    const clientId = request.headers.get("x-request-id");
    const requestId = /^[A-Za-z0-9_-]{1,64}$/.test(clientId ?? "") ? clientId! : `${requestIdPrefix}-${++requestCount}`;
    const headers = getCorsHeaders(options.cors, request.headers.get("origin"));
    headers["x-request-id"] = requestId;
    headers["x-content-type-options"] = "nosniff";
    const trace: RequestTrace | undefined = reportRequest && { since: performance.now() };

    let response: PlainResponse;
    try {
      response = await handleRequest(request, headers, trace);
    } catch (error) {
      const docsError = toDocsError(error);
      const { status, message, reason, issues } = docsError;
      if (trace) trace.reason = reason;
      // The details of every other error are for the host alone.
      if (!(error instanceof DocsError)) options.onError(error, { requestId });
      const body = { error: { code: status, message, reason, ...omitUndefined({ issues }), requestId } };
      const errorHeaders = { "content-type": JSON_TYPE, ...docsError.headers };
      response = { status, headers: errorHeaders, body: JSON.stringify(body) };
    }

    const { status, body } = response;
    const isHead = request.method === "HEAD";
    if (isHead && body instanceof ReadableStream) await body.cancel();
    if (trace) {
      const [received, contentLength] = [request.headers.get("content-length"), response.headers["content-length"]].map(
        (length) => (length && /^\d{1,15}$/.test(length) ? Number(length) : undefined),
      );
      reportRequest!(trace, {
        method: request.method,
        status,
        requestId,
        received,
        sent: body === undefined ? 0 : body instanceof ReadableStream ? contentLength : body.length,
      });
    }
    return { ...response, headers: Object.assign(response.headers, headers), body: isHead ? undefined : body };
  };
}

/** Reads the body and the conditions of a request, and runs the operation that its URL leads to. */
async function runOperation(
  kernel: Kernel,
  request: PlainRequest,
  { operation, params, query, partition }: RouteMatch,
  caller: Caller,
  ifNoneMatch: string | undefined,
  maxBodyBytes: number,
): Promise<OperationResult> {
  const { url, headers } = request;
  const { method, spec } = operation.definition;
  const maxBytes = getMaxBodyBytes(operation, maxBodyBytes);

  let body: unknown;
  let forwardedRequest: ForwardedRequest | undefined;
  if (spec.forwardsRequest) {
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const bytes = hasBody ? await request.body(maxBytes) : new Uint8Array();
    const queryStart = url.indexOf("?");
    const search = queryStart < 0 ? "" : url.slice(queryStart).replace(/#.*/s, "");
    forwardedRequest = { method: request.method, search, headers: [...(request.headerPairs?.() ?? [])], body: bytes };
  } else if (method !== "GET" && method !== "DELETE") body = await readJsonBody(request, maxBytes);

  const ifMatch = method === "GET" ? undefined : (headers.get("if-match") ?? undefined);
  if (ifMatch !== undefined && ifMatch.length > MAX_ETAG_HEADER_LENGTH)
    throw createValidationError("headers.if-match", `Expected at most ${MAX_ETAG_HEADER_LENGTH} characters`);
  const idempotencyKey = method === "POST" ? (headers.get("idempotency-key") ?? undefined) : undefined;
  if (idempotencyKey === "" || (idempotencyKey?.length ?? 0) > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw createValidationError("headers.idempotency-key", `Expected 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`);

  const input = { params, query, body, forwardedRequest, partition };
  return execute(kernel, operation, input, caller, {
    // Responses to probes are never cached.
    url: spec.isProbe ? undefined : url,
    ifMatch,
    ifNoneMatch,
    idempotencyKey,
    source: { address: request.address, userAgent: headers.get("user-agent") ?? undefined },
    originalRequest: request,
  });
}

/** Returns the size of the largest body that an operation takes, in bytes. `maxBodyBytes` is the limit of the server. */
export function getMaxBodyBytes({ definition: { spec } }: RegisteredOperation, maxBodyBytes: number): number {
  const openLimit = spec.target.allowsAnonymous ? MAX_OPEN_BODY_BYTES : Number.POSITIVE_INFINITY;
  return Math.min(maxBodyBytes, spec.maxBodyBytes ?? openLimit);
}

async function createResponse(
  operation: RegisteredOperation,
  result: OperationResult,
  ifNoneMatch: string | undefined,
): Promise<PlainResponse> {
  const { spec } = operation.definition;
  const { status, value, etag, isReplayed } = result;
  if (status === 304) return { status: 304, headers: { etag: etag!, "cache-control": CACHE_CONTROL }, body: undefined };
  const headers: Record<string, string> = isReplayed ? { "idempotent-replayed": "true" } : {};

  if (value instanceof BinaryResponse) {
    const binaryStatus = value.status ?? status;
    Object.assign(headers, value.headers, omitUndefined({ etag }));
    return { status: binaryStatus, headers, body: STATUSES_WITHOUT_BODY.has(binaryStatus) ? undefined : value.body };
  }
  if (spec.isProbe) {
    Object.assign(headers, { "content-type": JSON_TYPE, "cache-control": "no-store" });
    return { status, headers, body: JSON.stringify(value) };
  }
  if (value === undefined) return { status, headers, body: undefined };

  // Long JSON that is serialized already is streamed, unless its ETag needs a digest and so the whole text.
  if (value instanceof SerializedJson && value.length > MAX_UNSTREAMED_BYTES) {
    const versionETag = value.etag === undefined ? etag : `"${value.etag}"`;
    if (versionETag !== undefined && !isIncompleteETag(versionETag)) {
      if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, versionETag))
        return { status: 304, headers: { etag: versionETag, "cache-control": CACHE_CONTROL }, body: undefined };
      const json = { "content-type": JSON_TYPE, "cache-control": CACHE_CONTROL, etag: versionETag };
      Object.assign(headers, json, { "content-length": String(value.length) });
      return { status, headers, body: streamChunks(value.chunks, yieldToEventLoop) };
    }
  }

  const response = await serializeResult(operation, result);
  if (status === 201) {
    const location = (value as { urls?: { location?: string } }).urls?.location;
    if (location) headers.location = toLocation(location);
  }
  return createJsonResponse(status, headers, response, ifNoneMatch);
}

export async function serializeResult(
  { definition: { spec, method } }: RegisteredOperation,
  { value, etag, saveToCache }: OperationResult,
): Promise<CachedResponse> {
  const text = value instanceof SerializedJson ? value.toText() : JSON.stringify(value);
  if (text.length > LONG_TEXT_LENGTH) await pauseUntilNextTurn();
  let textETag = etag;
  if (etag !== undefined && isIncompleteETag(etag)) textETag = `${etag.slice(0, -1)}${computeDigest(text)}"`;
  // A single resource that declares no version has a digest of its text as its ETag.
  else if (etag === undefined && method === "GET" && spec.returns) textETag = `"${computeDigest(text)}"`;
  const response = { text, etag: textETag };
  saveToCache?.(response);
  return response;
}

/** Creates a response of JSON: 304 if the client has it already. */
function createJsonResponse(
  status: number,
  headers: Record<string, string>,
  response: CachedResponse,
  ifNoneMatch: string | undefined,
): PlainResponse {
  const { text, etag } = response;
  headers["content-type"] = JSON_TYPE;
  headers["cache-control"] = CACHE_CONTROL;
  if (etag !== undefined) {
    headers.etag = etag;
    if (ifNoneMatch !== undefined && matchesETag(ifNoneMatch, etag))
      return { status: 304, headers: { etag, "cache-control": CACHE_CONTROL }, body: undefined };
  }
  return { status, headers, body: text, bodyKey: response };
}

/** Returns the error that the caller is told about, for an error of any kind. */
export function toDocsError(error: unknown): DocsError {
  if (error instanceof DocsError) return error;
  const headers = { "retry-after": "1" };
  if (error instanceof Unavailable && error.outcome === "unknown")
    return new DocsError("outcome_unknown", { headers, cause: error });
  if (error instanceof Unavailable || error instanceof Conflict)
    return new DocsError("unavailable", { headers, cause: error });
  if (error instanceof StorageError && error.code === "closed")
    return new DocsError("unavailable", { headers, cause: error });
  if (error instanceof StorageError && error.code === "corrupt")
    return new DocsError("storage_damaged", { headers: { "retry-after": "60" }, cause: error });
  return new DocsError("internal", { cause: error });
}
