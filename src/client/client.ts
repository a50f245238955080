// createClient: typed calls of the API over HTTP, by the names of its operations. A failure is a value, even if no response
// arrived. The client uses nothing but `fetch` and the standard classes around it.

import type { BinaryResponse } from "../operation/binary-response";
import type { Envelope } from "../operation/pagination";
import type { OperationInput, OperationName, OperationOutput } from "../operations";
import { omitUndefined } from "../utils/objects";
import { trimTrailingSlashes } from "../utils/url";
import { CallError } from "./call-error";
import { buildPath, type CallInput, createInputError } from "./path";
import { readResponse } from "./read-response";
import { type ClientEnvironment, callWithRetries, systemEnvironment } from "./retry";
import { type ClientRoute, findRoute } from "./route";

/** The location of the API, and the defaults of all calls. */
export interface ClientOptions {
  /**
   * The URL of the API, including its `basePath`: `https://docs.example.com/docs-api`. It may end with `/v1`. In a browser
   * it may be a path.
   */
  readonly url: string;
  /** The API token, or a function that returns one for every call. Default: none, for callers with a session cookie. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Sends a request. Default: the runtime's `fetch`. Tests can pass `api.fetch` of `createDocsApi`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The maximum number of times that a failed call is sent again. Default: 2. */
  readonly retries?: number;
  /** The time limit of a call in milliseconds, including its retries. `Infinity`: no limit. Default: 60,000. */
  readonly timeout?: number;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookie handling in browsers: `include` if the API has another origin than the page. Default: the default of `fetch`. */
  readonly credentials?: RequestCredentials;
}

/** The options of a single call. */
export interface CallOptions extends Pick<ClientOptions, "retries" | "timeout" | "headers"> {
  /** Ends the call with the reason `aborted`, even while it waits for the next attempt. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The `etag` of an earlier result. If nothing has changed since, a GET returns the status 304. If something has changed,
   * any other call fails with `precondition_failed`.
   */
  readonly etag?: string | undefined;
  /** Gives a POST one effect, however often it is sent. Default: a random key for each call that may be sent again. */
  readonly idempotencyKey?: string | undefined;
}

/** The input of an operation. The strings `true` and `false` may be written as booleans. */
export type ClientInput<Name extends OperationName> = {
  [Part in keyof OperationInput<Name>]: Part extends "query"
    ? WithBooleans<OperationInput<Name>[Part]>
    : OperationInput<Name>[Part];
};
type WithBooleans<Query> = {
  [Member in keyof Query]: "true" extends Query[Member] ? Query[Member] | boolean : Query[Member];
};

/** The output of an operation: its JSON, or the `Response` if it answers with bytes. */
export type ClientOutput<Name extends OperationName> = [OperationOutput<Name>] extends [BinaryResponse]
  ? Response
  : OperationOutput<Name>;

export type ListOperationName = {
  [Name in OperationName]: OperationOutput<Name> extends Envelope<unknown> ? Name : never;
}[OperationName];

export type ClientListItem<Name extends ListOperationName> =
  OperationOutput<Name> extends Envelope<infer Item> ? Item : never;

/** A successful call. */
export interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
  readonly error?: undefined;
  /** Bytes may come with any status if an integration answers. */
  readonly status: Value extends Response ? number : 200 | 201 | 204;
  /** The version of the resource, for `etag` of a later call. */
  readonly etag: string | undefined;
  readonly headers: Headers;
}

/** A GET with an `etag` that is still current. */
export interface NotModified {
  readonly ok: true;
  readonly value: undefined;
  readonly error?: undefined;
  readonly status: 304;
  readonly etag: string | undefined;
  readonly headers: Headers;
}

/** A failed call. */
export interface Failure {
  readonly ok: false;
  readonly value?: undefined;
  readonly error: CallError;
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  readonly etag?: undefined;
  readonly headers?: undefined;
}

/** The outcome of a call. */
export type Result<Value> = Success<Value> | Failure;

/** The input is optional if none of its members is required. */
type CallArguments<Name extends OperationName, Options> =
  Record<never, never> extends ClientInput<Name>
    ? [input?: ClientInput<Name>, options?: Options]
    : [input: ClientInput<Name>, options?: Options];

/** Calls operations of the API. Its members are closures. */
export interface Client {
  /** Calls an operation. Never rejects: a failure is a value. */
  call<Name extends OperationName>(
    name: Name,
    input: ClientInput<Name>,
    options: CallOptions & { readonly etag: string },
  ): Promise<Result<ClientOutput<Name>> | NotModified>;
  call<Name extends OperationName>(
    name: Name,
    ...args: CallArguments<Name, CallOptions & { readonly etag?: undefined }>
  ): Promise<Result<ClientOutput<Name>>>;
  /** Iterates over the items of all pages of a list. Throws a `CallError` if it cannot load a page. */
  each<Name extends ListOperationName>(
    name: Name,
    ...args: CallArguments<Name, Omit<CallOptions, "etag" | "idempotencyKey">>
  ): AsyncGenerator<ClientListItem<Name>, void, undefined>;
}

const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;
/** The longest delay that runtimes support for a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Creates a client of the API at a URL. */
export function createClient(options: ClientOptions): Client {
  return buildClient(systemEnvironment, options);
}

