// From a method and a path to an operation. itty-router does the matching. This file sorts routes into small routers by
// their first segment and their length, so that matching does not slow down as operations are added. It decodes the
// parameters, and tells an unknown path from an unknown method.

import { Router } from "itty-router";
import { createError, createValidationError, DocsError } from "../errors";
import { knownPartition } from "../execution/execute";
import type { RawInput, RegisteredOperation } from "../execution/kernel";
import type { Operation } from "../operation/operation";
import type { LruCache } from "../utils/lru-cache";
import { parseTarget } from "./target";

export interface Match extends Pick<RawInput, "params" | "query"> {
  readonly named: RegisteredOperation;
  /** The partition that the path leads to, where the path alone says it. */
  readonly partition: string | undefined;
}

interface Probe {
  method: string;
  url: string;
  params?: Record<string, string>;
}
type Matcher = { fetch(probe: Probe): Promise<RegisteredOperation | undefined> };

const VERSION = "/v1";
/** Longer paths are rarely asked for twice. */
const MAX_LENGTH = 512;

/** Finds the operation for a request; throws `route_not_found` or `method_not_allowed`. */
export type FindRoute = (method: string, url: string) => Promise<Match>;

interface Routes {
  /** The same as finding it, without waiting, for a path that was found lately. */
  known(method: string, url: string): Match | undefined;
  /** The methods that a path takes. */
  allowed(url: string): Promise<string[]>;
}

/** A path that leads to an operation, without the query. */
export type Way = Omit<Match, "query">;

/** A path always leads to the same operation, so `callLazily` remembers the last ones, as they were sent. */
export function createRoutes(
  table: readonly RegisteredOperation[],
  basePath: string,
  lately: LruCache<Way>,
): FindRoute & Routes {
  const { routers, greedy } = shelvesOf(table);

  async function match(method: string, path: string) {
    const probe: Probe = { method, url: `http://localhost${path}` };
    const named = (await routers(bucketOf(path))?.fetch(probe)) ?? (await greedy(firstSegment(path))?.fetch(probe));
    if (!named) return undefined;
    const params = decodeParams(probe.params!);
    return { named, params, partition: knownPartition(named, params) };
  }

  /** What a path is remembered by. Most requests are GETs: theirs is the text that came, of which no copy is made. */
  function asSent(method: string, url: string): string {
    const path = url.slice(0, endOfPath(url));
    return method === "GET" ? path : `${method} ${path}`;
  }

  function known(method: string, url: string): Match | undefined {
    const found = lately.get(asSent(method, url));
    if (found?.named.operation.method !== method) return undefined;
    return withQuery(found, searchIn(url));
  }

  async function find(method: string, url: string): Promise<Match> {
    const { path, search } = pathUnder(url, basePath);
    const found = await match(method, path);
    if (found) {
      const sent = asSent(method, url);
      if (sent.length <= MAX_LENGTH) lately.set(sent, found);
      return withQuery(found, search);
    }
    const methods = await allowed(url);
    if (methods.length === 0) throw notOurs(url, basePath);
    throw methodNotAllowed(methods);
  }

  async function allowed(url: string): Promise<string[]> {
    const { path } = pathUnder(url, basePath);
    const methods: string[] = [];
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (await match(method, path)) methods.push(method, ...(method === "GET" ? ["HEAD"] : []));
    }
    return methods.length > 0 ? [...methods, "OPTIONS"] : [];
  }

  return Object.assign(find, { known, allowed });
}

/** The failure of a method that a path doesn't take, with those that it takes. */
export function methodNotAllowed(methods: readonly string[]): DocsError {
  return new DocsError("method_not_allowed", { headers: { allow: methods.join(", ") } });
}

/** Routers by bucket. A path that ends in a greedy parameter has any length. */
interface Shelves {
  readonly routers: Shelf;
  readonly greedy: Shelf;
}
type Shelf = (bucket: string) => Matcher | undefined;

/** All APIs of a process have the same operations, and a Worker opens one for every request. */
const shelves = new WeakMap<readonly RegisteredOperation[], Shelves>();

