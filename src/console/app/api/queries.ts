// The queries of components. Equal queries share one request and one cache entry. After a mutation, and when the server reports
// a change, all queries on the screen are repeated with their ETags, which is cheap while nothing has changed.

import { useEffect, useState } from "preact/hooks";
import type {
  CallError,
  ClientInput,
  ClientListItem,
  ClientOutput,
  Envelope,
  ListOperationName,
  OperationName,
} from "../../../client";
import { omitUndefined } from "../../../utils/objects";
import { call } from "./client";

/** The state of a query. A value stays visible while the query is repeated. */
export type QueryState<Value> =
  | { readonly state: "loading" }
  | { readonly state: "loaded"; readonly value: Value }
  | { readonly state: "failed"; readonly error: CallError };

interface CachedQuery {
  readonly name: OperationName;
  readonly params: Readonly<Record<string, string>>;
  reading: QueryState<unknown>;
  etag: string | undefined;
  /** The current request. */
  pending: Promise<void> | undefined;
  /** Repeats the query when the current request is complete. */
  isStale: boolean;
  readonly watchers: Set<() => void>;
  readonly fetch: (etag: string | undefined) => Promise<QueryResponse>;
}

interface QueryResponse {
  readonly reading: QueryState<unknown> | undefined;
  readonly etag: string | undefined;
}

/** The most queries that stay in the cache while no component shows them. */
const MAX_UNWATCHED = 100;
/** The cached queries by operation and input, the most recently used last. */
const cache = new Map<string, CachedQuery>();

function getCachedQuery<Name extends OperationName>(name: Name, input: ClientInput<Name>): CachedQuery {
  const key = JSON.stringify([name, input]);
  const known = cache.get(key);
  if (known) {
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const { params = {} } = input as { params?: Record<string, string> };
  const query: CachedQuery = {
    name,
    params,
    reading: { state: "loading" },
    etag: undefined,
    pending: undefined,
    isStale: false,
    watchers: new Set(),
    async fetch(etag) {
      const result = await call(name, input, etag === undefined ? {} : { etag });
      if (!result.ok) return { reading: { state: "failed", error: result.error }, etag: undefined };
      if ((result.status as number) === 304) return { reading: undefined, etag };
      return { reading: { state: "loaded", value: result.value }, etag: result.etag };
    },
  };
  cache.set(key, query);
  const unwatched = [...cache].filter(([, { watchers }]) => watchers.size === 0);
  for (const [oldKey] of unwatched.slice(0, Math.max(0, unwatched.length - MAX_UNWATCHED))) cache.delete(oldKey);
  return query;
}

function refreshQuery(query: CachedQuery): Promise<void> {
  if (query.pending !== undefined) {
    query.isStale = true;
    return query.pending;
  }
  query.pending = query.fetch(query.etag).then(({ reading, etag }) => {
    query.pending = undefined;
    // A lost connection, an ended session, and a busy or broken server never remove a value from the screen.
    let isTransient = false;
    if (reading?.state === "failed") {
      const { reason, status } = reading.error;
      isTransient = reason === "network" || status === 401 || status === 429 || (status ?? 0) >= 500;
    }
    if (reading && !(isTransient && query.reading.state === "loaded")) {
      query.reading = reading;
      query.etag = etag;
      for (const watcher of [...query.watchers]) watcher();
    }
    if (!query.isStale) return undefined;
    query.isStale = false;
    return refreshQuery(query);
  });
  return query.pending;
}

/** Returns the states of queries with the same operation, one for each input. */
export function useQueries<Name extends OperationName>(
  name: Name,
  inputs: readonly ClientInput<Name>[],
): readonly QueryState<ClientOutput<Name>>[] {
  const [, draw] = useState({});
  const states = inputs.map((input) => getCachedQuery(name, input).reading);
  useEffect(() => {
    const queries = inputs.map((input) => getCachedQuery(name, input));
    const watcher = () => draw({});
    for (const query of queries) {
      query.watchers.add(watcher);
      void refreshQuery(query);
    }
    // A response may have arrived between the rendering and the subscription.
    if (queries.some(({ reading }, i) => reading !== states[i])) draw({});
    return () => {
      for (const query of queries) query.watchers.delete(watcher);
    };
  }, [JSON.stringify([name, inputs])]);
  return states as readonly QueryState<ClientOutput<Name>>[];
}

/** Returns the state of a query. Without an input, no request is sent. */
export function useQuery<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): QueryState<ClientOutput<Name>> {
  const [reading] = useQueries(name, input ? [input] : []);
  return reading ?? { state: "loading" };
}

/** Repeats the matching queries on the screen, and drops the others from the cache. Resolves when all are complete. */
export async function refreshQueries(
  matches: (name: OperationName, params: Readonly<Record<string, string>>) => boolean,
): Promise<void> {
  const matching = [...cache].filter(([, { name, params }]) => matches(name, params));
  for (const [key, { watchers }] of matching) if (watchers.size === 0) cache.delete(key);
  await Promise.all(
    matching
      .map(([, query]) => query)
      .filter(({ watchers }) => watchers.size > 0)
      .map(refreshQuery),
  );
}

/** Repeats all queries on the screen. Resolves when all are complete. */
export function refreshAllQueries(): Promise<void> {
  return refreshQueries(() => true);
}

/** The items of a list that are loaded so far. */
export interface ListQuery<Item> {
  readonly reading: QueryState<readonly Item[]>;
  /** The number of all items, including those that are not loaded. */
  readonly count: number | undefined;
  /** Loads more items. Undefined if there are no more, or they are loading. */
  readonly more: (() => void) | undefined;
}

const PAGE_SIZE = 50;

/** Returns a list that is loaded page by page, from its beginning. */
export function useList<Name extends ListOperationName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): ListQuery<ClientListItem<Name>> {
  /** The cursors of the pages after the first. */
  const [starts, setStarts] = useState<readonly string[]>([]);
  const query = JSON.stringify([name, input]);
  useEffect(() => setStarts([]), [query]);
  const pageInputs: ClientInput<Name>[] = [];
  if (input)
    for (const page of [undefined, ...starts]) {
      const { query: options = {} } = input as { query?: object };
      const pageQuery = { ...options, limit: PAGE_SIZE, ...omitUndefined({ page }) };
      pageInputs.push({ ...(input as object), query: pageQuery } as never);
    }
  const pages = useQueries(name, pageInputs) as readonly QueryState<Envelope<ClientListItem<Name>>>[];
  const loadedPages = pages.flatMap((page) => (page.state === "loaded" ? [page.value] : []));
  const [first] = pages;
  if (first?.state !== "loaded") return { reading: first ?? { state: "loading" }, count: undefined, more: undefined };
  const next = loadedPages.length === pages.length ? loadedPages.at(-1)?.next?.page : undefined;
  return {
    reading: { state: "loaded", value: loadedPages.flatMap(({ items }) => items) },
    count: first.value.count,
    more: next === undefined ? undefined : () => setStarts([...starts, next]),
  };
}
