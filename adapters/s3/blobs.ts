// Stores each blob as an object. A small one is put with `If-None-Match: *`; a large one is uploaded in parts and becomes visible with
// the last one. So a blob exists either completely or not at all, and a name is used once.

import { type Blobs, checkBlobName, createBlobExistsError, Unavailable } from "../adapter";
import { joinParts, PART_BYTES, StoreFailure } from "./object-store";
import { type Requests, toStorageError } from "./requests";
import { joinPieces } from "./segment";
import { PacedReader } from "./waits";

export class ObjectBlobs implements Blobs {
  readonly #requests: Requests;
  readonly #ensureWritable: () => Promise<void>;
  /** The names that are being written, because not every store supports conditional multipart uploads. */
  readonly #busy = new Set<string>();
  readonly #sending = new Set<Promise<unknown>>();

  constructor(requests: Requests, ensureWritable: () => Promise<void>) {
    this.#requests = requests;
    this.#ensureWritable = ensureWritable;
  }

  async put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    this.#requests.assertOpen();
    checkBlobName(name);
    if (this.#busy.has(name)) throw createBlobExistsError(name);
    this.#busy.add(name);
    // The bytes are copied now, because the caller may change them as soon as this call has returned.
    const copy = bytes instanceof Uint8Array ? bytes.slice() : bytes;
    try {
      return await this.#put(name, copy);
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Resolves once no small blob is being sent. Streams that are still being read are not awaited, because they may never end. */
  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  async #put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    await this.#requests.assertAnswering();
    await this.#requests.runWithTimeout(this.#ensureWritable);
    let size = 0;
    const parts = splitIntoParts(bytes, (piece) => {
      // Nothing new is started once the storage is closed.
      this.#requests.assertOpen();
      size += piece.length;
    });
    const first = await parts.next();
    const second = first.done || first.value.length < PART_BYTES ? undefined : await parts.next();
    if (second && !second.done) await this.#putParts(name, [first.value as Uint8Array, second.value], parts);
    else {
      this.#requests.assertOpen();
      const sending = this.#putWhole(name, first.value ?? new Uint8Array());
      this.#sending.add(sending);
      const sent = sending.finally(() => this.#sending.delete(sending));
      await this.#requests.runWithTimeout(() => sent, "unknown");
    }
    return { size };
  }

  async #putWhole(name: string, bytes: Uint8Array): Promise<void> {
    const object = this.#requests.getBlobObjectName(name);
    let isDoubtful = false;
    let failure: StoreFailure | undefined;
    const requests = this.#requests;
    const startedAt = requests.environment.now();
    for (let retry = 0; retry === 0 || requests.mayRetry(retry - 1, startedAt); retry++) {
      if (retry > 0) await requests.waitBeforeRetry(retry - 1);
      try {
        const put = await requests.sendOnce(requests.objects.put(object, bytes, { ifAbsent: true }));
        if (put.outcome === "stored") return;
        if (put.outcome === "busy") continue;
        // After an attempt without a response, a refusal may mean that the attempt succeeded. Then the object contains our bytes.
        if (isDoubtful && (await this.#hasContent(object, bytes))) return;
        throw createBlobExistsError(name);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        isDoubtful ||= error.outcome === "unknown";
        failure = error;
        if (!error.isTransient) break;
      }
    }
    const reason = failure?.message ?? `${object} could not be written; try again.`;
    throw new Unavailable(reason, { outcome: isDoubtful ? "unknown" : "none", cause: failure });
  }

  async #hasContent(object: string, bytes: Uint8Array): Promise<boolean> {
    const got = await this.#requests.sendWithRetries(() => this.#requests.objects.get(object));
    return (
      got.outcome === "found" && got.bytes.length === bytes.length && got.bytes.every((byte, i) => byte === bytes[i])
    );
  }

  async #putParts(name: string, first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): Promise<void> {
    const object = this.#requests.getBlobObjectName(name);
    const { objects } = this.#requests;
    try {
      if (await this.#requests.sendOnce(objects.stat(object))) throw createBlobExistsError(name);
      const put = await objects.putParts(object, joinParts(first, rest), { ifAbsent: true });
      if (put.outcome === "refused") throw createBlobExistsError(name);
      if (put.outcome === "busy")
        throw new StoreFailure(`${object} was written by another at the same time; try again.`, {
          outcome: "none",
          isTransient: true,
        });
    } catch (error) {
      await rest.return(undefined);
      throw toStorageError(error, error instanceof StoreFailure ? error.outcome : "none");
    }
  }

  async get(name: string, range?: { readonly start?: number; readonly end?: number }) {
    this.#requests.assertOpen();
    const object = this.#requests.getBlobObjectName(name);
    const { objects } = this.#requests;
    const start = Math.max(0, range?.start ?? 0);
    const end = range?.end;
    if (end !== undefined && end <= start) {
      const stat = await this.#requests.runWithTimeout(() =>
        this.#requests.sendWithRetries(() => objects.stat(object)),
      );
      return stat && { size: stat.size, stream: new Blob([]).stream() };
    }
    const openRange = start === 0 && end === undefined ? undefined : { start, end };
    const opening = this.#requests.sendWithRetries(() => objects.open(object, openRange));
    const found = await this.#requests
      .runWithTimeout(() => opening)
      .catch((error) => {
        // A stream that is opened after the timeout is never read, so it is cancelled.
        opening.then((late) => late?.stream.cancel(error)).catch(() => {});
        throw error;
      });
    if (!found) return undefined;
    const bytes = Math.max(0, Math.min(end ?? found.size, found.size) - start);
    return { size: found.size, stream: this.#guardStream(found.stream, { name: `The blob ${name}`, bytes }) };
  }

  async delete(name: string): Promise<void> {
    this.#requests.assertOpen();
    checkBlobName(name);
    const object = this.#requests.getBlobObjectName(name);
    await this.#requests.runWithTimeout(() =>
      this.#requests.sendWithRetries(() => this.#requests.objects.delete(object)),
    );
  }

  async *list(after = ""): AsyncGenerator<string> {
    this.#requests.assertOpen();
    yield* this.#requests.listNames(this.#requests.getBlobObjectName(""), after);
  }

  /** Returns a stream whose failures are errors of the contract. A premature end, and no end, are failures as well. */
  #guardStream(
    stream: ReadableStream<Uint8Array>,
    source: { readonly name: string; readonly bytes: number },
  ): ReadableStream<Uint8Array> {
    const reader = new PacedReader(stream, source, this.#requests.waits, this.#requests.environment);
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            this.#requests.assertOpen();
            const piece = await reader.read();
            if (piece) controller.enqueue(piece);
            else controller.close();
          } catch (error) {
            reader.cancel(error);
            throw toStorageError(error, "none");
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Yields copies of the bytes in parts of `PART_BYTES`. Only the last one may be shorter. `onPiece` is called with each input piece. */
async function* splitIntoParts(
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    onPiece(piece);
    for (let offset = 0; offset < piece.length; ) {
      const part = piece.slice(offset, offset + PART_BYTES - size);
      pending.push(part);
      size += part.length;
      offset += part.length;
      if (size < PART_BYTES) continue;
      yield joinPieces(pending);
      pending = [];
      size = 0;
    }
  }
  if (size > 0) yield joinPieces(pending);
}
