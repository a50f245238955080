// Reads segments and caches parsed blocks and indexes, in one cache for all partitions with a limit in bytes. Segments never change, so
// the cache is never stale. Small segments are read as a whole, large ones block by block.

import { LRUCache } from "lru-cache";
import { Corrupt, type Key, type KeySpan } from "../adapter";
import type { SegmentRef } from "./head";
import type { Item } from "./item";
import type { Requests } from "./requests";
import { findFirstIndex, parseBlock, parseIndex, type SegmentIndex } from "./segment";

/** The maximum size of a segment that is read with one request, in bytes. */
const MAX_WHOLE_READ_BYTES = 1024 * 1024;

/** The maximum number of blocks that are read with one request. */
const MAX_BLOCKS_PER_READ = 16;

/** The maximum number of unneeded blocks that are read between two needed ones, because a request takes as long as ten blocks. */
const MAX_UNNEEDED_BLOCKS = 2;

/** The maximum number of concurrent requests of a lookup. */
const MAX_CONCURRENT_READS = 16;

/** The maximum number of blocks that a lookup caches. With more, none is cached: they would evict all others, and each other. */
const MAX_CACHED_LOOKUP_BLOCKS = 256;

/** A segment does not exist. The head determines whether it is damage or the snapshot is too old. */
export class MissingSegment extends Error {
  readonly segment: string;
  constructor(segment: string) {
    super(`The segment ${segment} is missing.`);
    this.segment = segment;
  }
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

  getPartition(partition: string): PartitionSegments {
    return new PartitionSegments(this, this.#requests, partition);
  }

  getCached<T extends SegmentIndex | CachedBlock>(name: string): T | undefined {
    return this.#cache.get(name) as T | undefined;
  }

  cache(name: string, value: SegmentIndex | CachedBlock, size: number): void {
    this.#cache.set(name, value, { size: size + 1 });
  }

  /** Loads something once for all concurrent callers. */
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

  async find(ref: SegmentRef, keys: readonly Key[]): Promise<Item[]> {
    const index = await this.#loadIndex(ref);
    const keysByBlock = new Map<number, Key[]>();
    for (const key of keys) {
      const block =
        key > index.last ? -1 : findFirstIndex(index.blocks.length, (i) => index.blocks[i]!.first > key) - 1;
      if (block < 0) continue;
      const others = keysByBlock.get(block);
      if (others) others.push(key);
      else keysByBlock.set(block, [key]);
    }
    const found: Item[] = [];
    // Each span is read with one request.
    const spans: { from: number; to: number }[] = [];
    for (const block of [...keysByBlock.keys()].sort((a, b) => a - b)) {
      const last = spans.at(-1);
      if (last && block - last.to <= MAX_UNNEEDED_BLOCKS && block < last.from + MAX_BLOCKS_PER_READ)
        last.to = block + 1;
      else spans.push({ from: block, to: block + 1 });
    }
    const keep = keysByBlock.size <= MAX_CACHED_LOOKUP_BLOCKS;
    const read = async () => {
      for (let span = spans.pop(); span; span = spans.pop()) {
        const { from, to } = span;
        const blocks = await this.#loadBlocks(ref, index, from, to, keep);
        for (const [i, block] of blocks.entries())
          for (const key of keysByBlock.get(from + i) ?? []) {
            const item = block[findFirstIndex(block.length, (at) => block[at]!.key >= key)];
            if (item?.key === key) found.push(keep ? item : item.detach());
          }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_READS, spans.length) }, read));
    return found;
  }

  async loadIndexes(refs: readonly SegmentRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.#loadIndex(ref)));
  }

  /** Yields the items of a span in pieces, in order or in reverse. Without `keep`, the blocks that it reads are not cached. */
  async *scan(ref: SegmentRef, span: KeySpan, reverse: boolean, keep = true): AsyncGenerator<readonly Item[]> {
    const index = await this.#loadIndex(ref);
    const refs = index.blocks;
    let from = Math.max(0, findFirstIndex(refs.length, (i) => refs[i]!.first > span.from) - 1);
    let to = span.to === undefined ? refs.length : findFirstIndex(refs.length, (i) => refs[i]!.first >= span.to!);
    for (let ahead = keep ? 1 : MAX_BLOCKS_PER_READ; from < to; ahead = Math.min(MAX_BLOCKS_PER_READ, ahead * 2)) {
      const count = Math.min(ahead, to - from);
      const read = reverse ? to - count : from;
      const blocks = await this.#loadBlocks(ref, index, read, read + count, keep);
      const items = blocks.length === 1 ? blocks[0]! : blocks.flat();
      const first = findFirstIndex(items.length, (i) => items[i]!.key >= span.from);
      const end = span.to === undefined ? items.length : findFirstIndex(items.length, (i) => items[i]!.key >= span.to!);
      const found = items.slice(first, end);
      if (reverse) to -= count;
      else from += count;
      if (found.length > 0) yield reverse ? found.reverse() : found;
    }
  }

  async #loadIndex(ref: SegmentRef): Promise<SegmentIndex> {
    const object = this.#getObjectName(ref);
    const cached = this.#segments.getCached<SegmentIndex>(object);
    if (cached) return cached;
    if (ref.bytes <= MAX_WHOLE_READ_BYTES) return (await this.#loadWhole(ref)).index;
    return this.#segments.loadOnce(object, async () => {
      const bytes = await this.#read(ref, ref.indexAt, ref.bytes);
      const index = parseIndex(object, ref, bytes);
      this.#segments.cache(object, index, bytes.length * 2);
      return index;
    });
  }

  async #loadBlocks(
    ref: SegmentRef,
    index: SegmentIndex,
    from: number,
    to: number,
    keep = true,
  ): Promise<(readonly Item[])[]> {
    const object = this.#getObjectName(ref);
    const found: (readonly Item[] | undefined)[] = [];
    for (let i = from; i < to; i++) found.push(this.#segments.getCached<CachedBlock>(`${object} ${i}`)?.items);
    const first = found.indexOf(undefined);
    if (first < 0) return found as (readonly Item[])[];
    if (ref.bytes <= MAX_WHOLE_READ_BYTES) return (await this.#loadWhole(ref)).blocks.slice(from, to);
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

  #loadWhole(ref: SegmentRef): Promise<{ index: SegmentIndex; blocks: (readonly Item[])[] }> {
    const object = this.#getObjectName(ref);
    return this.#segments.loadOnce(`${object} whole`, async () => {
      const bytes = await this.#read(ref, 0, ref.bytes);
      const index = parseIndex(object, ref, bytes.subarray(ref.indexAt));
      this.#segments.cache(object, index, (ref.bytes - ref.indexAt) * 2);
      return { index, blocks: this.#parse(object, index, { start: 0, end: index.blocks.length }, bytes, 0, true) };
    });
  }

  /** Parses the blocks from `start` to `end` out of bytes that start at `offset`. */
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
    const object = this.#getObjectName(ref);
    const range = start === 0 && end === ref.bytes ? undefined : { start, end };
    const got = await this.#requests.sendWithRetries(() => this.#requests.objects.get(object, { range }));
    if (got.outcome !== "found") throw new MissingSegment(ref.name);
    if (got.bytes.length !== end - start)
      throw new Corrupt(`${object} is damaged: ${got.bytes.length} bytes came where ${end - start} were asked.`);
    return got.bytes;
  }

  #getObjectName(ref: SegmentRef): string {
    return this.#requests.getSegmentName(this.#partition, ref.name);
  }
}
