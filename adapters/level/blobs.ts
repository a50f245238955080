// Stores blobs as chunks. A name is marked as unfinished in the write of its first chunk, and the manifest replaces the mark in the write
// of the last one. A delete does the reverse. So a blob exists either completely or not at all, and the remains of a crash are found
// by their mark. Every write is synced: LevelDB may switch to another log file in between, and the sync of the last chunk would not
// cover the previous one.

import {
  type Blobs,
  Corrupt,
  checkBlobName,
  clampByteRange,
  createBlobExistsError,
  getPrefixEnd,
  splitIntoChunks,
  streamChunks,
  Unavailable,
} from "../adapter";
import type { Database, WriteOperation } from "./database";
import { appendCheck, computeChunkCheck, keys, MANIFESTS, stripCheck, UNFINISHED } from "./layout";

const CHUNK_BYTES = 256 * 1024;

interface BlobManifest {
  readonly size: number;
  readonly chunk: number;
  /** The check of each chunk; undefined for a blob of format 1. */
  readonly checks: readonly string[] | undefined;
}

export class LevelBlobs implements Blobs {
  readonly #database: Database;
  readonly #ensureWritable: () => Promise<void>;
  readonly #ensureReadable: () => Promise<void>;
  /** The names that are being written or deleted. */
  readonly #busy = new Set<string>();
  /** The number of interrupted uploads and deletes. The first one may have been interrupted before this process started. */
  #interrupted = 1;
  #swept = 0;

  /** `ensureWritable` waits until the database can be written to, `ensureReadable` until it can be read. */
  constructor(database: Database, ensureWritable: () => Promise<void>, ensureReadable: () => Promise<void>) {
    this.#database = database;
    this.#ensureWritable = ensureWritable;
    this.#ensureReadable = ensureReadable;
  }

  /** True if no remains of interrupted uploads and deletes are left. */
  get isSwept(): boolean {
    return this.#swept === this.#interrupted;
  }

  async put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    this.#database.assertOpen();
    checkBlobName(name);
    return this.#runExclusively(name, async () => {
      await this.#ensureWritable();
      const [manifest, unfinished] = await this.#database.read([keys.manifest(name), keys.unfinished(name)]);
      if (manifest !== undefined) throw createBlobExistsError(name);
      if (unfinished !== undefined) await this.#removeChunks(name);
      return this.#upload(name, bytes);
    });
  }

  async #upload(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    let size = 0;
    let written = 0;
    let pending: WriteOperation[] = [];
    const checks: string[] = [];
    try {
      for await (const chunk of splitIntoChunks(bytes, CHUNK_BYTES)) {
        this.#database.assertOpen();
        if (pending.length > 0) {
          const mark: WriteOperation[] = written === 0 ? [{ type: "put", key: keys.unfinished(name), value: "" }] : [];
          await this.#database.write([...mark, ...pending]);
          written++;
        }
        pending = [{ type: "put", key: keys.chunk(name, written), value: chunk, valueEncoding: "view" }];
        size += chunk.length;
        checks.push(computeChunkCheck(chunk));
      }
      this.#database.assertOpen();
    } catch (error) {
      // If this fails as well, the mark remains, and the next sweep deletes the chunks.
      if (written > 0) await this.#removeChunks(name).catch(() => {});
      throw error;
    }
    const manifest = JSON.stringify({ size, chunk: CHUNK_BYTES, checks: checks.join(" ") });
    await this.#database.write([
      ...pending,
      { type: "put", key: keys.manifest(name), value: appendCheck(keys.manifest(name), manifest) },
      { type: "del", key: keys.unfinished(name) },
    ]);
    return { size };
  }

  async get(name: string, range?: { readonly start?: number; readonly end?: number }) {
    this.#database.assertOpen();
    await this.#ensureReadable();
    const manifest = await this.#readManifest(name);
    if (!manifest) return undefined;
    const { size, chunk, checks } = manifest;
    const bounds = clampByteRange(size, range);
    const stream = streamChunks(bounds, async (offset) => {
      this.#database.assertOpen();
      const index = Math.floor(offset / chunk);
      const bytes = await this.#readChunk(name, index);
      if (checks && computeChunkCheck(bytes) !== checks[index])
        throw new Corrupt(`Chunk ${index} of the blob ${name} is damaged.`);
      // A copy, because a database in memory returns its own bytes.
      return new Uint8Array(bytes.subarray(offset % chunk, (offset % chunk) + bounds.end - offset));
    });
    return { size, stream };
  }

  async delete(name: string): Promise<void> {
    this.#database.assertOpen();
    await this.#ensureWritable();
    if (!(await this.#readManifest(name))) return;
    await this.#runExclusively(name, async () => {
      await this.#database.write([
        { type: "del", key: keys.manifest(name) },
        { type: "put", key: keys.unfinished(name), value: "" },
      ]);
      await this.#removeChunks(name);
    });
  }

  async *list(after = ""): AsyncGenerator<string> {
    this.#database.assertOpen();
    await this.#ensureReadable();
    yield* this.#database.listNames(MANIFESTS, after);
  }

  /** Deletes the remains of interrupted uploads and deletes. */
  async sweep(): Promise<void> {
    const interrupted = this.#interrupted;
    for await (const name of this.#database.listNames(UNFINISHED, ""))
      if (!this.#busy.has(name)) await this.#removeChunks(name);
    this.#swept = interrupted;
  }

  async #readManifest(name: string): Promise<BlobManifest | undefined> {
    const [text] = await this.#database.read([keys.manifest(name)]);
    if (text === undefined) return undefined;
    const manifest = stripCheck(keys.manifest(name), text) ?? "";
    const [, size, chunk, checks] =
      /^\{"size":(\d+),"chunk":([1-9]\d*)(?:,"checks":"([\da-z ]*)")?\}$/.exec(manifest) ?? [];
    if (size === undefined) throw new Corrupt(`The manifest of the blob ${name} is damaged.`);
    return { size: Number(size), chunk: Number(chunk), checks: checks?.split(" ") };
  }

  async #readChunk(name: string, index: number): Promise<Uint8Array> {
    const bytes = await this.#database.readBytes(keys.chunk(name, index));
    if (bytes && bytes.length > 0) return bytes;
    if (await this.#readManifest(name)) throw new Corrupt(`Chunk ${index} of the blob ${name} is missing.`);
    throw new Unavailable(`The blob ${name} was deleted while it was read.`, { outcome: "none" });
  }

  async #removeChunks(name: string): Promise<void> {
    const prefix = keys.chunkPrefix(name);
    await this.#database.clear({ gte: prefix, lt: getPrefixEnd(prefix)! });
    await this.#database.write([{ type: "del", key: keys.unfinished(name) }]);
  }

  async #runExclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(name)) throw createBlobExistsError(name);
    this.#busy.add(name);
    try {
      return await work();
    } catch (error) {
      this.#interrupted++;
      throw error;
    } finally {
      this.#busy.delete(name);
    }
  }
}
