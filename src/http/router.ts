// Finds the operation that a method and a URL lead to. itty-router matches the paths. This file sorts the routes into small routers
// by their first segment and their length, so that matching does not get slower as operations are added. It also decodes the
// parameters, and tells an unknown path from an unknown method.

import { Router as createPathRouter } from "itty-router";
import { createError, createValidationError, DocsError } from "../errors";
import type { RawInput, RegisteredOperation } from "../execution/kernel";
import { findPartition } from "../execution/partition";
import type { Operation } from "../operation/operation";
import { trimTrailingSlashes } from "../utils/url";
import type { VersionedCache } from "../utils/versioned-cache";
import { parseTarget } from "./request-target";

/** An operation with the input that a URL gives it. */
export interface RouteMatch extends Pick<RawInput, "params" | "query"> {
  readonly operation: RegisteredOperation;
  /** The partition that the path leads to, if the path alone decides it. */
  readonly partition: string | undefined;
}

/** The match of a path without its query. */
export type CachedRoute = Omit<RouteMatch, "query">;

export interface Router {
  /** Finds the operation for a request. Throws `route_not_found` or `method_not_allowed`. */
  find(method: string, url: string): Promise<RouteMatch>;
  /** Finds the operation synchronously, if the path is in the cache. */
  findCached(method: string, url: string): RouteMatch | undefined;
  /** Returns the methods that a path takes; none if it leads nowhere. */
  listMethods(url: string): Promise<string[]>;
}

const VERSION = "/v1";
/** Longer paths are rarely requested twice. */
const MAX_CACHED_LENGTH = 512;

/** Creates the router of an API. A path always leads to the same operation, so the last paths are cached as they were sent. */
export function createRouter(
  table: readonly RegisteredOperation[],
  basePath: string,
  cache: VersionedCache<CachedRoute>,
): Router {
  let lookups = matcherLookups.get(table);
  if (!lookups) {
    lookups = {
      findExact: createMatcherLookup(table, ({ path }) => (path.endsWith("+") ? undefined : getBucket(path))),
      findGreedy: createMatcherLookup(table, ({ path }) => (path.endsWith("+") ? path.split("/", 2)[1] : undefined)),
    };
    matcherLookups.set(table, lookups);
  }
  const { findExact, findGreedy } = lookups;

  async function match(method: string, path: string): Promise<CachedRoute | undefined> {
    const probe: MatcherRequest = { method, url: `http://localhost${path}` };
    const operation =
      (await findExact(getBucket(path))?.fetch(probe)) ?? (await findGreedy(path.split("/", 2)[1]!)?.fetch(probe));
    if (!operation) return undefined;

    const params: Record<string, string> = {};
    for (const [name, text] of Object.entries(probe.params!)) {
      try {
        params[name] = text.includes("%") ? decodeURIComponent(text) : text;
      } catch {
        throw createValidationError(`params.${name}`, "Invalid percent-encoding.");
      }
    }
    return { operation, params, partition: findPartition(operation, params) };
  }

  /** Most requests are GETs without a query. Their key is the URL itself, of which no copy is made. */
  function getCacheKey(method: string, url: string): string {
    const query = url.indexOf("?");
    const fragment = url.indexOf("#");
    const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query;
    const path = end < 0 ? url : url.slice(0, end);
    return method === "GET" ? path : `${method} ${path}`;
  }

  async function listMethods(url: string): Promise<string[]> {
    const { path } = parseApiPath(url, basePath);
    const methods: string[] = [];
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (!(await match(method, path))) continue;
      methods.push(method);
      if (method === "GET") methods.push("HEAD");
    }
    if (methods.length > 0) methods.push("OPTIONS");
    return methods;
  }

  return {
    async find(method, url) {
      const { path, search } = parseApiPath(url, basePath);
      const route = await match(method, path);
      if (route) {
        const key = getCacheKey(method, url);
        if (key.length <= MAX_CACHED_LENGTH) cache.set(key, route);
        return toRouteMatch(route, search);
      }

      const methods = await listMethods(url);
      if (methods.length === 0) throw createRouteNotFoundError(url, basePath);
      throw new DocsError("method_not_allowed", { headers: { allow: methods.join(", ") } });
    },
    findCached(method, url) {
      const route = cache.get(getCacheKey(method, url));
      if (route?.operation.definition.method !== method) return undefined;
      const fragment = url.indexOf("#");
      const urlWithoutFragment = fragment < 0 ? url : url.slice(0, fragment);
      const query = urlWithoutFragment.indexOf("?");
      return toRouteMatch(route, query < 0 ? "" : urlWithoutFragment.slice(query));
    },
    listMethods,
  };
}

