// What an operation is: a value with a route, the shapes of its input and answer, the thing it works on, the right it
// needs, and a handler. Routing, checking, permissions, the OpenAPI document and the tests all read the same value.

import type * as v from "valibot";
import type { Reason } from "../errors";
import type { OutgoingEvent } from "../jobs/events";
import type { JobContext, JobType } from "../jobs/jobs";
import type { Ports } from "../ports/ports";
import type { Urls } from "../ports/urls";
import type { Kind, Random } from "../storage/ids";
import type { Objects } from "../storage/objects";
import type { Secrets } from "../storage/secrets";
import type { Json, Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import type { BinaryResponse, SerializedJson } from "./binary-response";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Schema = v.GenericSchema;

/** Who is asking: a user, by a token or by the host application's own word. */
export interface Actor {
  readonly user: {
    readonly id: string;
    readonly displayName: string;
    readonly email: string;
    readonly photoURL?: string | undefined;
  };
  /** The scopes that limit the caller; null: no limit beyond the user's own rights. */
  readonly scopes: readonly string[] | null;
  /** When the credentials end; null: never. */
  readonly expiresAt: string | null;
  /**
   * What identified the caller: a token, an installation, or the host's word. Answers kept for one are not given to
   * another.
   */
  readonly credentials: string;
  /** The SAML providers that vouched for the caller, for a session and for tokens made in one; undefined where the host vouches. */
  readonly samlProviderIds?: readonly string[] | undefined;
  /** The networks that a token was used from; undefined for every other caller. */
  readonly usedNetworks?: readonly string[];
  /** Where and as whom the caller visits, if they have a visitor's token. A visitor is no user and no member. */
  readonly visit?: Visit;
}

/** A visit of a published site, as a visitor's token says it. Every use of it is checked against what is stored. */
export interface Visit {
  readonly organization: string;
  readonly site: string;
  /** The visibility of the site that let the visitor in. */
  readonly audience: string;
  /** What is known of the visitor: the value of `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The share link that let the visitor in. */
  readonly shareLink?: string;
  /** Who vouched for the visitor: the site's own key, its integration, or `ping` for a member. */
  readonly vouchedBy?: "key" | "integration" | "member";
  /** The member that the visitor is, by their id. */
  readonly member?: string;
  /** A digest of what let the visitor in, such as the key of the share link. Another value ends the visit. */
  readonly state: string;
  /** A state of one space that is shown in place of its content. The right to preview it is what let the visitor in. */
  readonly preview?: Preview;
}

/** What a preview shows of a space: what a change request proposes now, or one revision. */
export interface Preview {
  readonly space: string;
  readonly changeRequest?: string;
  readonly revision?: string;
  /** The user who made the preview, encrypted. It ends with their rights. */
  readonly madeBy: string;
}

/** The caller of an open operation that sent no usable credentials. No user has an empty id. */
export const ANONYMOUS: Actor = {
  user: { id: "", displayName: "", email: "" },
  scopes: [],
  expiresAt: null,
  credentials: "",
};

/** How a user is identified on the host's word. A caller with fewer scopes is a different caller. */
export function getHostCredentials(user: string, scopes: Actor["scopes"]): string {
  return JSON.stringify(["host", user, scopes?.toSorted() ?? null]);
}

/** What a target gets to load its thing. */
export interface TargetContext {
  readonly tx: Reader;
  readonly directory: Reader;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  /** The checked query. It holds what visitors present to be let in. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The checked body, for a target whose ids are in the body. */
  readonly body?: unknown;
  readonly now: Date;
  /** The code of the partition that `tx` reads. New ids begin with it. */
  readonly partitionCode: string;
  /** The partition that forwarded the call here, because the thing lives here now. */
  readonly forwardedFrom?: string | undefined;
  /** Whether the call writes. Then the thing must not be frozen by a transfer. */
  readonly isWriting?: boolean;
  /** Reads another partition as it is now, without checks. */
  readonly peek: (partition: string) => Promise<Reader>;
  /** Verifies signed parts of a path. */
  readonly secrets: Secrets;
  /** Content-addressed bytes of the partition that `tx` reads. */
  readonly objects: Objects;
  /** What was worked out for earlier requests. */
  readonly ports: Pick<Ports, "cache">;
}

/** The thing that a path names: how it is found, and who may do what with it. */
export interface Target<Loaded extends object = object, Right extends string = string> {
  /**
   * The partition that holds the thing; undefined when the ids are not valid. `partitionCode` names a partition that does not
   * exist yet, for a target with `isVacant`; for others it is empty.
   */
  readonly findPartition: (params: Readonly<Record<string, string>>, code: string) => string | undefined;
  /** Undefined when the thing is absent. Things above it in the path fail with their own 404. */
  readonly load: (scope: TargetContext) => Promise<Loaded | undefined>;
  /**
   * The reason of the 404 when the thing is absent, and also when the caller lacks `view`: the two cannot be told
   * apart.
   */
  readonly notFoundReason: Reason;
  /** One row for each right. Guards the operations and fills the `getPermissions` objects. */
  readonly rights: { readonly [right in Right | "view"]: (loaded: Loaded) => boolean };
  /** For a target that creates its partition: whether nothing exists there yet. What exists is not changed. */
  readonly isVacant?: (loaded: Loaded) => boolean;
  /** Whether it can be found and nothing below it in a path can: a space in the trash. Default: no. */
  readonly hidesContents?: (loaded: Loaded) => boolean;
  /** True when no caller is needed. Default: false. */
  readonly allowsAnonymous?: boolean;
  /**
   * Whether answers about it may be kept: for up to an hour, while the partitions they were read from do not change.
   * Default: yes.
   */
  readonly isCacheable?: (loaded: Loaded, scope: TargetContext) => boolean | Promise<boolean>;
}

/** Where a part of a list begins, and how many rows it has. */
export interface PageRequest {
  readonly after: Key | undefined;
  readonly limit: number;
}

/**
 * Rows of a list. `lastPosition` is the position of the last row when more follow; `count` is the number of rows of the whole
 * list.
 */
export interface PageOfItems<Item> {
  readonly items: readonly Item[];
  readonly lastPosition: Key | undefined;
  readonly count: number;
  /** What an operation with `extraFields` returns about the whole list. */
  readonly extraFields?: object;
}

type Clean<Name extends string> = Name extends `${infer Bare}+` ? Bare : Name;
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Clean<Name> | ParamNames<`/${Tail}`>
    : Clean<Rest>
  : never;
type MethodOf<Route extends string> = Route extends `${infer M extends Method} ${string}` ? M : never;

/** What the API knows of itself. */
export interface ApiInfo {
  readonly version: string;
  readonly getOpenApiDocument: () => Promise<object>;
  /** The scopes that a token can have. */
  readonly scopes: readonly string[];
  /** The names of the operations that write. */
  readonly writeOperations: readonly string[];
  /** The scope that an operation needs, by its name. */
  readonly getScope: (operation: string) => string | undefined;
  /** Why this process cannot answer requests, as the end of a sentence; undefined when it can. */
  readonly getNotReadyReason: () => Promise<string | undefined>;
  /** Streams what happens in an organization, as far as the caller may see it. */
  readonly openEventStream: (call: EventStreamRequest) => Promise<BinaryResponse>;
}

/** The request as it came over HTTP. An answer that goes on asks again who it is from. */
export interface OriginalRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** A call that wants to hear of events. */
export interface EventStreamRequest {
  readonly organization: string;
  readonly actor: Actor;
  /** Undefined for a call without HTTP. */
  readonly originalRequest: OriginalRequest | undefined;
  /** The id of the last event that the caller has; undefined: it begins now. */
  readonly lastEventId: string | undefined;
  /** How long the stream goes on. */
  readonly durationSeconds: number;
}

/** The request as it was received, for operations that pass it on. */
export interface ForwardedRequest {
  readonly method: string;
  /** The query string as it was sent, with its question mark; or an empty text. */
  readonly search: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What every handler gets. */
interface HandlerContext<Route extends string, Query extends v.ObjectEntries, Body> {
  readonly params: { readonly [name in ParamNames<Route>]: string };
  readonly query: v.InferOutput<v.ObjectSchema<Query, undefined>>;
  readonly body: Body extends Schema ? v.InferOutput<Body> : undefined;
  /** The global partition as it was when the caller was identified. */
  readonly directory: Reader;
  readonly actor: Actor;
  readonly now: Date;
  /** Reads another partition as it is now, without checks. */
  readonly peek: (partition: string) => Promise<Reader>;
  readonly urls: Urls;
  readonly secrets: Secrets;
  /** Content-addressed bytes of this partition. */
  readonly objects: Objects;
  /** The host's options for replaceable parts. */
  readonly ports: Ports;
  /** What jobs run with. Used to call an integration. */
  readonly jobContext: JobContext;
  /** What the API says of itself. */
  readonly apiInfo: ApiInfo;
  /** The request as it was received, for operations with `forwardsRequest`. */
  readonly forwardedRequest?: ForwardedRequest | undefined;
  /** The request as it came; undefined for a call without HTTP. */
  readonly originalRequest?: OriginalRequest | undefined;
  /** The position of the cursor and the number of rows. Only lists use it. */
  readonly pageRequest: PageRequest;
}

/** What a handler that writes gets in addition. */
interface WriteContext {
  readonly tx: Transaction;
  readonly random: Random;
  /** A new id in this partition. */
  readonly newId: (kind: Exclude<Kind, "organization">) => string;
  /**
   * Adds a job that runs after the commit, in this process or a later one; with a time, not before that time. Returns
   * the id of the job.
   */
  readonly enqueueJob: <Payload extends Json>(step: JobType<Payload>, payload: Payload, when?: Date) => string;
  /** Sends an event to all listeners once the commit is stored. */
  readonly emit: (event: OutgoingEvent) => void;
}

type Context<Route extends string, Loaded, Query extends v.ObjectEntries, Body, Prepared> = HandlerContext<
  Route,
  Query,
  Body
> &
  Loaded &
  (MethodOf<Route> extends "GET" ? { readonly tx: Reader } : WriteContext & { readonly prepared: Prepared });

type Answer<Returns, List> = List extends Schema
  ? PageOfItems<v.InferInput<List>>
  : Returns extends Schema
    ? v.InferInput<Returns>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing is an async function without a return.
      void;

interface OperationSpec<
  Route extends string,
  Loaded extends object,
  Right extends string,
  Query extends v.ObjectEntries,
  Body,
  Returns,
  List,
  Beside,
  Prepared,
  Gathered,
> {
  /** One line, as a person would say it. */
  readonly summary: string;
  /** More detail, where the one line is not enough. */
  readonly description?: string;
  readonly target: Target<Loaded, Right>;
  /** A row of the target's rights; 403 when the caller does not have it. */
  readonly right: NoInfer<Right> | "view";
  readonly query?: Query;
  readonly body?: Body;
  /** The shape of the answer; without `returns` and `list` the answer is 204. */
  readonly returns?: Returns;
  /** The shape of the rows of a list. */
  readonly list?: List;
  /** Default: 200, or 204 without an answer. 201 carries `Location`, taken from `urls.location`. */
  readonly status?: 200 | 201 | 204;
  /** True for operations that are kept for existing callers; the description says what to use instead. */
  readonly isDeprecated?: true;
  /** True for a read that uses POST: a token needs only the read scope, and an Idempotency-Key has no effect. */
  readonly isReadOnly?: true;
  /**
   * True where the request is passed on as it was received, with any content type, and the answer may have any status.
   */
  readonly forwardsRequest?: true;
  /** True for an address that browsers follow or that others ask regularly: they may add parameters of their own. */
  readonly allowsUnknownQuery?: true;
  /** True where a visitor's token opens it: a read of what a site shows, or a notice of its renderer. */
  readonly allowsVisitors?: true;
  /** True for what load balancers ask all the time: no caller is recognized, no rate limit counts it, and its answers are
   * never kept, by nobody. */
  readonly isProbe?: true;
  /** The largest body, in bytes, where it is less than the server takes. Default: 64 KiB where no token is needed. */
  readonly maxBodyBytes?: number;
  /** The types that an answer of `BinarySchema` may have, or ranges of them. Default: any. */
  readonly mediaTypes?: readonly string[];
  /** True for a GET of bytes of which a part can be asked for. */
  readonly supportsRanges?: true;
  /** True where the answer may be a redirect. */
  readonly mayRedirect?: true;
  /** True for a GET whose answer comes from an integration, which may fail. */
  readonly callsIntegration?: true;
  /** True where the host's model answers. Without one the answer is 501. */
  readonly callsModel?: true;
  /** What a list returns beside its rows: the members of this shape. */
  readonly extraFields?: Beside;
  /**
   * The version of the answer, computed before the answer, where that is better than a digest of its bytes. `If-Match`
   * ignores everything after a `~`, which is for caches only. A version that ends with `~` is incomplete; the digest is
   * appended.
   */
  readonly version?: (loaded: Loaded & { readonly now: Date; readonly actor: Actor }) => string | Promise<string>;
  /**
   * False for a GET whose answer must not be kept, because it calls others or reads other partitions;
   * `unless-elsewhere` where only some answers do. All other answers are kept as long as their target allows, except
   * bytes.
   */
  readonly cache?: false | "unless-elsewhere";
  /** The parameter that names the thing on which calls wait for each other, within this process. */
  readonly serializeBy?: NoInfer<ParamNames<Route>>;
  /**
   * Fetches from elsewhere, which may be slow. Runs once a call, after the right and `If-Match` were checked and before
   * the call's turn. The result is still used when `prepare` runs again.
   */
  readonly gather?: (
    context: HandlerContext<Route, Query, Body> &
      Loaded & { readonly tx: Reader; readonly store: Store; readonly partition: string },
  ) => Promise<Gathered>;
  /** Whether a call may have anything to fetch, by its unchecked body. Default: yes. */
  readonly shouldGather?: (sent: unknown) => boolean;
  /**
   * Work that must happen first: in other partitions, or too large for a transaction. Runs after the right was checked
   * and before the transaction, and again when the handler throws `OutdatedError`.
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
   * Plain code in one transaction. It may run again after a conflict, so it has effects only through `tx` and `enqueueJob`.
   * Only a call over HTTP (`originalRequest`) may be answered with JSON that is written already.
   */
  readonly handle: (
    context: Context<Route, Loaded, Query, Body, Prepared>,
  ) => Promise<Answer<Returns, List> | SerializedJson>;
}

/** An operation as the kernel sees it, with the types that its shapes give. */
export interface Operation<Types = unknown> {
  readonly method: Method;
  /** The path under the version prefix: `/orgs/:formatOrganizationId`. A parameter that ends in `+` also matches slashes. */
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
    ObjectShape | undefined,
    unknown,
    unknown
  >;
  /** Types only, compared with `src/generated`. */
  readonly types?: Types;
}

/** The input and the answer of an operation, by its shapes. */
interface TypesOf<Route extends string, Query extends v.ObjectEntries, Body, Returns, List, Beside> {
  readonly params: { [name in ParamNames<Route>]: string };
  readonly query: v.InferInput<v.ObjectSchema<Query, undefined>>;
  readonly body: Body extends Schema ? v.InferInput<Body> : undefined;
  readonly result: OutputOf<Returns, List, Beside>;
}

/** A shape whose members are known. */
type ObjectShape = Schema & { readonly entries: v.ObjectEntries };

/** A list as it leaves the API. */
export interface Envelope<Item> {
  readonly items: readonly Item[];
  readonly count: number;
  readonly next?: { readonly page: string };
}

/** Which part of a list is asked for. */
export interface Paging {
  /** `next.page` of the part before. Default: the first. */
  readonly page?: string;
  /** The most items. */
  readonly limit?: string | number;
}

type OutputOf<Returns, List, Beside> = List extends Schema
  ? Beside extends Schema
    ? Envelope<v.InferOutput<List>> & v.InferOutput<Beside>
    : Envelope<v.InferOutput<List>>
  : Returns extends Schema
    ? v.InferOutput<Returns>
    : undefined;

/** Declares an operation. `route` is a method and a path under the version prefix: `"GET /orgs/:formatOrganizationId"`. */
export function defineOperation<
  const Route extends `${Method} /${string}`,
  Loaded extends object,
  Right extends string,
  const Query extends v.ObjectEntries = Record<never, never>,
  const Body extends Schema | undefined = undefined,
  const Returns extends Schema | undefined = undefined,
  const List extends Schema | undefined = undefined,
  const Beside extends ObjectShape | undefined = undefined,
  Prepared = undefined,
  Gathered = undefined,
>(
  route: Route,
  spec: OperationSpec<Route, Loaded, Right, Query, Body, Returns, List, Beside, Prepared, Gathered>,
): Operation<TypesOf<Route, Query, Body, Returns, List, Beside>> {
  const [method, path] = route.split(" ") as [Method, string];
  const params = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return { method, path, params, spec: spec as unknown as Operation["spec"] };
}

/** The permissions object of a thing: the named rows of its rights. */
export function getPermissions<Loaded extends object, Right extends string, Name extends Right | "view">(
  target: Target<Loaded, Right>,
  loaded: Loaded,
  names: readonly Name[],
): { [name in Name]: boolean } {
  const held = {} as { [name in Name]: boolean };
  for (const name of names) held[name] = target.rights[name](loaded);
  return held;
}
