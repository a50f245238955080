// The edge: a plain request in, a plain response out. It knows routes, headers, bodies and errors, and no resource.

import type { From } from "../audit/event";
import { createError, createValidationError, DocsError } from "../errors";
import type { CachedResponse } from "../execution/answers";
import { closedTag, etagOf, isOpenEnded, MAX_TAGS_LENGTH, matches, versionTag } from "../execution/etag";
import { execute } from "../execution/execute";
import { MAX_KEY_LENGTH } from "../execution/idempotency";
import type { Caller, Kernel, OperationResult, RegisteredOperation } from "../execution/kernel";
import type { Actor } from "../operation/actor";
import { BinaryResponse, SerializedJson } from "../operation/binary-response";
import type { ForwardedRequest } from "../operation/operation";
import { Conflict, StorageError, Unavailable } from "../storage/storage";
import { createReader } from "../storage/transaction";
import { concatBytes } from "../utils/bytes";
import { pauseUntilNextTurn, yieldToEventLoop } from "../utils/concurrency/event-loop";
import type { LruCache } from "../utils/lru-cache";
import { omitUndefined } from "../utils/objects";
import { streamChunks } from "../utils/streams";
import { toLocation } from "../utils/url";
import { createTell, type Ending, type OnRequest, type Trail } from "./answered";
import { type CorsOptions, corsHeaders, preflightHeaders } from "./cors";
import { LONG, readBody } from "./json-body";
import type { PlainRequest, PlainResponse } from "./plain";
import { addressKey, createRateLimit, type RateLimitOptions, type Used } from "./rate-limit";
import { createRoutes, isAt, type Match, methodNotAllowed, notOurs, pathUnder, type Way } from "./routes";

export interface EdgeOptions {
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly cors: CorsOptions | undefined;
  readonly rateLimit: RateLimitOptions | undefined;
  /** Says who is asking; an actor of undefined is answered with 401. A partition that will be read afterwards may be asked
   * for at the same time. */
  readonly recognize: (request: PlainRequest, ahead?: string) => Promise<Caller>;
  /** Whether the request carries credentials at all. Without them nothing is read. */
  readonly hasCredentials: (request: PlainRequest) => boolean;
  /** The pages of the reference, under `/docs`; undefined where they are not served. */
  readonly reference: ((page: ReferenceRequest) => Promise<PlainResponse>) | undefined;
  /** Answers agents at `/mcp`, as the caller. */
  readonly agents: (request: PlainRequest, actor: Actor) => Promise<PlainResponse>;
  /** Hears of every failure that the caller is not told about. */
  readonly onError: (error: unknown, context: { requestId: string }) => void;
  /** Hears of every request when it is answered. */
  readonly onRequest: OnRequest | undefined;
  readonly caches: EdgeCaches;
}

/** What the edge remembers. */
export interface EdgeCaches {
  readonly routes: LruCache<Way>;
  readonly callers: LruCache<Used>;
}

/** A page of the reference that is asked for: the path behind `/docs`, still encoded, and the query. */
export interface ReferenceRequest {
  readonly path: string;
  readonly search: string;
  readonly ifNoneMatch: string | null;
  /** The host that was asked. */
  readonly host: string | null;
}

export type Edge = (request: PlainRequest) => Promise<PlainResponse>;

const JSON_TYPE = "application/json; charset=utf-8";
/** A caller may keep an answer, and asks each time whether it is still valid. */
const CACHING = "private, no-cache";

