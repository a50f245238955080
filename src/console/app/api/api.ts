// The API as components use it: queries, mutations and the actions that run them, as the signed-in user. Equal queries share one
// request and one cache entry. After a mutation, and when the server reports a change, all queries on the screen are repeated with
// their ETags, which is cheap while nothing has changed.

import { useEffect, useState } from "preact/hooks";
import {
  type CallError,
  type CallOptions,
  type Client,
  type ClientInput,
  type ClientListItem,
  type ClientOutput,
  createClient,
  type Envelope,
  type ListOperationName,
  type OperationName,
  type Result,
} from "../../../client";
import { findLanguage } from "../../../locales/languages";
import { omitUndefined } from "../../../utils/objects";

// The configuration that the server writes into the page of the application.
const root = document.getElementById("console")!;
const { api = "", signIn = "/sign-in", language, nonce = "" } = root.dataset;

export const pageConfig = { root, api, signIn, language: findLanguage(language) ?? "en", nonce } as const;

export interface ValueStore<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls `watcher` after every change. Returns a function that unsubscribes it. */
  readonly watch: (watcher: () => void) => () => void;
}

export function createStore<Value>(first: Value): ValueStore<Value> {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const watcher of [...watchers]) watcher();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/** Returns the value of a store, and renders the component again when it changes. */
export function useStore<Value>(store: ValueStore<Value>): Value {
  const [, draw] = useState({});
  useEffect(() => store.watch(() => draw({})), [store]);
  return store.get();
}

const client: Client = createClient({ url: `${location.origin}${pageConfig.api}` });

/** The state of the connection after the last call. `signed-out` means that the server did not recognize the session. */
export type ConnectionState = "good" | "lost" | "signed-out";

export const connectionStore = createStore<ConnectionState>("good");

/** Calls an operation. A failure is returned as a value. */
export async function call<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
  options: CallOptions = {},
): Promise<Result<ClientOutput<Name>>> {
  const result = (await client.call(name, input, options as { etag?: never })) as Result<ClientOutput<Name>>;
  if (result.ok) connectionStore.set("good");
  else if (result.error.reason === "network") connectionStore.set("lost");
  else if (result.status === 401) connectionStore.set("signed-out");
  return result;
}

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

/** Calls an operation that writes, and refreshes the screen. Throws a `CallError` on failure. */
export async function runMutation<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
  etag?: string,
): Promise<ClientOutput<Name>> {
  const result = await call(name, input, etag === undefined ? {} : { etag });
  if (!result.ok) throw result.error;
  void refreshAllQueries();
  return result.value;
}

export interface Action<Given extends unknown[]> {
  readonly run: (...given: Given) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: CallError | undefined;
  readonly forget: () => void;
}

/** Returns an action that a user starts. `run` resolves to true if it succeeded. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>): Action<Given> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  return {
    isBusy,
    error,
    forget: () => setError(undefined),
    async run(...given) {
      setBusy(true);
      setError(undefined);
      try {
        await act(...given);
        return true;
      } catch (thrown) {
        if (!(thrown instanceof Error && "reason" in thrown)) throw thrown;
        const callError = thrown as CallError;
        setError(callError);
        // The screen offered an action that is no longer possible, so it is outdated.
        if (callError.status === 403 || callError.status === 404) void refreshAllQueries();
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
