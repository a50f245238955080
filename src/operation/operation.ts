// Operations as values: a route, schemas of the input and the response, a target, a right, and a handler. Routing, validation,
// permissions, the OpenAPI document and the tests all read the same value.

import type * as v from "valibot";
import type { JobContext, JobType } from "../jobs/jobs";
import type { OutgoingEvent } from "../jobs/outbox";
import type { Ports } from "../ports/ports";
import type { Urls } from "../ports/urls";
import type { IdKind, Random } from "../storage/ids";
import type { Objects } from "../storage/objects";
import type { Secrets } from "../storage/secrets";
import type { Json } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import type { Actor } from "./actor";
import type { BinaryResponse, SerializedJson } from "./binary-response";
import type { Envelope, PageOfItems, PageRequest } from "./pagination";
import type { Target } from "./target";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Schema = v.GenericSchema;

/** A schema whose members are known. */
type ObjectSchema = Schema & { readonly entries: v.ObjectEntries };

/** Declares an operation. `route` is a method and a path under the version prefix: `"GET /orgs/:organizationId"`. */
export function defineOperation<
  const Route extends `${Method} /${string}`,
  Loaded extends object,
  Right extends string,
  const Query extends v.ObjectEntries = Record<never, never>,
  const Body extends Schema | undefined = undefined,
  const Returns extends Schema | undefined = undefined,
  const List extends Schema | undefined = undefined,
  const ExtraFields extends ObjectSchema | undefined = undefined,
  Prepared = undefined,
  Gathered = undefined,
>(
  route: Route,
  spec: OperationSpec<Route, Loaded, Right, Query, Body, Returns, List, ExtraFields, Prepared, Gathered>,
): Operation<OperationTypes<Route, Query, Body, Returns, List, ExtraFields>> {
  const [method, path] = route.split(" ") as [Method, string];
  const params = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return { method, path, params, spec: spec as unknown as Operation["spec"] };
}

/** An operation as the kernel sees it, with the types that its schemas imply. */
export interface Operation<Types = unknown> {
  readonly method: Method;
  /** The path under the version prefix: `/orgs/:organizationId`. A parameter that ends in `+` also matches slashes. */
  readonly path: string;
  readonly params: readonly string[];
  readonly spec: OperationSpec<
    string,
    object,
    string,
    v.ObjectEntries,
    Schema | undefined,
    Schema | undefined,
    Schema | undefined,
    ObjectSchema | undefined,
    unknown,
    unknown
  >;
  /** Exists only as a type, which is compared with `src/generated`. */
  readonly types?: Types;
}

interface OperationSpec<
  Route extends string,
  Loaded extends object,
  Right extends string,
  Query extends v.ObjectEntries,
  Body,
  Returns,
  List,
  ExtraFields,
  Prepared,
  Gathered,