export function createEdge(kernel: Kernel, table: readonly RegisteredOperation[], options: EdgeOptions): Edge {
  const find = createRoutes(table, options.basePath, options.caches.routes);
  const count = options.rateLimit && createRateLimit(options.rateLimit, options.caches.callers);
  const nextId = requestIds(kernel);
  const tell = options.onRequest && createTell(options.onRequest, kernel.jobs.onError);

  /** The methods that a URL takes; none if it leads nowhere. */
  async function findMethods(url: string): Promise<readonly string[]> {
    if (isForAgents(url, options.basePath)) return ["POST", "OPTIONS"];
    if (options.reference && referencePath(url, options.basePath)) return REFERENCE_METHODS;
    return find.allowed(url);
  }

  async function preflight(request: PlainRequest): Promise<PlainResponse> {
    const methods = await findMethods(request.url);
    if (methods.length === 0) throw notOurs(request.url, options.basePath);
    const told = options.cors && request.headers.get("origin") !== null ? preflightHeaders(options.cors, methods) : {};
    return { status: 204, headers: { allow: methods.join(", "), ...told }, body: undefined };
  }

  /** Who asks for an operation. */
  async function callerFor({ named: { operation }, partition }: Match, request: PlainRequest): Promise<Caller> {
    if (operation.spec.isProbe) return UNASKED;
    const isOpen = operation.spec.target.allowsAnonymous === true;
    if (isOpen && !options.hasCredentials(request)) return nobody(kernel);
    return callerOf(request, isOpen, operation.method === "GET" ? partition : undefined);
  }

  async function callerOf(request: PlainRequest, mayBeNobody = false, ahead?: string): Promise<Caller> {
    if (!options.hasCredentials(request)) throw createError("unauthorized");
    const caller = await options.recognize(request, ahead);
    if (!caller.actor && !mayBeNobody) throw createError(hasBearer(request) ? "token_unknown" : "unauthorized");
    return caller;
  }

  async function answer(
    request: PlainRequest,
    headers: Record<string, string>,
    trail: Trail | undefined,
  ): Promise<PlainResponse> {
    const counted = (key: string) => count && Object.assign(headers, count(key, kernel.store.now()));
    const method = request.method === "HEAD" ? "GET" : request.method;
    const known = find.known(method, request.url);
    if (request.method === "OPTIONS") {
      counted(addressKey(request.address));
      return preflight(request);
    }
    // What leads to an operation is neither a page of the reference nor a question of an agent.
    const page = known || !options.reference ? undefined : referencePage(request, options.basePath);
    if (page) {
      counted(addressKey(request.address));
      if (method !== "GET") throw methodNotAllowed(REFERENCE_METHODS);
      return options.reference!(page);
    }
    let match: Match | undefined;
    let caller: Caller;
    try {
      match = known ?? (isForAgents(request.url, options.basePath) ? undefined : await find(method, request.url));
      if (trail && match) Object.assign(trail, { named: match.named, params: match.params });
      caller = await (match ? callerFor(match, request) : callerOf(request));
    } catch (error) {
      // Requests that lead nowhere, and callers who are not recognized, count for the address they came from.
      counted(addressKey(request.address));
      throw error;
    }
    const isProbe = match?.named.operation.spec.isProbe === true;
    if (!isProbe) counted(countedAs(caller, request));
    if (trail) trail.actor = caller.actor;
    if (!match) return options.agents(request, caller.actor!);

    const { named, params, query, partition } = match;
    const limit = Math.min(options.maxBodyBytes, bodyLimit(named));
    const passed = named.operation.spec.forwardsRequest ? await passedOn(request, limit) : undefined;
    const body = passed || !takesBody(named) ? undefined : await readBody(request, limit);
    const made = await execute(kernel, named, { params, query, body, request: passed, partition }, caller, {
      url: isProbe ? undefined : request.url,
      ifMatch: meantTags(request, named),
      ifNoneMatch: knownTags(request),
      idempotencyKey: idempotencyKey(request, named),
      from: fromWhere(request),
      asked: request,
    });
    const outcome = made.value instanceof SerializedJson ? inPieces(request, made, made.value) : made;
    if (trail) trail.outcome = outcome;
    const text = outcome.kept ?? (isJson(named, outcome) ? await render(named, outcome) : undefined);
    return respond(request, named, outcome, text);
  }

  return async (request) => {
    const requestId = nextId(request.headers.get("x-request-id"));
    const headers = corsHeaders(options.cors, request.headers.get("origin"));
    headers["x-request-id"] = requestId;
    headers["x-content-type-options"] = "nosniff";
    const trail: Trail | undefined = tell && { since: performance.now() };
    let response: PlainResponse;
    try {
      response = await answer(request, headers, trail);
    } catch (error) {
      const told = toDocsError(error);
      if (trail) trail.reason = told.reason;
      response = explain(told, error, requestId, options.onError);
    }
    if (request.method === "HEAD" && response.body instanceof ReadableStream) await response.body.cancel();
    const body = request.method === "HEAD" ? undefined : response.body;
    if (trail) tell!(trail, endingOf(request, response, requestId));
    return { ...response, headers: Object.assign(response.headers, headers), body };
  };
}

