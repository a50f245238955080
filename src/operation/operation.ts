// What an operation is: a value with a route, the shapes of its input and answer, the thing it works on, the right it
// needs, and a handler. Routing, checking, permissions, the OpenAPI document and the tests all read the same value.

import type * as v from "valibot";
import type { Reason } from "../errors";
import type { Parts } from "../parts/parts";
import type { Secrets } from "../secrets";
import type { Kind, Random } from "../store/ids";
import type { Objects } from "../store/objects";
import type { Json, Key } from "../store/storage";
import type { Store } from "../store/store";
import type { Reader, Transaction } from "../store/transaction";
import type { Urls } from "../urls";
import type { OutgoingEvent } from "../work/events";
import type { Step, Work } from "../work/jobs";

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
  /** What the caller may use at most; null: everything that the user may. */
  readonly scopes: readonly string[] | null;
  /** When the credentials end; null: never. */
  readonly expiresAt: string | null;
  /** What the caller was recognized by: a token, an installation, or the host's word. What is kept for one is not for another. */
  readonly credentials: string;
}

/** Who calls an open operation without credentials that reach it. No user has an empty id. */
export const nobody: Actor = {
  user: { id: "", displayName: "", email: "" },
  scopes: [],
  expiresAt: null,
  credentials: "",
};

/** What a user is recognized by on the host's word: who may use less is another caller. */
export function hostCredentials(user: string, scopes: Actor["scopes"]): string {
  return JSON.stringify(["host", user, scopes?.toSorted() ?? null]);
}

/** What a target is loaded from. */
export interface Scope {
  readonly tx: Reader;
  readonly directory: Reader;
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  /** The query as it was checked: what visitors show to be let in. */
  readonly query: Readonly<Record<string, unknown>>;
  /** What was sent, as the operation's shape has it: for a target that is named there. */
  readonly body?: unknown;
  readonly now: Date;
  /** The code of the partition that `tx` reads: new ids begin with it. */
  readonly code: string;
  /** The partition that has sent the call here: what it is about lives here now. */
  readonly cameFrom?: string | undefined;
  /** Whether the call changes something, and needs what it is about to hold still for that. */
  readonly isWriting?: boolean;
  /** A moment of another partition, for looking only. */
  readonly peek: (partition: string) => Promise<Reader>;
  /** For what a path brings along signed. */
  readonly secrets: Secrets;
  /** Content-addressed bytes of the partition that `tx` reads. */
  readonly objects: Objects;
}

/** The thing that a path names: how it is found, and who may do what with it. */
export interface Target<Loaded extends object = object, Right extends string = string> {
  /** The partition that holds it; undefined when the ids lead nowhere. `code` names a partition that does not exist yet. */
  readonly partition: (params: Readonly<Record<string, string>>, code: string) => string | undefined;
  /** Undefined when absent. What stands above it in the path fails with its own 404. */
  readonly load: (scope: Scope) => Promise<Loaded | undefined>;
  /** The answer when it is absent, and when `view` is not held: the two are the same. */
  readonly absent: Reason;
  /** One row a right. Guards the operations and fills the `permissions` objects. */
  readonly rights: { readonly [right in Right | "view"]: (loaded: Loaded) => boolean };
  /** For a target that makes its partition: whether nothing is there yet. What is there is left as it is. */
  readonly isFree?: (loaded: Loaded) => boolean;
  /** True when no caller is needed. Default: false. */
  readonly open?: boolean;
  /** Whether what is answered of it may serve again, within the hour and while the partitions that it was read from stay as
   * they are. Default: yes. */
  readonly isKept?: (loaded: Loaded, scope: Scope) => boolean | Promise<boolean>;
}

/** Where in a list to begin, and how many rows to give. */
export interface Page {
  readonly after: Key | undefined;
  readonly limit: number;
}

/** Rows of a list: `last` is the position of the last one when more follow, `count` the rows of the whole list. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly last: Key | undefined;
  readonly count: number;
  /** What an operation with `stats` says of the whole list. */
  readonly stats?: object;
}

type Clean<Name extends string> = Name extends `${infer Bare}+` ? Bare : Name;
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Clean<Name> | ParamNames<`/${Tail}`>
    : Clean<Rest>
  : never;
type MethodOf<Route extends string> = Route extends `${infer M extends Method} ${string}` ? M : never;

