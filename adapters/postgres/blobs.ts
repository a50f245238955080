// Stores blobs as chunks. The chunks of an upload are stored under its id, and the blob exists once a row maps its name to that id. So a
// blob exists either completely or not at all, and a crash leaves behind an upload to which no name refers.

import {
  type Blobs,
  Corrupt,
  checkBlobName,
  clampByteRange,
  createBlobExistsError,
  splitIntoChunks,
  streamChunks,
  Unavailable,
} from "../adapter";
import type { Database } from "./database";
import { PUT_BLOB } from "./schema";
import { base64 } from "./text";

export class PostgresBlobs implements Blobs {
  readonly #database: Database;
  readonly #chunkBytes: number;

  constructor(database: Database, chunkBytes: number) {
    this.#database = database;
    this.#chunkBytes = chunkBytes;
  }

  async put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    this.#database.assertOpen();
    checkBlobName(name);
    // The bytes are copied now, because the caller may change them as soon as this call has returned.
    const chunks = splitIntoChunks(bytes instanceof Uint8Array ? bytes.slice() : bytes, this.#chunkBytes);
    const upload = crypto.randomUUID();
    let size = 0;
    let count = 0;
    let pending: Uint8Array | undefined;
    try {
      for await (const chunk of chunks) {
        this.#database.assertOpen();
        if (pending) await this.#putChunk(name, upload, count++, pending);
        pending = chunk;
        size += chunk.length;
      }
      this.#database.assertOpen();
      if (pending && count > 0) await this.#putChunk(name, upload, count++, pending);
      await this.#finish(name, upload, size, count > 0 ? null : (pending ?? new Uint8Array()));
    } catch (error) {
      // If this fails as well, `maintain` deletes the chunks later.
      const isDoubtful = error instanceof Unavailable && error.outcome === "unknown";
      if (count > 0 && !isDoubtful) await this.#abandon(upload).catch(() => {});
      throw error;
    }
    return { size };
  }

  /** Adds a chunk and updates the time of the upload. If the upload was swept, nothing is added. */
  async #putChunk(name: string, upload: string, index: number, bytes: Uint8Array): Promise<void> {
    const { schema } = this.#database;
    const begun =
      index === 0
        ? `INSERT INTO ${schema}.upload VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET at = now() RETURNING id`
        : `UPDATE ${schema}.upload SET at = now() WHERE id = $1 RETURNING id`;
    // The statement may be sent twice, because it writes the same bytes to the same row.
    const rows = await this.#database.query(
      `WITH begun AS (${begun}), added AS (
        INSERT INTO ${schema}.chunk SELECT id, $2::text::integer, decode($3, 'base64') FROM begun
        ON CONFLICT (upload, index) DO NOTHING
      ) SELECT id FROM begun`,
      [upload, String(index), base64.encode(bytes)],
    );
    if (rows.length === 0) throw createSweptUploadError(name);
  }

  async #finish(name: string, upload: string, size: number, whole: Uint8Array | null): Promise<void> {
    const { schema } = this.#database;
    const values = [name, upload, String(size), String(this.#chunkBytes), whole && base64.encode(whole)];
    const [row] = await this.#database.execute(
      `SELECT ${schema}.${PUT_BLOB}($1, $2, $3::text::bigint, $4::text::integer, decode($5, 'base64')) AS outcome`,
      values,
    );
    if (row?.outcome === "taken") throw createBlobExistsError(name);
    if (row?.outcome === "swept") throw createSweptUploadError(name);
  }

  async get(name: string, range?: { readonly start?: number; readonly end?: number }) {
    this.#database.assertOpen();
    const { schema } = this.#database;
    const [row] = await this.#database.query(
      `SELECT upload, size::text, chunk::text FROM ${schema}.blob WHERE name = $1`,
      [name],
    );
    if (!row) return undefined;
    const [size, chunk] = [Number(row.size), Number(row.chunk)];
    const bounds = clampByteRange(size, range);
    const stream = streamChunks(bounds, (offset) => {
      this.#database.assertOpen();
      const from = offset % chunk;
      const length = Math.min(chunk - from, bounds.end - offset);
      return this.#readPiece(name, row.upload!, Math.floor(offset / chunk), from, length);
    });
    return { size, stream };
  }

  async #readPiece(name: string, upload: string, index: number, from: number, length: number): Promise<Uint8Array> {
    const { schema } = this.#database;
    const [row] = await this.#database.query(
      `SELECT encode(substring(bytes FROM $3::text::integer FOR $4::text::integer), 'base64') AS bytes,
        EXISTS (SELECT FROM ${schema}.blob WHERE name = $5 AND upload = $1)::text AS "isThere"
      FROM (SELECT) one LEFT JOIN ${schema}.chunk ON upload = $1 AND index = $2::text::integer`,
      [upload, String(index), String(from + 1), String(length), name],
    );
    const bytes = row?.bytes == null ? undefined : base64.decode(row.bytes);
    if (bytes?.length === length) return bytes;
    if (row?.isThere === "true") throw new Corrupt(`Chunk ${index} of the blob ${name} is missing.`);
    throw new Unavailable(`The blob ${name} was deleted while it was read.`, { outcome: "none" });
  }

  async delete(name: string): Promise<void> {
    this.#database.assertOpen();
    checkBlobName(name);
    const { schema } = this.#database;
    await this.#database.execute(
      `WITH gone AS (DELETE FROM ${schema}.blob WHERE name = $1 RETURNING upload)
      DELETE FROM ${schema}.chunk WHERE upload IN (SELECT upload FROM gone)`,
      [name],
    );
  }

  async *list(after = ""): AsyncGenerator<string> {
    this.#database.assertOpen();
    yield* this.#database.listNames("blob", after);
  }

  /** Deletes uploads to which nothing was added for `age` milliseconds, and returns their number. */
  async sweep(age: number): Promise<number> {
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `WITH dead AS (DELETE FROM ${schema}.upload WHERE at < now() - $1::text::interval RETURNING id),
      emptied AS (DELETE FROM ${schema}.chunk WHERE upload IN (SELECT id FROM dead))
      SELECT id FROM dead`,
      [`${age} milliseconds`],
    );
    return rows.length;
  }

  async #abandon(upload: string): Promise<void> {
    const { schema } = this.#database;
    await this.#database.query(
      `WITH dead AS (DELETE FROM ${schema}.upload WHERE id = $1 RETURNING id)
      DELETE FROM ${schema}.chunk WHERE upload IN (SELECT id FROM dead)`,
      [upload],
    );
  }
}

function createSweptUploadError(name: string): Unavailable {
  return new Unavailable(`The upload of the blob ${name} took too long and was removed; try again.`, {
    outcome: "none",
  });
}
