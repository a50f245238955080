// A partition at one head, as a snapshot: the recent keys of the head over its segments, the newest first. Nothing that
// it reads ever changes; it can only grow too old, when a compaction has replaced its segments and they were swept.

import { bounds, type Entry, type Key, type KeySpan, type Range, type Snapshot, type Version } from "../adapter";
import type { HeadState, RecentKeys } from "./head";
import type { Item } from "./item";
import type { Requests } from "./requests";
import { MissingSegment, type PartitionSegments } from "./segments";

/** How many recent keys a merge takes at once. */
const STRETCH = 64;

export class View implements Snapshot {
  readonly version: Version;
  readonly #state: HeadState;
  readonly #segments: PartitionSegments;
  readonly #requests: Requests;
  readonly #explain: (missing: MissingSegment) => Promise<Error>;

  /** `explain` tells why a segment is missing. */
  constructor(
    state: HeadState,
    segments: PartitionSegments,
    requests: Requests,
    explain: (missing: MissingSegment) => Promise<Error>,
  ) {
    this.version = state.head.version;
    this.#state = state;
    this.#segments = segments;
    this.#requests = requests;
    this.#explain = explain;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#requests.assertOpen();
    const items = await this.#explained(() => readItems(this.#state, this.#segments, keys));
    return keys.map((key) => items.get(key)?.entry);
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#requests.assertOpen();
    const span = bounds(range);
    const reverse = range.reverse ?? false;
    const found: Entry[] = [];
    if (range.limit <= 0 || (span.to !== undefined && span.from >= span.to)) return found;
    await this.#explained(async () => {
      const { recent, head } = this.#state;
      const sources = head.segments.map((ref) => this.#segments.scan(ref, span, reverse));
      for await (const item of mergeItems([listRecentItems(recent, span, reverse), ...sources], reverse)) {
        const entry = item.entry;
        if (entry && found.push(entry) >= range.limit) break;
      }
    });
    return found;
  }

  async #explained<T>(read: () => Promise<T>): Promise<T> {
    return this.#requests.runWithTimeout(async () => {
      try {
        return await read();
      } catch (error) {
        throw error instanceof MissingSegment ? await this.#explain(error) : error;
      }
    });
  }
}

/** The newest items of keys: one that was never written is not among them. */
export async function readItems(
  state: HeadState,
  segments: PartitionSegments,
  keys: readonly Key[],
): Promise<ReadonlyMap<Key, Item>> {
  const found = new Map<Key, Item>();
  const missing = new Set<Key>();
  for (const key of keys) {
    const item = state.recent.get(key);
    if (item) found.set(key, item);
    else missing.add(key);
  }
  for (const [i, ref] of state.head.segments.entries()) {
    if (missing.size === 0) break;
    // What is not in the newest one may be in any: their indexes are worth one wait together, not one each.
    if (i === 1) await segments.loadIndexes(state.head.segments.slice(1));
    for (const item of await segments.find(ref, [...missing])) {
      found.set(item.key, item);
      missing.delete(item.key);
    }
  }
  return found;
}

/** The items of all sources in one order, each key once: as the first source has it that has it at all. */
export async function* mergeItems(
  sources: readonly AsyncGenerator<readonly Item[]>[],
  reverse: boolean,
): AsyncGenerator<Item> {
  const all = await Promise.all(sources.map(async (rest) => ({ rest, items: await next(rest), at: 0 })));
  let open = all.filter(({ items }) => items.length > 0);
  try {
    for (;;) {
      let first: Item | undefined;
      for (const { items, at } of open) {
        const item = items[at]!;
        if (!first || (reverse ? item.key > first.key : item.key < first.key)) first = item;
      }
      if (!first) return;
      yield first;
      for (const source of open) {
        if (source.items[source.at]!.key !== first.key || ++source.at < source.items.length) continue;
        source.items = await next(source.rest);
        source.at = 0;
        if (source.items.length === 0) open = open.filter((other) => other !== source);
      }
    }
  } finally {
    for (const { rest } of open) await rest.return(undefined);
  }
}

async function next(rest: AsyncGenerator<readonly Item[]>): Promise<readonly Item[]> {
  const { value, done } = await rest.next();
  return done ? [] : value;
}

/** The recent keys of a span, a stretch at a time. */
export async function* listRecentItems(
  recent: RecentKeys,
  { from, to }: KeySpan,
  reverse: boolean,
): AsyncGenerator<readonly Item[]> {
  let items: Item[] = [];
  for (const [key, item] of reverse ? recent.entriesReversed(to, [], true) : recent.entries(from, [])) {
    if (reverse ? key < from : to !== undefined && key >= to) break;
    if (items.push(item) < STRETCH) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}