/** Creates a client with the clock and the randomness of a test. */
export function buildClient(environment: ClientEnvironment, options: ClientOptions): Client {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  if (typeof options.url !== "string" || !URL.canParse(options.url, location?.href))
    throw new TypeError("createClient: `url` must be the address of the API: https://docs.example.com.");
  const baseUrl = trimTrailingSlashes(trimTrailingSlashes(options.url).replace(/\/v1$/, ""));
  const send = options.fetch ?? ((request: Request) => fetch(request));

  async function call(
    name: string,
    input: CallInput = {},
    callOptions: CallOptions = {},
  ): Promise<Result<unknown> | NotModified> {
    try {
      const route = findRoute(name);
      const url = `${baseUrl}/v1${buildPath(route, input)}`;
      const { retries = DEFAULT_RETRIES, timeout = DEFAULT_TIMEOUT_MS } = {
        ...options,
        ...omitUndefined({ retries: callOptions.retries, timeout: callOptions.timeout }),
      };
      const { signal, race, toCallError, clear } = createDeadline(timeout, callOptions.signal);
      try {
        const authorization = await race(getAuthorization(options.token));
        const headers = { ...options.headers, ...callOptions.headers, ...authorization };
        const request = buildRequest(route, input, { ...callOptions, headers, mayRepeat: retries > 0 });
        request.signal = signal;
        if (options.credentials) request.credentials = options.credentials;

        const attempt = async () => {
          try {
            signal.throwIfAborted();
            const response = await send(new Request(url, request));
            const value = await readResponse(response, route);
            const { status, headers } = response;
            const etag = headers.get("etag") ?? undefined;
            return { ok: true, value, status, etag, headers } as Success<unknown> | NotModified;
          } catch (error) {
            throw toCallError(error);
          }
        };
        const limits = { retries, until: environment.now() + timeout, signal };
        return await race(callWithRetries(attempt, route.retryMode, limits, environment));
      } catch (error) {
        throw toCallError(error);
      } finally {
        clear();
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { ok: false, error, status: error.status };
    }
  }

  return {
    call,
    async *each(name: string, input: CallInput = {}, callOptions: CallOptions = {}) {
      let page = input.query?.page;
      for (;;) {
        const { value, error } = await call(name, { ...input, query: { ...input.query, page } }, callOptions);
        if (error) throw error;
        const { items, next } = (value ?? {}) as Partial<Envelope<unknown>>;
        if (!Array.isArray(items)) throw new CallError("unexpected", `${name} was not answered with a list.`);
        yield* items;
        if (!next) return;
        if (next.page === page) throw new CallError("unexpected", `A page of ${name} names itself as the next one.`);
        page = next.page;
      }
    },
  } as unknown as Client;
}

/** The end of one call: by the clock, or by the caller. */
interface CallDeadline {
  /** Aborted when the call is to end. */
  readonly signal: AbortSignal;
  /** Rejects when the call ends before the promise settles. Some implementations of `fetch` ignore the signal of a request. */
  readonly race: <Value>(promise: Promise<Value>) => Promise<Value>;
  /** Returns the error of the call. An end by the caller or by the clock takes precedence. */
  readonly toCallError: (error: unknown) => CallError;
  readonly clear: () => void;
}

function createDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): CallDeadline {
  const clock = new AbortController();
  const signal = callerSignal ? AbortSignal.any([callerSignal, clock.signal]) : clock.signal;
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(() => clock.abort(), Math.min(timeoutMs, MAX_TIMER_MS))
    : undefined;
  return {
    signal,
    race(promise) {
      const end = new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return Promise.race([promise, end]);
    },
    toCallError(error) {
      if (callerSignal?.aborted)
        return new CallError("aborted", "The call was aborted.", { cause: callerSignal.reason });
      if (clock.signal.aborted) return new CallError("timeout", `The call took longer than ${timeoutMs} ms.`);
      if (error instanceof CallError) return error;

      // Node describes a failed connection in the cause.
      const { message, cause } = error as { readonly message?: string; readonly cause?: { readonly message?: string } };
      const explanation = [message, cause?.message].filter(Boolean).join(": ");
      const sentence = `No answer came${explanation === "" ? "." : `: ${explanation}`}`;
      return new CallError("network", sentence, { cause: error });
    },
    clear: () => clearTimeout(timer),
  };
}

async function getAuthorization(token: ClientOptions["token"]): Promise<Record<string, string>> {
  try {
    const value = typeof token === "function" ? await token() : token;
    return value === undefined ? {} : { authorization: `Bearer ${value}` };
  } catch (cause) {
    throw new CallError("unauthorized", "The function `token` gave no token.", { cause });
  }
}

function buildRequest(
  { method, retryMode }: ClientRoute,
  { body }: CallInput,
  { headers, etag, idempotencyKey, mayRepeat }: CallOptions & { readonly mayRepeat: boolean },
): RequestInit {
  let key = retryMode === "keyed" ? idempotencyKey : undefined;
  if (retryMode === "keyed" && key === undefined && mayRepeat) {
    // Pages on plain HTTP have no `crypto.randomUUID`.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  const fields = {
    accept: "application/json, */*;q=0.5",
    ...headers,
    ...omitUndefined({
      "content-type": body === undefined ? undefined : "application/json",
      "if-none-match": method === "GET" ? etag : undefined,
      "if-match": method === "GET" ? undefined : etag,
      "idempotency-key": key,
    }),
  };

  const request: RequestInit = { method };
  try {
    request.headers = new Headers(fields);
  } catch (error) {
    throw createInputError("headers", `A header cannot be sent: ${(error as Error).message}`);
  }
  try {
    if (body !== undefined) request.body = JSON.stringify(body);
  } catch (error) {
    throw createInputError("body", `The body cannot be written as JSON: ${(error as Error).message}`);
  }
  return request;
}