const REFERENCE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** The path behind `/docs` and the query of a page of the reference. No operation has a path under `/docs`. */
function referencePath(url: string, basePath: string): Pick<ReferenceRequest, "path" | "search"> | undefined {
  if (!url.includes(`${basePath}/v1/docs`)) return undefined;
  const { path, search } = pathUnder(url, basePath);
  if (path !== "/docs" && !path.startsWith("/docs/")) return undefined;
  return { path: path.slice("/docs".length), search };
}

/** The page of the reference that a request is for. */
function referencePage({ url, headers }: PlainRequest, basePath: string): ReferenceRequest | undefined {
  const found = referencePath(url, basePath);
  return (
    found && {
      ...found,
      ifNoneMatch: headers.get("if-none-match"),
      host: headers.get("host"),
    }
  );
}

/** Whether a URL is that of the server for agents. No operation has this path. */
function isForAgents(url: string, basePath: string): boolean {
  return url.includes("/mcp") && isAt(url, basePath, "/mcp");
}

/** The largest body without a token, where an operation does not say otherwise. */
const OPEN_BODY_BYTES = 64 * 1024;

/** The largest body that an operation takes, in bytes. Callers without a token get little room. */
function bodyLimit({ operation: { spec } }: RegisteredOperation): number {
  return spec.maxBodyBytes ?? (spec.target.allowsAnonymous ? OPEN_BODY_BYTES : Number.POSITIVE_INFINITY);
}

function hasBearer(request: PlainRequest): boolean {
  return /^Bearer +\S/i.test(request.headers.get("authorization") ?? "");
}

/** Whom a request counts for. Anybody can get any number of visitor's tokens, so visitors count by their address. */
function countedAs({ actor }: Caller, { address }: PlainRequest): string {
  return actor && !actor.visit ? `user:${actor.user.id}` : addressKey(address);
}

/** The caller of a probe. Nobody is asked who it is, and nothing is read. */
const UNASKED: Caller = {
  actor: undefined,
  directory: createReader({ version: 0, get: async (keys) => keys.map(() => undefined), list: async () => [] }),
};

/** The caller without credentials. Open operations may read the directory. */
async function nobody(kernel: Kernel): Promise<Caller> {
  return { actor: undefined, directory: await kernel.store.read("directory") };
}

/** Whether a new answer is JSON that may be kept by its caller. */
function isJson({ operation: { spec } }: RegisteredOperation, { status, value }: OperationResult): boolean {
  return status !== 304 && value !== undefined && !(value instanceof BinaryResponse) && !spec.isProbe;
}

/** JSON that is written already and longer than this is sent piece by piece. Shorter answers are kept like all others. */
const MOST_AT_ONCE = 64 * 1024;

/** An outcome that is written already, as it is sent. A tag that needs a digest needs the whole text. */
function inPieces(
  request: PlainRequest,
  outcome: OperationResult,
  { chunks: pieces, length, etag: tag }: SerializedJson,
): OperationResult {
  const etag = tag === undefined ? outcome.etag : versionTag(tag);
  if (length <= MOST_AT_ONCE || etag === undefined || isOpenEnded(etag)) return outcome;
  const known = knownTags(request);
  if (known !== undefined && matches(known, etag)) return { ...outcome, status: 304, value: undefined, etag };
  const headers = { "content-type": JSON_TYPE, "cache-control": CACHING, "content-length": String(length) };
  return { ...outcome, value: new BinaryResponse(streamChunks(pieces, yieldToEventLoop), headers), etag };
}

function respond(
  request: PlainRequest,
  named: RegisteredOperation,
  outcome: OperationResult,
  json: CachedResponse | undefined,
): PlainResponse {
  const { status, value, replayed } = outcome;
  const headers: Record<string, string> = replayed ? { "idempotent-replayed": "true" } : {};
  if (status === 304) return notModified(outcome.etag!);
  if (value instanceof BinaryResponse) {
    const tag: Record<string, string> = outcome.etag === undefined ? {} : { etag: outcome.etag };
    const sent = value.status ?? status;
    return {
      status: sent,
      headers: { ...headers, ...value.headers, ...tag },
      body: NO_BODY.has(sent) ? undefined : value.body,
    };
  }
  if (named.operation.spec.isProbe) {
    const uncached = { "content-type": JSON_TYPE, "cache-control": "no-store" };
    return { status, headers: { ...headers, ...uncached }, body: JSON.stringify(value) };
  }
  if (!json) return { status, headers, body: undefined };
  const { text, etag } = json;
  outcome.keep?.(json);
  headers["content-type"] = JSON_TYPE;
  headers["cache-control"] = CACHING;
  if (status === 201) {
    const location = (value as { urls?: { location?: string } }).urls?.location;
    if (location) headers.location = toLocation(location);
  }
  if (etag !== undefined) {
    headers.etag = etag;
    const known = knownTags(request);
    if (known !== undefined && matches(known, etag)) return notModified(etag);
  }
  return { status, headers, body: text, bodyKey: json };
}