> {
  /** A title of at most 60 characters that begins with a verb: `Create a space`. The description is in `src/openapi/reference`. */
  readonly summary: string;
  readonly target: Target<Loaded, Right>;
  /** One of the target's rights. A caller who does not hold it gets a 403. */
  readonly right: NoInfer<Right> | "view";
  readonly query?: Query;
  readonly body?: Body;
  /** The schema of the response. Without `returns` and `list`, the response is a 204. */
  readonly returns?: Returns;
  /** The schema of the items of a list. */
  readonly list?: List;
  /** Default: 200, or 204 without a response body. 201 carries `Location`, taken from `urls.location`. */
  readonly status?: 200 | 201 | 204;
  /** True for operations that remain for existing callers; the description says what to use instead. */
  readonly isDeprecated?: true;
  /** True for a read that uses POST: a token needs only the read scope, and an Idempotency-Key has no effect. */
  readonly isReadOnly?: true;
  /** True if the request is passed on as it was received, with any content type. The response may have any status. */
  readonly forwardsRequest?: true;
  /** True for a URL that browsers follow or that other services request regularly: they may add query parameters. */
  readonly allowsUnknownQuery?: true;
  /** True if visitor tokens may call it: a read of published content, or a report of the site's renderer. */
  readonly allowsVisitors?: true;
  /**
   * True for a health check: no caller is identified, rate limits do not count it, and its responses are never cached,
   * neither here nor by clients.
   */
  readonly isProbe?: true;
  /** The largest body, in bytes, if the limit is below that of the server. Default: 64 KiB if no token is needed. */
  readonly maxBodyBytes?: number;
  /** The media types that a response of `BinarySchema` may have, or ranges of them. Default: any. */
  readonly mediaTypes?: readonly string[];
  /** True for a GET of bytes that supports range requests. */
  readonly supportsRanges?: true;
  /** True if the response may be a redirect. */
  readonly mayRedirect?: true;
  /** True for a GET whose response comes from an integration, which may fail. */
  readonly callsIntegration?: true;
  /** True if the host's model answers. Without a model the response is a 501. */
  readonly callsModel?: true;
  /** The schema of the members that a list returns in addition to its items. */
  readonly extraFields?: ExtraFields;
  /**
   * Returns the version of the response before the response is computed, for operations for which that is better than a
   * digest of the bytes. `If-Match` ignores everything after a `~`, which is for caches only. A version that ends with `~`
   * is incomplete: the digest is appended.
   */
  readonly version?: (loaded: Loaded & { readonly now: Date; readonly actor: Actor }) => string | Promise<string>;
  /**
   * False for a GET whose responses must not be cached, because it calls others or reads other partitions;
   * `unless-elsewhere` if that holds for only some responses. All other responses except bytes are cached as long as their
   * target allows.
   */
  readonly cache?: false | "unless-elsewhere";
  /** The parameter that names the thing on which calls follow each other, within this process. `prepare` runs in the
   * transaction then, on what the calls before it leave behind, so none of them prepares in vain. */
  readonly serializeBy?: NoInfer<ParamNames<Route>>;
  /**
   * Fetches from other hosts, which may be slow. Runs once per call, after the right and `If-Match` were checked and before
   * the call waits for others of `serializeBy`. The result is reused when `prepare` runs again.
   */
  readonly gather?: (
    context: HandlerContext<Route, Query, Body> &
      Loaded & { readonly tx: Reader; readonly store: Store; readonly partition: string },
  ) => Promise<Gathered>;
  /** Returns true if a call may have anything to fetch, by its unvalidated body. Default: always true. */
  readonly shouldGather?: (sent: unknown) => boolean;
  /**
   * Does the work that must happen first because it reads other partitions or is too large for a transaction. Runs after
   * the right was checked and before the transaction, and again when the handler throws `OutdatedError`.
   */
  readonly prepare?: (
    context: HandlerContext<Route, Query, Body> &
      Loaded &
      Pick<WriteContext, "newId"> & {
        readonly tx: Reader;
        readonly store: Store;
        readonly partition: string;
        readonly gathered: Gathered;
      },
  ) => Promise<Prepared>;
  /**
   * Runs in one transaction. It may run again after a conflict, so its only effects are through `tx` and `enqueueJob`.
   * It may return `SerializedJson` only for a call over HTTP, which has an `originalRequest`.
   */
  readonly handle: (
    context: OperationContext<Route, Loaded, Query, Body, Prepared>,
  ) => Promise<HandlerResult<Returns, List> | SerializedJson>;
}

type OperationContext<Route extends string, Loaded, Query extends v.ObjectEntries, Body, Prepared> = HandlerContext<
  Route,
  Query,
  Body
> &
  Loaded &
  (RouteMethod<Route> extends "GET" ? { readonly tx: Reader } : WriteContext & { readonly prepared: Prepared });

