// A downloaded file in chunks. The first ones stay in memory. Further ones are spilled, if the caller can, so that a large archive
// takes little memory.

import { LRUCache } from "lru-cache";
import { concatBytes } from "../../utils/bytes";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { SpillBytes } from "../imported-book";
import type { RangedRead } from "./ranged-read";

const CHUNK_BYTES = 512 * 1024;
/** The number of chunks in memory: the first ones, and as many again of those that were read last. */
const MAX_CHUNKS_IN_MEMORY = 32;

type Chunk = Uint8Array | (() => Promise<Uint8Array>);

export class ChunkedFile {
  /** All chunks but the last one, which have the same size. */
  readonly #chunks: Chunk[] = [];
  readonly #cache = new LRUCache<number, Uint8Array>({ max: MAX_CHUNKS_IN_MEMORY });
  #lastChunk = new Uint8Array(CHUNK_BYTES);
  #lastChunkSize = 0;

  /** `spillBytes` stores chunks outside of memory. Default: everything stays in memory. */
  constructor(readonly spillBytes?: SpillBytes | undefined) {}

  get size(): number {
    return this.#chunks.length * CHUNK_BYTES + this.#lastChunkSize;
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; ) {
      const part = bytes.subarray(start, start + CHUNK_BYTES - this.#lastChunkSize);
      this.#lastChunk.set(part, this.#lastChunkSize);
      this.#lastChunkSize += part.length;
      start += part.length;
      if (this.#lastChunkSize < CHUNK_BYTES) continue;

      const chunk = this.#lastChunk;
      const staysInMemory = !this.spillBytes || this.#chunks.length < MAX_CHUNKS_IN_MEMORY;
      this.#chunks.push(staysInMemory ? chunk : await this.spillBytes(chunk));
      this.#lastChunk = new Uint8Array(CHUNK_BYTES);
      this.#lastChunkSize = 0;
    }
  }

  /** Runs a read on the file, and yields to the event loop in between. */
  async read<Result>(read: RangedRead<Result>): Promise<Result> {
    let bytes: Uint8Array = new Uint8Array();
    for (;;) {
      const { done, value } = read.next(bytes);
      if (done) return value;
      if (value) bytes = await this.#readRange(value.from, value.to);
      else await yieldToEventLoop();
    }
  }

  async #readRange(from: number, to: number): Promise<Uint8Array> {
    const end = Math.min(to, this.size);
    const parts: Uint8Array[] = [];
    for (let offset = from; offset < end; ) {
      const [index, start] = [Math.floor(offset / CHUNK_BYTES), offset % CHUNK_BYTES];
      const chunk = await this.#readChunk(index);
      const part = chunk.subarray(start, Math.min(CHUNK_BYTES, start + end - offset));
      parts.push(part);
      offset += part.length;
    }
    return parts.length === 1 ? parts[0]! : concatBytes(parts);
  }

  async #readChunk(index: number): Promise<Uint8Array> {
    const chunk = this.#chunks[index] ?? this.#lastChunk;
    if (chunk instanceof Uint8Array) return chunk;
    const cached = this.#cache.get(index);
    if (cached) return cached;
    const bytes = await chunk();
    this.#cache.set(index, bytes);
    return bytes;
  }
}
