// Reads segments, and keeps what was read: parsed blocks and indexes in one cache for all partitions, sized in bytes.
// Segments never change, so the cache is never wrong. Small ones are read whole, large ones block by block.

import { LRUCache } from "lru-cache";
import { Corrupt, type Key, type KeySpan } from "../adapter";
import type { SegmentRef } from "./head";
import type { Item } from "./item";
import type { Requests } from "./requests";
import { findBlock, findFirstIndex, findItem, parseBlock, parseIndex, type SegmentIndex } from "./segment";

/** Up to this size a segment is read with one request, in bytes. */
const MAX_WHOLE_READ_BYTES = 1024 * 1024;

/** The most blocks that are read with one request. */
const MAX_BLOCKS_PER_READ = 16;

/** So many blocks that nobody asked for are read between two that are needed, because a request takes as much as ten of them. */
const MAX_UNNEEDED_BLOCKS = 2;

/** The most requests of a lookup that are under way. */
const MAX_CONCURRENT_READS = 16;

/** A lookup in more blocks keeps none of them: it would push out all others, and itself. */
const MAX_CACHED_LOOKUP_BLOCKS = 256;

/** A segment is not there. Whether that is damage or age only the head can tell. */
export class MissingSegment extends Error {
  readonly segment: string;
  constructor(segment: string) {
    super(`The segment ${segment} is missing.`);
    this.segment = segment;
  }
}

/** Blocks from one number up to another. */
interface BlockSpan {
  readonly from: number;
  readonly to: number;
}

/** Stretches with all of some blocks, each for one request. */
function groupBlocks(blocks: readonly number[]): BlockSpan[] {
  const stretches: { from: number; to: number }[] = [];
  for (const at of blocks.toSorted((a, b) => a - b)) {
    const last = stretches.at(-1);
    if (last && at - last.to <= MAX_UNNEEDED_BLOCKS && at < last.from + MAX_BLOCKS_PER_READ) last.to = at + 1;
    else stretches.push({ from: at, to: at + 1 });
  }
  return stretches;
}

interface CachedBlock {
  readonly items: readonly Item[];
}

export class Segments {
  readonly #requests: Requests;
  readonly #cache: LRUCache<string, SegmentIndex | CachedBlock>;
  readonly #loading = new Map<string, Promise<unknown>>();

  constructor(requests: Requests, cacheBytes: number) {
    this.#requests = requests;
    this.#cache = new LRUCache({ maxSize: Math.max(1, cacheBytes) });
  }

  /** The segments of one partition. */
  getPartition(partition: string): PartitionSegments {
    return new PartitionSegments(this, this.#requests, partition);
  }

  getCached<T extends SegmentIndex | CachedBlock>(name: string): T | undefined {
    return this.#cache.get(name) as T | undefined;
  }

  cache(name: string, value: SegmentIndex | CachedBlock, size: number): void {
    this.#cache.set(name, value, { size: size + 1 });
  }

  /** Loads something once for all who ask at the same time. */
  loadOnce<T>(name: string, load: () => Promise<T>): Promise<T> {
    const loading =
      this.#loading.get(name) ??
      load().finally(() => {
        this.#loading.delete(name);
      });
    this.#loading.set(name, loading);
    return loading as Promise<T>;
  }
}

export class PartitionSegments {
  readonly #segments: Segments;
  readonly #requests: Requests;
  readonly #partition: string;

  constructor(segments: Segments, requests: Requests, partition: string) {
    this.#segments = segments;
    this.#requests = requests;
    this.#partition = partition;
  }

