// Blobs as chunks. A name is marked as unfinished together with its first chunk, and the manifest takes the place of
// the mark together with the last one; a delete goes the other way. So a blob is there entirely or not at all, and what
// a crash leaves behind is found by its mark. Every write is synced: LevelDB changes its log file under way, and the
// sync of the last chunk would not reach those before it.

import {
  type Blobs,
  blobTaken,
  byteRange,
  Corrupt,
  checkBlobName,
  chunksOf,
  pastPrefix,
  Unavailable,
} from "../adapter";
import type { Database, WriteOperation } from "./database";
import {
  appendCheck,
  computeChunkCheck,
  encodeChunkKey,
  encodeChunkPrefix,
  encodeManifestKey,
  encodeUnfinishedKey,
  MANIFESTS,
  stripCheck,
  UNFINISHED,
} from "./layout";

const CHUNK_BYTES = 256 * 1024;

interface BlobManifest {
  readonly size: number;
  readonly chunk: number;
  /** Of each chunk; undefined where none were written. */
  readonly checks: readonly string[] | undefined;
}

export class LevelBlobs implements Blobs {
  readonly #database: Database;
  readonly #ready: () => Promise<void>;
  readonly #readable: () => Promise<void>;
  /** Names that are being written or deleted. */
  readonly #busy = new Set<string>();
  /** How often something was interrupted; the first time before this process began. */
  #interrupted = 1;
  #swept = 0;

  /** `ready` waits until the database can be written, `readable` until it can be read. */
  constructor(database: Database, ready: () => Promise<void>, readable: () => Promise<void>) {
    this.#database = database;
    this.#ready = ready;
    this.#readable = readable;
  }

  /** Whether nothing is left of interrupted uploads and deletes. */
  get isSwept(): boolean {
    return this.#swept === this.#interrupted;
  }

  async put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    this.#database.assertOpen();
    checkBlobName(name);
    return this.#alone(name, async () => {
      await this.#ready();
      const [manifest, unfinished] = await this.#database.read([encodeManifestKey(name), encodeUnfinishedKey(name)]);
      if (manifest !== undefined) throw blobTaken(name);
      if (unfinished !== undefined) await this.#removeChunks(name);
      return this.#upload(name, bytes);
    });
  }

  async #upload(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    let size = 0;
    let written = 0;
    let held: WriteOperation[] = [];
    const checks: string[] = [];
    try {
      for await (const chunk of chunksOf(bytes, CHUNK_BYTES)) {
        this.#database.assertOpen();
        if (held.length > 0) {
          const mark: WriteOperation[] =
            written === 0 ? [{ type: "put", key: encodeUnfinishedKey(name), value: "" }] : [];
          await this.#database.write([...mark, ...held]);
          written++;
        }
        held = [{ type: "put", key: encodeChunkKey(name, written), value: chunk, valueEncoding: "view" }];
        size += chunk.length;
        checks.push(computeChunkCheck(chunk));
      }
      this.#database.assertOpen();
    } catch (error) {
      // When that fails too, the mark stays, and the chunks go with the next sweep.
      if (written > 0) await this.#removeChunks(name).catch(() => {});
      throw error;
    }
    const manifest = JSON.stringify({ size, chunk: CHUNK_BYTES, checks: checks.join(" ") });
    await this.#database.write([
      ...held,
      { type: "put", key: encodeManifestKey(name), value: appendCheck(encodeManifestKey(name), manifest) },
      { type: "del", key: encodeUnfinishedKey(name) },
    ]);
    return { size };
  }

  async get(name: string, range?: { readonly start?: number; readonly end?: number }) {
    this.#database.assertOpen();
    await this.#readable();
    const manifest = await this.#manifest(name);
    if (!manifest) return undefined;
    const { size, chunk, checks } = manifest;
    const { start, end } = byteRange(size, range);
    let at = start;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (at < end) {
            this.#database.assertOpen();
            const index = Math.floor(at / chunk);
            const bytes = await this.#chunk(name, index);
            if (checks && computeChunkCheck(bytes) !== checks[index])
              throw new Corrupt(`Chunk ${index} of the blob ${name} is damaged.`);
            const piece = bytes.subarray(at % chunk, (at % chunk) + end - at);
            // A copy, because a database in memory hands out the bytes that it keeps.
            controller.enqueue(new Uint8Array(piece));
            at += piece.length;
          }
          if (at >= end) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return { size, stream };
  }

  async delete(name: string): Promise<void> {
    this.#database.assertOpen();
    await this.#ready();
    if (!(await this.#manifest(name))) return;
    await this.#alone(name, async () => {
      await this.#database.write([
        { type: "del", key: encodeManifestKey(name) },
        { type: "put", key: encodeUnfinishedKey(name), value: "" },
      ]);
      await this.#removeChunks(name);
    });
  }

  async *list(after = ""): AsyncGenerator<string> {
    this.#database.assertOpen();
    await this.#readable();
    yield* this.#database.listNames(MANIFESTS, after);
  }

  /** Removes what interrupted uploads and deletes have left. */
  async sweep(): Promise<void> {
    const interrupted = this.#interrupted;
    for await (const name of this.#database.listNames(UNFINISHED, ""))
      if (!this.#busy.has(name)) await this.#removeChunks(name);
    this.#swept = interrupted;
  }

  async #manifest(name: string): Promise<BlobManifest | undefined> {
    const [text] = await this.#database.read([encodeManifestKey(name)]);
    if (text === undefined) return undefined;
    const whole = stripCheck(encodeManifestKey(name), text) ?? "";
    const [, size, chunk, checks] =
      /^\{"size":(\d+),"chunk":([1-9]\d*)(?:,"checks":"([\da-z ]*)")?\}$/.exec(whole) ?? [];
    if (size === undefined) throw new Corrupt(`The manifest of the blob ${name} is damaged.`);
    return { size: Number(size), chunk: Number(chunk), checks: checks?.split(" ") };
  }

  async #chunk(name: string, index: number): Promise<Uint8Array> {
    const bytes = await this.#database.readBytes(encodeChunkKey(name, index));
    if (bytes && bytes.length > 0) return bytes;
    if (await this.#manifest(name)) throw new Corrupt(`Chunk ${index} of the blob ${name} is missing.`);
    throw new Unavailable(`The blob ${name} was deleted while it was read.`, { outcome: "none" });
  }

  async #removeChunks(name: string): Promise<void> {
    const prefix = encodeChunkPrefix(name);
    await this.#database.clear({ gte: prefix, lt: pastPrefix(prefix)! });
    await this.#database.write([{ type: "del", key: encodeUnfinishedKey(name) }]);
  }

  async #alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(name)) throw blobTaken(name);
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
