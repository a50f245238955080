// A snapshot of a partition at one head: the recent keys of the head on top of its segments, newest first. Nothing that it reads ever
// changes. It can only become too old, when a compaction has replaced its segments and they were swept.

import { type Entry, getKeySpan, type Key, type KeySpan, type Range, type Snapshot, type Version } from "../adapter";
import type { HeadState, RecentKeys } from "./head";
import type { Item } from "./item";
import type { Requests } from "./requests";
import { MissingSegment, type PartitionSegments } from "./segments";

/** The number of recent items that a merge takes at once. */
const RECENT_PAGE_SIZE = 64;

export class View implements Snapshot {
  readonly version: Version;
  readonly #state: HeadState;
  readonly #segments: PartitionSegments;
  readonly #requests: Requests;
  readonly #explain: (missing: MissingSegment) => Promise<Error>;

  /** `explain` returns the error for a missing segment. */
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
    const items = await this.#runExplained(() => readItems(this.#state, this.#segments, keys));
    return keys.map((key) => items.get(key)?.entry);
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#requests.assertOpen();
    const span = getKeySpan(range);
    const reverse = range.reverse ?? false;
    const found: Entry[] = [];
    if (range.limit <= 0 || (span.to !== undefined && span.from >= span.to)) return found;
    await this.#runExplained(async () => {
      const { recent, head } = this.#state;
      const sources = head.segments.map((ref) => this.#segments.scan(ref, span, reverse));
      for await (const item of mergeItems([listRecentItems(recent, span, reverse), ...sources], reverse)) {
        const entry = item.entry;
        if (entry && found.push(entry) >= range.limit) break;
      }
    });
    return found;
  }

  async #runExplained<T>(read: () => Promise<T>): Promise<T> {
    return this.#requests.runWithTimeout(async () => {
      try {
        return await read();
      } catch (error) {
        throw error instanceof MissingSegment ? await this.#explain(error) : error;
      }
    });
  }
}

/** Returns the latest items of keys. Keys that were never written are not included. */
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
    // A key that is not in the newest segment may be in any other one, so their indexes are loaded together.
    if (i === 1) await segments.loadIndexes(state.head.segments.slice(1));
    for (const item of await segments.find(ref, [...missing])) {
      found.set(item.key, item);
      missing.delete(item.key);
    }
  }
  return found;
}

/** Merges the items of sources in order. If several sources contain a key, the item of the first one is yielded. */
export async function* mergeItems(
  sources: readonly AsyncGenerator<readonly Item[]>[],
  reverse: boolean,
): AsyncGenerator<Item> {
  const all = await Promise.all(sources.map(async (rest) => ({ rest, items: await readNextPiece(rest), index: 0 })));
  let open = all.filter(({ items }) => items.length > 0);
  try {
    for (;;) {
      let first: Item | undefined;
      for (const { items, index } of open) {
        const item = items[index]!;
        if (!first || (reverse ? item.key > first.key : item.key < first.key)) first = item;
      }
      if (!first) return;
      yield first;
      for (const source of open) {
        if (source.items[source.index]!.key !== first.key || ++source.index < source.items.length) continue;
        source.items = await readNextPiece(source.rest);
        source.index = 0;
        if (source.items.length === 0) open = open.filter((other) => other !== source);
      }
    }
  } finally {
    for (const { rest } of open) await rest.return(undefined);
  }
}

/** Returns the next piece of a source, which is empty at its end. */
async function readNextPiece(rest: AsyncGenerator<readonly Item[]>): Promise<readonly Item[]> {
  const { value, done } = await rest.next();
  return done ? [] : value;
}

/** Yields the recent items of a span in pieces. */
export async function* listRecentItems(
  recent: RecentKeys,
  { from, to }: KeySpan,
  reverse: boolean,
): AsyncGenerator<readonly Item[]> {
  let items: Item[] = [];
  for (const [key, item] of reverse ? recent.entriesReversed(to, [], true) : recent.entries(from, [])) {
    if (reverse ? key < from : to !== undefined && key >= to) break;
    if (items.push(item) < RECENT_PAGE_SIZE) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}
