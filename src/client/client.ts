// createClient: calls of the API over HTTP, by the names of its operations and with their types. A failure is a value,
// also when no answer came. It uses nothing but `fetch` and what comes with it.

import type { BinaryResponse } from "../operation/binary-response";
import type { Envelope } from "../operation/operation";
import type { OperationInput, OperationName, OperationOutput } from "../operations";
import { omitUndefined } from "../utils/objects";
import { trimTrailingSlashes } from "../utils/url";
import { answerOf } from "./answer";
import { persist, type Surroundings, surroundings } from "./attempts";
import { CallError } from "./call-error";
import { createDeadline } from "./deadline";
import { type Input, locationOf, misuse, type Route, routeOf } from "./route";

/** Where the API is, and how it is called. */
export interface ClientOptions {
  /** The address of the API, with its `basePath`: `https://docs.example.com/docs-api`. A `/v1` at its end may stay. In a
   * browser it may be a path. */
  readonly url: string;
  /** The API token, or a function that gives one for every call. Default: none, as where a cookie says who is calling. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Sends a request. Default: the runtime's `fetch`. `api.fetch` of `createDocsApi` is one, for tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How often a failed call is sent again at most. Default: 2. */
  readonly retries?: number;
  /** How many milliseconds a call may take, with all its retries. Default: 60,000. `Infinity`: any time. */
  readonly timeout?: number;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a browser sends cookies: `include` where the API has another origin than the page. Default: as `fetch` does. */
  readonly credentials?: RequestCredentials;
}

/** What may be said of a single call. */
export interface CallOptions extends Pick<ClientOptions, "retries" | "timeout" | "headers"> {
  /** Ends the call, also while it waits for another try: the reason is then `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** The `etag` of an earlier answer. A GET answers with the status 304 when nothing has changed since; anything else is
   * refused with `precondition_failed` when something has. */
  readonly etag?: string | undefined;
  /** What makes a POST one effect, however often it is sent. Default: a random one for each call that may be sent again. */
  readonly idempotencyKey?: string | undefined;
}

/** What an operation takes. Words for true and false may be written as booleans. */
export type ClientInput<Name extends OperationName> = {
  [Part in keyof OperationInput<Name>]: Part extends "query"
    ? WithBooleans<OperationInput<Name>[Part]>
    : OperationInput<Name>[Part];
};
type WithBooleans<Query> = {
  [Member in keyof Query]: "true" extends Query[Member] ? Query[Member] | boolean : Query[Member];
};

/** What an operation answers with: its JSON, or the `Response` where it answers with bytes. */
export type ClientOutput<Name extends OperationName> = [OperationOutput<Name>] extends [BinaryResponse]
  ? Response
  : OperationOutput<Name>;

/** The operations that answer with a page of a list. */
export type ListName = {
  [Name in OperationName]: OperationOutput<Name> extends Envelope<unknown> ? Name : never;
}[OperationName];

/** An item of a list. */
export type ItemOf<Name extends ListName> = OperationOutput<Name> extends Envelope<infer Item> ? Item : never;

/** An answer that came. */
export interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
  readonly error?: undefined;
  /** Bytes may come with any status, where an integration answers. */
  readonly status: Value extends Response ? number : 200 | 201 | 204;
  /** The version of what was read, for `etag` of a later call. */
  readonly etag: string | undefined;
  readonly headers: Headers;
}

/** The answer to a GET with an `etag` that is still the same. */
export interface NotModified {
  readonly ok: true;
  readonly value: undefined;
  readonly error?: undefined;
  readonly status: 304;
  readonly etag: string | undefined;
  readonly headers: Headers;
}

/** A call that failed. */
export interface Failure {
  readonly ok: false;
  readonly value?: undefined;
  readonly error: CallError;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly etag?: undefined;
  readonly headers?: undefined;
}

/** What became of a call. */
export type Result<Value> = Success<Value> | Failure;

/** The input may be left out where nothing in it is required. */
type Given<Name extends OperationName, Options> =
  Record<never, never> extends ClientInput<Name>
    ? [input?: ClientInput<Name>, options?: Options]
    : [input: ClientInput<Name>, options?: Options];

/** Calls of the API. Its members are closures. */
export interface Client {
  /** Calls an operation. Never rejects: a failure is a value. */
  call<Name extends OperationName>(
    name: Name,
    input: ClientInput<Name>,
    options: CallOptions & { readonly etag: string },
  ): Promise<Result<ClientOutput<Name>> | NotModified>;
  call<Name extends OperationName>(
    name: Name,
    ...given: Given<Name, CallOptions & { readonly etag?: undefined }>
  ): Promise<Result<ClientOutput<Name>>>;
  /** Walks through all pages of a list. A page that cannot be had is thrown as a `CallError`. */
  each<Name extends ListName>(
    name: Name,
    ...given: Given<Name, Omit<CallOptions, "etag" | "idempotencyKey">>
  ): AsyncGenerator<ItemOf<Name>, void, undefined>;
}