  /** The items of keys, as far as the segment has them. */
  async find(ref: SegmentRef, keys: readonly Key[]): Promise<Item[]> {
    const index = await this.#index(ref);
    const wanted = new Map<number, Key[]>();
    for (const key of keys) {
      const at = findBlock(index, key);
      if (at < 0) continue;
      const others = wanted.get(at);
      if (others) others.push(key);
      else wanted.set(at, [key]);
    }
    const found: Item[] = [];
    const stretches = groupBlocks([...wanted.keys()]);
    const keep = wanted.size <= MAX_CACHED_LOOKUP_BLOCKS;
    const read = async () => {
      for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
        const { from, to } = stretch;
        const blocks = await this.#blocks(ref, index, from, to, keep);
        for (const [i, block] of blocks.entries())
          for (const key of wanted.get(from + i) ?? []) {
            const item = findItem(block, key);
            if (item) found.push(keep ? item : item.detach());
          }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_READS, stretches.length) }, read));
    return found;
  }

  /** Reads the indexes of segments that are not known yet, all at once. */
  async loadIndexes(refs: readonly SegmentRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.#index(ref)));
  }

  /** The items of a span, in order or against it, in pieces. Without `keep`, what is read for it is not cached. */
  async *scan(ref: SegmentRef, span: KeySpan, reverse: boolean, keep = true): AsyncGenerator<readonly Item[]> {
    const index = await this.#index(ref);
    const refs = index.blocks;
    let from = Math.max(0, findFirstIndex(refs.length, (i) => refs[i]!.first > span.from) - 1);
    let to = span.to === undefined ? refs.length : findFirstIndex(refs.length, (i) => refs[i]!.first >= span.to!);
    for (let ahead = keep ? 1 : MAX_BLOCKS_PER_READ; from < to; ahead = Math.min(MAX_BLOCKS_PER_READ, ahead * 2)) {
      const count = Math.min(ahead, to - from);
      const read = reverse ? to - count : from;
      const blocks = await this.#blocks(ref, index, read, read + count, keep);
      const items = blocks.length === 1 ? blocks[0]! : blocks.flat();
      const first = findFirstIndex(items.length, (i) => items[i]!.key >= span.from);
      const end = span.to === undefined ? items.length : findFirstIndex(items.length, (i) => items[i]!.key >= span.to!);
      const found = items.slice(first, end);
      if (reverse) to -= count;
      else from += count;
      if (found.length > 0) yield reverse ? found.reverse() : found;
    }
  }

  async #index(ref: SegmentRef): Promise<SegmentIndex> {
    const object = this.#object(ref);
    const known = this.#segments.getCached<SegmentIndex>(object);
    if (known) return known;
    if (ref.bytes <= MAX_WHOLE_READ_BYTES) return (await this.#whole(ref)).index;
    return this.#segments.loadOnce(object, async () => {
      const bytes = await this.#read(ref, ref.indexAt, ref.bytes);
      const index = parseIndex(object, ref, bytes);
      this.#segments.cache(object, index, bytes.length * 2);
      return index;
    });
  }

  async #blocks(
    ref: SegmentRef,
    index: SegmentIndex,
    from: number,
    to: number,
    keep = true,
  ): Promise<(readonly Item[])[]> {
    const object = this.#object(ref);
    const found: (readonly Item[] | undefined)[] = [];
    for (let i = from; i < to; i++) found.push(this.#segments.getCached<CachedBlock>(`${object} ${i}`)?.items);
    const first = found.indexOf(undefined);
    if (first < 0) return found as (readonly Item[])[];
    if (ref.bytes <= MAX_WHOLE_READ_BYTES) return (await this.#whole(ref)).blocks.slice(from, to);
    const start = from + first;
    const end = from + found.lastIndexOf(undefined) + 1;
    const read = await this.#segments.loadOnce(`${object} ${start} ${end}`, async () => {
      const at = index.blocks[start]!.at;
      const last = index.blocks[end - 1]!;
      const bytes = await this.#read(ref, at, last.at + last.bytes);
      return this.#parse(object, index, { start, end }, bytes, at, keep);
    });
    return found.map((items, i) => items ?? read[from + i - start]!);
  }

  #whole(ref: SegmentRef): Promise<{ index: SegmentIndex; blocks: (readonly Item[])[] }> {
    const object = this.#object(ref);
    return this.#segments.loadOnce(`${object} whole`, async () => {
      const bytes = await this.#read(ref, 0, ref.bytes);
      const index = parseIndex(object, ref, bytes.subarray(ref.indexAt));
      this.#segments.cache(object, index, (ref.bytes - ref.indexAt) * 2);
      return { index, blocks: this.#parse(object, index, { start: 0, end: index.blocks.length }, bytes, 0, true) };
    });
  }

  /** The blocks from `start` to `end`, out of bytes that begin at `offset`. */
  #parse(
    object: string,
    index: SegmentIndex,
    { start, end }: { start: number; end: number },
    bytes: Uint8Array,
    offset: number,
    keep: boolean,
  ): Item[][] {
    return index.blocks.slice(start, end).map((ref, i) => {
      const items = parseBlock(object, ref, bytes.subarray(ref.at - offset, ref.at - offset + ref.bytes));
      if (!keep) return items;
      const weight = items.reduce((sum, item) => sum + item.weight, 0);
      this.#segments.cache(`${object} ${start + i}`, { items }, weight);
      return items;
    });
  }

  async #read(ref: SegmentRef, start: number, end: number): Promise<Uint8Array> {
    const object = this.#object(ref);
    const range = start === 0 && end === ref.bytes ? undefined : { start, end };
    const got = await this.#requests.sendWithRetries(() => this.#requests.objects.get(object, { range }));
    if (got.outcome !== "found") throw new MissingSegment(ref.name);
    if (got.bytes.length !== end - start)
      throw new Corrupt(`${object} is damaged: ${got.bytes.length} bytes came where ${end - start} were asked.`);
    return got.bytes;
  }

  #object(ref: SegmentRef): string {
    return this.#requests.getSegmentName(this.#partition, ref.name);
  }
}