/** Where a request came from, for the audit log. */
export function fromWhere({ address, headers }: PlainRequest): From {
  return { address, userAgent: headers.get("user-agent") ?? undefined };
}

/** Statuses without a body. */
const NO_BODY = new Set([204, 205, 304]);

function notModified(etag: string): PlainResponse {
  return { status: 304, headers: { etag, "cache-control": CACHING }, body: undefined };
}

const utf8 = new TextDecoder();

/** The text of an answer, with its tag where it is a single resource that was asked for. */
async function render({ operation }: RegisteredOperation, { value, etag }: OperationResult): Promise<CachedResponse> {
  const text = value instanceof SerializedJson ? utf8.decode(concatBytes(value.chunks)) : JSON.stringify(value);
  if (text.length > LONG) await pauseUntilNextTurn();
  if (etag) return { text, etag: isOpenEnded(etag) ? closedTag(etag, text) : etag };
  return { text, etag: operation.method === "GET" && operation.spec.returns ? etagOf(value, text) : undefined };
}

async function passedOn(request: PlainRequest, limit: number): Promise<ForwardedRequest> {
  const { method, url } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await request.body(limit) : new Uint8Array();
  const at = url.indexOf("?");
  const search = at < 0 ? "" : url.slice(at).replace(/#.*/s, "");
  return { method, search, headers: [...(request.headerPairs?.() ?? [])], body };
}

function takesBody({ operation: { method } }: RegisteredOperation): boolean {
  return method !== "GET" && method !== "DELETE";
}

function idempotencyKey(request: PlainRequest, { operation }: RegisteredOperation): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null || operation.method !== "POST") return undefined;
  if (key.length >= 1 && key.length <= MAX_KEY_LENGTH) return key;
  throw createValidationError("headers.idempotency-key", `Expected 1 to ${MAX_KEY_LENGTH} characters`);
}

/** The tags of the version that a change is meant for. */
function meantTags(request: PlainRequest, { operation }: RegisteredOperation): string | undefined {
  const given = operation.method === "GET" ? undefined : (request.headers.get("if-match") ?? undefined);
  if (given === undefined || given.length <= MAX_TAGS_LENGTH) return given;
  throw createValidationError("headers.if-match", `Expected at most ${MAX_TAGS_LENGTH} characters`);
}

/** The tags that the caller has. If there are too many, none is compared, and the answer is sent. */
function knownTags(request: PlainRequest): string | undefined {
  const given = request.headers.get("if-none-match") ?? undefined;
  return given !== undefined && given.length <= MAX_TAGS_LENGTH ? given : undefined;
}

/** The one error shape. What the caller must not see is masked and goes to `onError`. */
function explain(told: DocsError, error: unknown, requestId: string, onError: EdgeOptions["onError"]): PlainResponse {
  if (!(error instanceof DocsError)) onError(error, { requestId });
  const { status, reason, message, issues, headers } = told;
  const body = { error: { code: status, message, reason, ...omitUndefined({ issues }), requestId } };
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

function endingOf(request: PlainRequest, { status, headers, body }: PlainResponse, requestId: string): Ending {
  const known = lengthIn(headers["content-length"]);
  return {
    method: request.method,
    status,
    requestId,
    received: lengthIn(request.headers.get("content-length")),
    sent: body === undefined ? 0 : body instanceof ReadableStream ? known : body.length,
  };
}

function lengthIn(header: string | null | undefined): number | undefined {
  return header && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** What the caller is told of an error of any kind. */
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

/** The caller's own request id when it is harmless, else one that is unique to this process and this request. */
function requestIds(kernel: Kernel): (given: string | null) => string {
  const prefix = Array.from(kernel.store.random(6), (byte) => byte.toString(36).padStart(2, "0")).join("");
  let requests = 0;
  return (given) => (given !== null && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : `${prefix}-${++requests}`);
}
