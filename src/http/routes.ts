// From a method and a path to an operation. itty-router does the matching. This file sorts routes into small routers by
// their first segment and their length, so that matching does not slow down as operations are added. It decodes the
// parameters, and tells an unknown path from an unknown method.

import { Router } from "itty-router";
import { LRUCache } from "lru-cache";
import { DocsError, failure, invalid } from "../errors";
import type { Named, RawInput } from "../kernel/kernel";
import type { Operation } from "../operation/operation";
import { parseAddress } from "../web-address";

export interface Match extends Pick<RawInput, "params" | "query"> {
  readonly named: Named;
}

interface Probe {
  method: string;
  url: string;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
}
type Matcher = { fetch(probe: Probe): Promise<Named | undefined> };

const VERSION = "/v1";
/** Longer URLs are rarely asked for twice. */
const MAX_URL_LENGTH = 512;

/** Finds the operation for a request; throws `route_not_found` or `method_not_allowed`. */
export type FindRoute = (method: string, url: string) => Promise<Match>;

export function createRoutes(
  table: readonly Named[],
  basePath: string,
): FindRoute & { allowed(url: string): Promise<string[]> } {
  const routers = shelf(table, ({ path }) => (path.endsWith("+") ? undefined : bucketOf(path)));
  const greedy = shelf(table, ({ path }) => (path.endsWith("+") ? firstSegment(path) : undefined));

  async function match(method: string, path: string, search: string) {
    const probe: Probe = { method, url: `http://localhost${path}${search}` };
    const named = (await routers(bucketOf(path))?.fetch(probe)) ?? (await greedy(firstSegment(path))?.fetch(probe));
    return named && { named, probe };
  }

  /** A URL always leads to the same operation, so the last ones are remembered. */
  const lately = new LRUCache<string, Match>({ max: 500 });

  async function find(method: string, url: string): Promise<Match> {
    const known = lately.get(`${method} ${url}`);
    if (known) return known;
    const { path, search } = pathUnder(url, basePath);
    const found = await match(method, path, search);
    if (found) {
      const { params, query } = found.probe;
      const led = { named: found.named, params: decodeParams(params!), query: readQuery(query!) };
      if (url.length <= MAX_URL_LENGTH) lately.set(`${method} ${url}`, led);
      return led;
    }
    const methods = await allowed(url);
    if (methods.length === 0) throw failure("route_not_found");
    throw new DocsError("method_not_allowed", { headers: { allow: methods.join(", ") } });
  }

  async function allowed(url: string): Promise<string[]> {
    const { path, search } = pathUnder(url, basePath);
    const methods: string[] = [];
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (await match(method, path, search)) methods.push(method, ...(method === "GET" ? ["HEAD"] : []));
    }
    return methods.length > 0 ? [...methods, "OPTIONS"] : [];
  }

  return Object.assign(find, { allowed });
}

/** Routers by bucket, each made when it is first used: a Worker opens the API for every request, and uses one. */
function shelf(
  table: readonly Named[],
  bucketOf: (operation: Operation) => string | undefined,
): (bucket: string) => Matcher | undefined {
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

function routerOf(operations: readonly Named[]): Matcher {
  const router = Router() as Matcher & Record<string, (path: string, handler: () => Named) => void>;
  for (const named of operations.toSorted((a, b) => (shapeOf(a) < shapeOf(b) ? -1 : 1)))
    router[named.operation.method.toLowerCase()]!(named.operation.path, () => named);
  return router;
}

/** The path under the version prefix, still encoded, and the query. */
export function pathUnder(url: string, basePath: string): { path: string; search: string } {
  let parsed: URL;
  try {
    parsed = url.startsWith("/") ? new URL(`http://localhost${url}`) : parseAddress(url);
  } catch {
    throw failure("route_not_found");
  }
  const prefix = basePath + VERSION;
  const { pathname } = parsed;
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) throw failure("route_not_found");
  return { path: withoutSlashes(pathname.slice(prefix.length)), search: parsed.search };
}

/** A path without the slashes at its end. No name is empty, so two slashes in a row lead nowhere. They are refused
 * before the patterns of the routes see them: these would look for the end of the path behind each slash. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  const trimmed = path.slice(0, end);
  if (trimmed.includes("//")) throw failure("route_not_found");
  return trimmed || "/";
}

/** A literal comes before a parameter in the same place, whatever the order of the modules' exports. */
function shapeOf({ operation }: Named): string {
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
      throw invalid(`params.${name}`, "The percent-encoding is broken.");
    }
  }
  return params;
}

/** Repeated keys become arrays; `authors[]` is another spelling of `authors`. */
function readQuery(parsed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(parsed)) {
    const plain = name.endsWith("[]") ? name.slice(0, -2) : name;
    query[plain] = plain in query || plain !== name ? [query[plain] ?? [], parsed[name]].flat() : parsed[name];
  }
  return query;
}