function shelvesOf(table: readonly RegisteredOperation[]): Shelves {
  const known = shelves.get(table);
  if (known) return known;
  const made = {
    routers: shelf(table, ({ path }) => (path.endsWith("+") ? undefined : bucketOf(path))),
    greedy: shelf(table, ({ path }) => (path.endsWith("+") ? firstSegment(path) : undefined)),
  };
  shelves.set(table, made);
  return made;
}

/** Each router is made when it is first used: a Worker uses few. */
function shelf(table: readonly RegisteredOperation[], bucketOf: (operation: Operation) => string | undefined): Shelf {
  const made = new Map<string, Matcher>();
  return (bucket) => {
    const known = made.get(bucket);
    if (known) return known;
    const operations = table.filter(({ operation }) => bucketOf(operation) === bucket);
    if (operations.length === 0) return undefined;
    const router = routerOf(operations);
    made.set(bucket, router);
    return router;
  };
}

function routerOf(operations: readonly RegisteredOperation[]): Matcher {
  const router = Router() as Matcher & Record<string, (path: string, handler: () => RegisteredOperation) => void>;
  for (const named of operations.toSorted((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1)))
    router[named.operation.method.toLowerCase()]!(named.operation.path, () => named);
  return router;
}

/** The path under the version prefix, still encoded, and the query. */
export function pathUnder(url: string, basePath: string): { path: string; search: string } {
  const parsed = parseTarget(url);
  const prefix = basePath + VERSION;
  if (!parsed || (parsed.pathname !== prefix && !parsed.pathname.startsWith(`${prefix}/`)))
    throw notOurs(url, basePath);
  const path = withoutSlashes(parsed.pathname.slice(prefix.length));
  // No name is empty, so two slashes in a row lead nowhere. They are refused before the patterns of the routes see
  // them: these would look for the end of the path behind each slash.
  if (path.includes("//")) throw notOurs(url, basePath);
  return { path, search: parsed.search };
}

/** Whether a URL leads to a path under the version prefix. */
export function isAt(url: string, basePath: string, path: string): boolean {
  return withoutSlashes(parseTarget(url)?.pathname ?? "") === basePath + VERSION + path;
}

/** The failure of a URL that leads nowhere. It names the path, and not the query, which may hold a secret. */
export function notOurs(url: string, basePath: string): DocsError {
  return createError("route_not_found", { path: parseTarget(url)?.pathname ?? "?", base: basePath + VERSION });
}

/** A path without the slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end) || "/";
}

/** A literal comes before a parameter in the same place, whatever the order of the modules' exports. */
function shapeOf({ operation }: RegisteredOperation): string {
  return operation.path.replaceAll(/:\w+\+?/g, "~");
}

function firstSegment(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

function bucketOf(path: string): string {
  const segments = path.split("/");
  return `${segments[1]} ${segments.length}`;
}

function decodeParams(encoded: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of Object.keys(encoded)) {
    const text = encoded[name]!;
    try {
      params[name] = text.includes("%") ? decodeURIComponent(text) : text;
    } catch {
      throw createValidationError(`params.${name}`, "The percent-encoding is broken.");
    }
  }
  return params;
}

/** Where the path of a URL ends: at the query, the fragment, or the end. */
function endOfPath(url: string): number {
  const query = url.indexOf("?");
  const fragment = url.indexOf("#");
  if (query < 0 || fragment < 0) return Math.max(query, fragment) < 0 ? url.length : Math.max(query, fragment);
  return Math.min(query, fragment);
}

/** The query of a URL, with its question mark. */
function searchIn(url: string): string {
  const hash = url.indexOf("#");
  const whole = hash < 0 ? url : url.slice(0, hash);
  const at = whole.indexOf("?");
  return at < 0 ? "" : whole.slice(at);
}

function withQuery({ named, params, partition }: Way, search: string): Match {
  return { named, params, partition, query: readQuery(search) };
}

/** Repeated keys become arrays; `authors[]` is another spelling of `authors`. */
function readQuery(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  if (search.length < 2) return query;
  for (const [name, value] of new URLSearchParams(search)) {
    const plain = name.endsWith("[]") ? name.slice(0, -2) : name;
    const known = query[plain];
    if (Array.isArray(known)) known.push(value);
    else if (known !== undefined) query[plain] = [known, value];
    else query[plain] = plain === name ? value : [value];
  }
  return query;
}
