// What components show of the API. Equal questions are asked once. After something was written, and when the server tells of
// a change, everything that is on the screen is asked for again with its ETag, which costs little while it is the same.

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

/** What is known of an answer. An answer that was had stays shown while it is asked for again. */
export type Reading<Value> =
  | { readonly state: "waiting" }
  | { readonly state: "had"; readonly value: Value }
  | { readonly state: "failed"; readonly error: CallError };

interface Kept {
  readonly name: OperationName;
  readonly params: Readonly<Record<string, string>>;
  reading: Reading<unknown>;
  etag: string | undefined;
  /** The question that is under way. */
  asking: Promise<void> | undefined;
  /** Whether it is to be asked again when that one is answered. */
  isStale: boolean;
  readonly watchers: Set<() => void>;
  readonly ask: (etag: string | undefined) => Promise<Answered>;
}

interface Answered {
  readonly reading: Reading<unknown> | undefined;
  readonly etag: string | undefined;
}

const MOST_UNWATCHED = 100;
const kept = new Map<string, Kept>();

function keptFor<Name extends OperationName>(name: Name, input: ClientInput<Name>): Kept {
  const key = JSON.stringify([name, input]);
  const known = kept.get(key);
  if (known) {
    // The newest stand last.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const { params = {} } = input as { params?: Record<string, string> };
  const made: Kept = {
    name,
    params,
    reading: { state: "waiting" },
    etag: undefined,
    asking: undefined,
    isStale: false,
    watchers: new Set(),
    async ask(etag) {
      const result = await call(name, input, etag === undefined ? {} : { etag });
      if (!result.ok) return { reading: { state: "failed", error: result.error }, etag: undefined };
      if ((result.status as number) === 304) return { reading: undefined, etag };
      return { reading: { state: "had", value: result.value }, etag: result.etag };
    },
  };
  kept.set(key, made);
  forgetOldest();
  return made;
}

function forgetOldest(): void {
  const unwatched = [...kept].filter(([, { watchers }]) => watchers.size === 0);
  for (const [key] of unwatched.slice(0, Math.max(0, unwatched.length - MOST_UNWATCHED))) kept.delete(key);
}

function refresh(it: Kept): Promise<void> {
  if (it.asking !== undefined) {
    it.isStale = true;
    return it.asking;
  }
  it.asking = it.ask(it.etag).then(({ reading, etag }) => {
    it.asking = undefined;
    if (reading && !(reading.state === "failed" && it.reading.state === "had" && isPassing(reading.error))) {
      it.reading = reading;
      it.etag = etag;
      for (const watcher of [...it.watchers]) watcher();
    }
    if (!it.isStale) return undefined;
    it.isStale = false;
    return refresh(it);
  });
  return it.asking;
}

/** What goes by takes nothing from the screen: a lost connection, an ended session, a server that is busy or broken. */
function isPassing({ reason, status }: CallError): boolean {
  return reason === "network" || status === 401 || status === 429 || (status ?? 0) >= 500;
}

/** The answers of an operation that only reads, one for each input. */
export function useReads<Name extends OperationName>(
  name: Name,
  inputs: readonly ClientInput<Name>[],
): readonly Reading<ClientOutput<Name>>[] {
  const [, draw] = useState({});
  const drawn = inputs.map((input) => keptFor(name, input).reading);
  useEffect(() => {
    const watched = inputs.map((input) => keptFor(name, input));
    const watcher = () => draw({});
    for (const it of watched) {
      it.watchers.add(watcher);
      void refresh(it);
    }
    // An answer may have come after the drawing and before the watching.
    if (watched.some(({ reading }, i) => reading !== drawn[i])) draw({});
    return () => {
      for (const it of watched) it.watchers.delete(watcher);
    };
  }, [JSON.stringify([name, inputs])]);
  return drawn as readonly Reading<ClientOutput<Name>>[];
}

/** The answer of an operation that only reads. Without an input nothing is asked. */
export function useRead<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): Reading<ClientOutput<Name>> {
  const [reading] = useReads(name, input ? [input] : []);
  return reading ?? { state: "waiting" };
}

/** Asks again for what is on the screen. What is only kept is forgotten instead. Resolves when all of it is there. */
export async function refreshWhere(
  isMeant: (name: OperationName, params: Readonly<Record<string, string>>) => boolean,
): Promise<void> {
  const meant = [...kept].filter(([, { name, params }]) => isMeant(name, params));
  for (const [key, { watchers }] of meant) if (watchers.size === 0) kept.delete(key);
  await Promise.all(
    meant
      .map(([, it]) => it)
      .filter(({ watchers }) => watchers.size > 0)
      .map(refresh),
  );
}

/** Asks again for everything that is on the screen. Resolves when all of it is there. */
export function refreshAll(): Promise<void> {
  return refreshWhere(() => true);
}

/** A list as far as it was asked for. */
export interface ReadingList<Item> {
  readonly reading: Reading<readonly Item[]>;
  /** How many there are in all. */
  readonly count: number | undefined;
  /** Asks for more; undefined: there is no more, or it is under way. */
  readonly more: (() => void) | undefined;
}

const STEP = 50;

/** A list, from its start on. */
export function useList<Name extends ListOperationName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): ReadingList<ClientListItem<Name>> {
  /** Where the parts after the first begin. */
  const [starts, setStarts] = useState<readonly string[]>([]);
  const whole = JSON.stringify([name, input]);
  useEffect(() => setStarts([]), [whole]);
  const asked = input ? [undefined, ...starts].map((page) => partOf(input, page)) : [];
  const parts = useReads(name, asked) as readonly Reading<Envelope<ClientListItem<Name>>>[];
  const had = parts.flatMap((part) => (part.state === "had" ? [part.value] : []));
  const [first] = parts;
  if (first?.state !== "had") return { reading: first ?? { state: "waiting" }, count: undefined, more: undefined };
  const next = had.length === parts.length ? had.at(-1)?.next?.page : undefined;
  return {
    reading: { state: "had", value: had.flatMap(({ items }) => items) },
    count: first.value.count,
    more: next === undefined ? undefined : () => setStarts([...starts, next]),
  };
}

function partOf<Name extends OperationName>(input: ClientInput<Name>, page: string | undefined): ClientInput<Name> {
  const { query = {} } = input as { query?: object };
  return { ...(input as object), query: { ...query, limit: STEP, ...omitUndefined({ page }) } } as never;
}