/** The context of every handler. */
interface HandlerContext<Route extends string, Query extends v.ObjectEntries, Body> {
  readonly params: { readonly [name in ParamNames<Route>]: string };
  readonly query: v.InferOutput<v.ObjectSchema<Query, undefined>>;
  readonly body: Body extends Schema ? v.InferOutput<Body> : undefined;
  /** The global partition, in the state in which the caller was identified. */
  readonly directory: Reader;
  readonly actor: Actor;
  readonly now: Date;
  /** Returns a reader of another partition in its present state. The transaction does not check what it reads. */
  readonly peek: (partition: string) => Promise<Reader>;
  readonly urls: Urls;
  readonly secrets: Secrets;
  /** Content-addressed bytes of this partition. */
  readonly objects: Objects;
  /** The host's options for replaceable parts. */
  readonly ports: Ports;
  readonly jobContext: JobContext;
  readonly apiInfo: ApiInfo;
  /** The request as it was received, for operations with `forwardsRequest`. */
  readonly forwardedRequest?: ForwardedRequest | undefined;
  /** The HTTP request; undefined for a call without HTTP. */
  readonly originalRequest?: OriginalRequest | undefined;
  /** The position of the cursor and the number of items. Only lists use it. */
  readonly pageRequest: PageRequest;
}

/** The additional context of a handler that writes. */
interface WriteContext {
  readonly tx: Transaction;
  readonly random: Random;
  /** Returns a new id in this partition. */
  readonly newId: (kind: Exclude<IdKind, "organization">) => string;
  /** Adds a job that runs after the commit, in any process, and not before `when`. Returns its id. */
  readonly enqueueJob: <Payload extends Json>(step: JobType<Payload>, payload: Payload, when?: Date) => string;
  /** Sends an event to all listeners once the commit is stored. */
  readonly emit: (event: OutgoingEvent) => void;
}

/** The context of every call that writes, apart from what its own route, target, query and body add. */
export type CallContext = Omit<HandlerContext<string, Record<never, never>, undefined>, "params" | "query" | "body"> &
  WriteContext;

/** The facts that the API knows about itself. */
export interface ApiInfo {
  readonly version: string;
  readonly getOpenApiDocument: () => Promise<object>;
  /** The scopes that a token can have. */
  readonly scopes: readonly string[];
  readonly writeOperations: readonly string[];
  /** Returns the scope that an operation needs, by its name. */
  readonly getScope: (operation: string) => string | undefined;
  /** Returns why this process cannot answer requests, as the end of a sentence; undefined if it can. */
  readonly getNotReadyReason: () => Promise<string | undefined>;
  /** Streams the events of an organization that the caller may see. */
  readonly openEventStream: (call: EventStreamRequest) => Promise<BinaryResponse>;
}

/** A call that subscribes to events. */
export interface EventStreamRequest {
  readonly organization: string;
  readonly actor: Actor;
  /** Undefined for a call without HTTP. */
  readonly originalRequest: OriginalRequest | undefined;
  /** The id of the last event that the caller has; undefined to begin now. */
  readonly lastEventId: string | undefined;
  /** The time after which the stream ends. */
  readonly durationSeconds: number;
}

/** The HTTP request of a call. A response that streams for a long time identifies its caller again from it. */
export interface OriginalRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** The request as it was received, for operations that pass it on. */
export interface ForwardedRequest {
  readonly method: string;
  /** The query string as it was sent, with its question mark; or an empty text. */
  readonly search: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The types of an operation's input and response. */
interface OperationTypes<Route extends string, Query extends v.ObjectEntries, Body, Returns, List, ExtraFields> {
  readonly params: { [name in ParamNames<Route>]: string };
  readonly query: v.InferInput<v.ObjectSchema<Query, undefined>>;
  readonly body: Body extends Schema ? v.InferInput<Body> : undefined;
  readonly result: OperationResponse<Returns, List, ExtraFields>;
}

type OperationResponse<Returns, List, ExtraFields> = List extends Schema
  ? ExtraFields extends Schema
    ? Envelope<v.InferOutput<List>> & v.InferOutput<ExtraFields>
    : Envelope<v.InferOutput<List>>
  : Returns extends Schema
    ? v.InferOutput<Returns>
    : undefined;

type HandlerResult<Returns, List> = List extends Schema
  ? PageOfItems<v.InferInput<List>>
  : Returns extends Schema
    ? v.InferInput<Returns>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing is an async function without a return.
      void;

type RouteMethod<Route extends string> = Route extends `${infer M extends Method} ${string}` ? M : never;
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? TrimPlus<Name> | ParamNames<`/${Tail}`>
    : TrimPlus<Rest>
  : never;
type TrimPlus<Name extends string> = Name extends `${infer Bare}+` ? Bare : Name;