const RETRIES = 2;
const TIMEOUT_MS = 60_000;

/** A client of the API at an address. */
export function createClient(options: ClientOptions): Client {
  return createClientIn(surroundings, options);
}

/** The same in surroundings of a test's choice. */
export function createClientIn(around: Surroundings, options: ClientOptions): Client {
  const base = baseOf(options.url);
  const send = options.fetch ?? ((request: Request) => fetch(request));

  async function attempt(url: string, init: RequestInit, route: Route): Promise<Success<unknown> | NotModified> {
    init.signal?.throwIfAborted();
    const response = await send(new Request(url, init));
    const value = await answerOf(response, route);
    const { status, headers } = response;
    return { ok: true, value, status, etag: headers.get("etag") ?? undefined, headers } as Success<unknown>;
  }

  async function run(name: string, input: Input, own: CallOptions): Promise<Success<unknown> | NotModified> {
    const route = routeOf(name);
    const url = `${base}/v1${locationOf(route, input)}`;
    const { retries = RETRIES, timeout = TIMEOUT_MS } = { ...options, ...defined(own) };
    const { signal, orEnded, explain, clear } = createDeadline(timeout, own.signal);
    try {
      const credentials = options.credentials ? { credentials: options.credentials } : {};
      const headers = { ...options.headers, ...own.headers, ...(await orEnded(authorization(options.token))) };
      const request = requestOf(route, input, { ...own, mayRepeat: retries > 0 }, headers);
      const once = () =>
        attempt(url, { ...request, ...credentials, signal }, route).catch((error) => {
          throw explain(error);
        });
      const limits = { retries, until: around.now() + timeout, signal };
      return await orEnded(persist(once, route.repeats, limits, around));
    } catch (error) {
      throw explain(error);
    } finally {
      clear();
    }
  }

  async function call(name: string, input: Input = {}, own: CallOptions = {}): Promise<Result<unknown> | NotModified> {
    try {
      return await run(name, input, own);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { ok: false, error, status: error.status };
    }
  }

  async function* each(name: string, input: Input = {}, own: CallOptions = {}) {
    let page = input.query?.page;
    for (;;) {
      const { value, error } = await call(name, { ...input, query: { ...input.query, page } }, own);
      if (error) throw error;
      const { items, next } = (value ?? {}) as Partial<Envelope<unknown>>;
      if (!Array.isArray(items)) throw new CallError("unexpected", `${name} was not answered with a list.`);
      yield* items;
      if (!next) return;
      if (next.page === page) throw new CallError("unexpected", `A page of ${name} names itself as the next one.`);
      page = next.page;
    }
  }

  return { call, each } as unknown as Client;
}

/** The address without the version and without a slash at its end. */
function baseOf(url: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const isAddress = typeof url === "string" && URL.canParse(url, location?.href);
  if (!isAddress) throw new TypeError("createClient: `url` must be the address of the API: https://docs.example.com.");
  return trimTrailingSlashes(trimTrailingSlashes(url).replace(/\/v1$/, ""));
}

function requestOf(
  { method, repeats }: Route,
  { body }: Input,
  { etag, idempotencyKey, mayRepeat }: CallOptions & { readonly mayRepeat: boolean },
  headers: Readonly<Record<string, string>>,
): RequestInit {
  const key = repeats === "keyed" ? (idempotencyKey ?? (mayRepeat ? randomKey() : undefined)) : undefined;
  return {
    method,
    headers: headersOf({
      accept: "application/json, */*;q=0.5",
      ...headers,
      ...omitUndefined({ "content-type": body === undefined ? undefined : "application/json" }),
      ...(etag === undefined ? {} : { [method === "GET" ? "if-none-match" : "if-match"]: etag }),
      ...omitUndefined({ "idempotency-key": key }),
    }),
    ...omitUndefined({ body: body === undefined ? undefined : textOf(body) }),
  };
}

function headersOf(headers: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers(headers);
  } catch (error) {
    throw misuse("headers", `A header cannot be sent: ${(error as Error).message}`);
  }
}

function textOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw misuse("body", `The body cannot be written as JSON: ${(error as Error).message}`);
  }
}

async function authorization(token: ClientOptions["token"]): Promise<Record<string, string>> {
  try {
    const value = typeof token === "function" ? await token() : token;
    return value === undefined ? {} : { authorization: `Bearer ${value}` };
  } catch (cause) {
    throw new CallError("unauthorized", "The function `token` gave no token.", { cause });
  }
}

/** Pages on plain http have no `crypto.randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Options without those that are undefined, so that they do not hide the client's own. */
function defined(own: CallOptions): Pick<CallOptions, "retries" | "timeout"> {
  return {
    ...omitUndefined({ retries: own.retries, timeout: own.timeout }),
  };
}