/** What the API knows of itself. */
export interface About {
  readonly version: string;
  readonly openapi: () => object;
  /** The scopes that a token can have. */
  readonly scopes: readonly string[];
  /** The scope that an operation needs, by its name. */
  readonly scopeOf: (operation: string) => string | undefined;
}

/** A request as it came, for what passes it on. */
export interface PassedRequest {
  readonly method: string;
  /** The query as it was sent, with its question mark, or nothing. */
  readonly search: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What every handler gets. */
interface Common<Route extends string, Query extends v.ObjectEntries, Body> {
  readonly params: { readonly [name in ParamNames<Route>]: string };
  readonly query: v.InferOutput<v.ObjectSchema<Query, undefined>>;
  readonly body: Body extends Schema ? v.InferOutput<Body> : undefined;
  /** The global partition, as it was when the caller was recognized. */
  readonly directory: Reader;
  readonly actor: Actor;
  readonly now: Date;
  /** A moment of another partition, for looking only. */
  readonly peek: (partition: string) => Promise<Reader>;
  readonly urls: Urls;
  readonly secrets: Secrets;
  /** Content-addressed bytes of this partition. */
  readonly objects: Objects;
  /** What the host has chosen for the parts that it may replace. */
  readonly parts: Parts;
  /** What steps are carried out with: for asking an integration. */
  readonly work: Work;
  /** What the API says of itself. */
  readonly about: About;
  /** The request as it came, where the operation takes it so. */
  readonly request?: PassedRequest | undefined;
  /** A cursor's place and the number of rows; only lists look at it. */
  readonly page: Page;
}

/** What a handler that writes gets on top. */
interface Writing {
  readonly tx: Transaction;
  readonly random: Random;
  /** A new id in this partition. */
  readonly newId: (kind: Exclude<Kind, "organization">) => string;
  /** Has a step run after the commit, in this process or in a later one; with a time to come, not before that. Gives the id
   * of the job. */
  readonly later: <Payload extends Json>(step: Step<Payload>, payload: Payload, when?: Date) => string;
  /** Tells whoever listens, once the commit holds. */
  readonly emit: (event: OutgoingEvent) => void;
}

type Context<Route extends string, Loaded, Query extends v.ObjectEntries, Body, Prepared> = Common<Route, Query, Body> &
  Loaded &
  (MethodOf<Route> extends "GET" ? { readonly tx: Reader } : Writing & { readonly prepared: Prepared });

type Answer<Returns, List> = List extends Schema
  ? Listing<v.InferInput<List>>
  : Returns extends Schema
    ? v.InferInput<Returns>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing is an async function without a return.
      void;

interface Spec<
  Route extends string,
  Loaded extends object,
  Right extends string,
  Query extends v.ObjectEntries,
  Body,
  Returns,
  List,
  Stats,
  Prepared,
  Gathered,
> {
  /** One line, as a person would say it. */
  readonly summary: string;
  /** More, where the one line leaves questions. */
  readonly description?: string;
  readonly on: Target<Loaded, Right>;
  /** A row of the target's rights; 403 when it is not held. */
  readonly right: NoInfer<Right> | "view";
  readonly query?: Query;
  readonly body?: Body;
  /** The shape of the answer; without `returns` and `list` the answer is 204. */
  readonly returns?: Returns;
  /** The shape of the rows of a list. */
  readonly list?: List;
  /** Default: 200, or 204 without an answer. 201 carries `Location`, taken from `urls.location`. */
  readonly status?: 200 | 201 | 204;
  /** True for what is kept for those who use it already; the description says what to use instead. */
  readonly isDeprecated?: true;
  /** True for a question that is asked by POST: a token needs no more than for reading, and an Idempotency-Key says nothing. */
  readonly isQuestion?: true;
  /** True where the request is passed on as it came, whatever its type, and the answer comes back with any status. */
  readonly takesRequest?: true;
  /** The largest body, in bytes, where it is less than the server takes. Default: 64 KiB where no token is needed. */
  readonly maxBodyBytes?: number;
  /** The types that an answer of `Bytes` may have, or ranges of them. Default: any. */
  readonly sends?: readonly string[];
  /** True where the answer may be that the caller is sent elsewhere. */
  readonly redirects?: true;
  /** True for a GET whose answer an integration makes, which may fail to. */
  readonly asksIntegration?: true;
  /** What a list says beside its rows, under `stats`. */
  readonly stats?: Stats;
  /** Names the version of the answer before it is made, where there is something better than a digest of its bytes. What
   * follows a `~` is for caches alone: `If-Match` does not look at it. A version that ends with one is not all of it, and
   * the digest follows. */
  readonly version?: (loaded: Loaded & { readonly now: Date; readonly actor: Actor }) => string | Promise<string>;
  /** False for a GET whose answer may not serve again: it asks others, or looks into other partitions; `unless-elsewhere`
   * where only some answers do. Every other answer serves again for as long as its target allows, but for bytes. */
  readonly kept?: false | "unless-elsewhere";
  /** The parameter that names what calls wait for each other on, within this process. */
  readonly inTurn?: NoInfer<ParamNames<Route>>;
  /** What comes from elsewhere, and takes its time: once a call, after the right and `If-Match` were checked, before its
   * turn. What it gave stays good when `prepare` runs again. */
  readonly gather?: (context: Common<Route, Query, Body> & Loaded & { readonly tx: Reader }) => Promise<Gathered>;
  /** Whether a call may have anything to gather, by what was sent, which nobody has checked yet. Default: it has. */
  readonly gathers?: (sent: unknown) => boolean;
  /** Work that must come first: in other partitions, or too large for a transaction. Runs after the right was checked,
   * before the transaction; again when the handler throws `Outdated`. */
  readonly prepare?: (
    context: Common<Route, Query, Body> &
      Loaded &
      Pick<Writing, "newId"> & {
        readonly tx: Reader;
        readonly store: Store;
        readonly partition: string;
        readonly gathered: Gathered;
      },
  ) => Promise<Prepared>;
  /** Plain code in one transaction. It may run again when others were faster, so it acts through `tx` and `later` alone. */
  readonly handle: (context: Context<Route, Loaded, Query, Body, Prepared>) => Promise<Answer<Returns, List>>;
}

/** An operation as the kernel sees it, with the types that its shapes give. */
export interface Operation<Types = unknown> {
  readonly method: Method;
  /** Under the version prefix: `/orgs/:organizationId`. A parameter that ends in `+` takes slashes too. */
  readonly path: string;
  readonly params: readonly string[];
  readonly spec: Spec<
    string,
    object,
    string,
    v.ObjectEntries,
    Schema | undefined,
    Schema | undefined,
    Schema | undefined,
    Schema | undefined,
    unknown,
    unknown
  >;
  /** Types only: what `src/generated` is held against. */
  readonly types?: Types;
}

/** What an operation takes and answers, as its shapes have it. */
interface TypesOf<Route extends string, Query extends v.ObjectEntries, Body, Returns, List, Stats> {
  readonly params: { [name in ParamNames<Route>]: string };
  readonly query: v.InferInput<v.ObjectSchema<Query, undefined>>;
  readonly body: Body extends Schema ? v.InferInput<Body> : undefined;
  readonly result: OutputOf<Returns, List, Stats>;
}

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

type OutputOf<Returns, List, Stats> = List extends Schema
  ? Stats extends Schema
    ? Envelope<v.InferOutput<List>> & { readonly stats: v.InferOutput<Stats> }
    : Envelope<v.InferOutput<List>>
  : Returns extends Schema
    ? v.InferOutput<Returns>
    : undefined;

/** Declares an operation. `route` is a method and a path under the version prefix: `"GET /orgs/:organizationId"`. */
export function operation<
  const Route extends `${Method} /${string}`,
  Loaded extends object,
  Right extends string,
  const Query extends v.ObjectEntries = Record<never, never>,
  const Body extends Schema | undefined = undefined,
  const Returns extends Schema | undefined = undefined,
  const List extends Schema | undefined = undefined,
  const Stats extends Schema | undefined = undefined,
  Prepared = undefined,
  Gathered = undefined,
>(
  route: Route,
  spec: Spec<Route, Loaded, Right, Query, Body, Returns, List, Stats, Prepared, Gathered>,
): Operation<TypesOf<Route, Query, Body, Returns, List, Stats>> {
  const [method, path] = route.split(" ") as [Method, string];
  const params = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return { method, path, params, spec: spec as unknown as Operation["spec"] };
}

/** The permissions object of a thing: the named rows of its rights. */
export function permissions<Loaded extends object, Right extends string, Name extends Right | "view">(
  target: Target<Loaded, Right>,
  loaded: Loaded,
  names: readonly Name[],
): { [name in Name]: boolean } {
  const held = {} as { [name in Name]: boolean };
  for (const name of names) held[name] = target.rights[name](loaded);
  return held;
}