/** Returns the error for a URL that leads nowhere. It names the path, and not the query, which may hold a secret. */
export function createRouteNotFoundError(url: string, basePath: string): DocsError {
  return createError("route_not_found", { path: parseTarget(url)?.pathname ?? "?", base: basePath + VERSION });
}

/** Returns the path under the version prefix, still encoded, and the query. Throws `route_not_found` for any other URL. */
export function parseApiPath(url: string, basePath: string): { path: string; search: string } {
  const parsed = parseTarget(url);
  const prefix = basePath + VERSION;
  if (!parsed || (parsed.pathname !== prefix && !parsed.pathname.startsWith(`${prefix}/`)))
    throw createRouteNotFoundError(url, basePath);

  const path = trimTrailingSlashes(parsed.pathname.slice(prefix.length)) || "/";
  // No name is empty, so two slashes in a row lead nowhere. They are refused before the patterns of the routes see them, because
  // these would look for the end of the path after each slash.
  if (path.includes("//")) throw createRouteNotFoundError(url, basePath);
  return { path, search: parsed.search };
}

interface MatcherRequest {
  method: string;
  url: string;
  /** Set by the matcher that finds the operation. */
  params?: Record<string, string>;
}

/** Finds an operation among those of one bucket. */
interface Matcher {
  fetch(request: MatcherRequest): Promise<RegisteredOperation | undefined>;
}

type MatcherLookup = (bucket: string) => Matcher | undefined;

/** The matchers of a table. A path that ends in a greedy parameter has any length, so its bucket is the first segment alone. */
interface MatcherLookups {
  readonly findExact: MatcherLookup;
  readonly findGreedy: MatcherLookup;
}

/** All APIs of a process have the same operations, and a Worker creates an API for every request. */
const matcherLookups = new WeakMap<readonly RegisteredOperation[], MatcherLookups>();

/** Creates each matcher when it is first used, because a Worker uses few of them. */
function createMatcherLookup(
  table: readonly RegisteredOperation[],
  getBucketOfOperation: (operation: Operation) => string | undefined,
): MatcherLookup {
  const matchers = new Map<string, Matcher>();
  return (bucket) => {
    const known = matchers.get(bucket);
    if (known) return known;
    const operations = table.filter(({ definition }) => getBucketOfOperation(definition) === bucket);
    if (operations.length === 0) return undefined;

    // A literal comes before a parameter in the same place, whatever the order in which the modules export them.
    const routes = operations.map((operation) => ({
      operation,
      shape: operation.definition.path.replaceAll(/:\w+\+?/g, "~"),
    }));
    routes.sort((a, b) => (a.shape < b.shape ? -1 : 1));

    const matcher = createPathRouter() as Matcher &
      Record<string, (path: string, handler: () => RegisteredOperation) => void>;
    for (const { operation } of routes) {
      const { method, path } = operation.definition;
      matcher[method.toLowerCase()]!(path, () => operation);
    }
    matchers.set(bucket, matcher);
    return matcher;
  };
}

/** Returns the bucket of a path: its first segment and its length. */
function getBucket(path: string): string {
  const segments = path.split("/");
  return `${segments[1]} ${segments.length}`;
}

/**
 * Returns the match of a route with the parsed query. Repeated keys become arrays; `authors[]` is another spelling of `authors`. A
 * literal is created several times faster here than a copy of the route by spread.
 */
function toRouteMatch({ operation, params, partition }: CachedRoute, search: string): RouteMatch {
  const query: Record<string, unknown> = Object.create(null);
  if (search.length < 2) return { operation, params, partition, query };
  for (const [key, value] of new URLSearchParams(search)) {
    const name = key.endsWith("[]") ? key.slice(0, -2) : key;
    const known = query[name];
    if (Array.isArray(known)) known.push(value);
    else if (known !== undefined) query[name] = [known, value];
    else query[name] = name === key ? value : [value];
  }
  return { operation, params, partition, query };
}
