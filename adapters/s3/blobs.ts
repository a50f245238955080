// Blobs as objects of their own. A small one is put with `If-None-Match: *`; a large one goes up in parts and appears
// with the last of them. So a blob is there entirely or not at all, and a name is used once.

import { checkBlobName } from "../../src/store/limits";
import { type Blobs, TooLarge, Unavailable } from "../../src/store/storage";
import { PART_BYTES, StoreFailure } from "./object-store";
import { asStorageError, type Requests, TRIES } from "./requests";
import { joined } from "./segment";

export class ObjectBlobs implements Blobs {
  readonly #requests: Requests;
  readonly #writable: () => Promise<void>;
  /** Names that are being written, since parts cannot be put on the condition that there is nothing everywhere. */
  readonly #busy = new Set<string>();
  readonly #sending = new Set<Promise<unknown>>();

  constructor(requests: Requests, writable: () => Promise<void>) {
    this.#requests = requests;
    this.#writable = writable;
  }

  async put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    this.#requests.assertOpen();
    checkBlobName(name);
    if (this.#busy.has(name)) throw taken(name);
    this.#busy.add(name);
    // Taken now: the caller may change the bytes as soon as this call has returned.
    const given = bytes instanceof Uint8Array ? bytes.slice() : bytes;
    try {
      return await this.#put(name, given);
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Resolves when no blob is being sent. A stream that is still read is not waited for: it may never end. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  async #put(name: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<{ size: number }> {
    await this.#writable();
    let size = 0;
    const parts = partsOf(bytes, (piece) => {
      // Nothing new is begun once the storage is closed.
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
      await sending.finally(() => this.#sending.delete(sending));
    }
    return { size };
  }

  async #putWhole(name: string, bytes: Uint8Array): Promise<void> {
    const object = this.#requests.blob(name);
    let doubt = false;
    let failure: StoreFailure | undefined;
    for (let turn = 0; turn < TRIES; turn++) {
      if (turn > 0) await this.#requests.backOff(turn - 1);
      try {
        const put = await this.#requests.objects.put(object, bytes, { ifAbsent: true });
        if (put.outcome === "stored") return;
        if (put.outcome === "busy") continue;
        // After a try without an answer, the refusal may be that of our own success: then these are our bytes.
        if (doubt && (await this.#holds(object, bytes))) return;
        throw taken(name);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        doubt ||= error.outcome === "unknown";
        failure = error;
        if (!error.passing) break;
      }
    }
    const reason = failure?.message ?? `${object} could not be written; try again.`;
    throw new Unavailable(reason, { outcome: doubt ? "unknown" : "none", cause: failure });
  }

  async #holds(object: string, bytes: Uint8Array): Promise<boolean> {
    const got = await this.#requests.repeated(() => this.#requests.objects.get(object));
    return (
      got.outcome === "found" && got.bytes.length === bytes.length && got.bytes.every((byte, i) => byte === bytes[i])
    );
  }

  async #putParts(name: string, first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): Promise<void> {
    const object = this.#requests.blob(name);
    const { objects } = this.#requests;
    async function* parts() {
      yield* first;
      yield* rest;
    }
    try {
      if (await objects.stat(object)) throw taken(name);
      const put = await objects.putParts(object, parts(), { ifAbsent: true });
      if (put.outcome === "refused") throw taken(name);
      if (put.outcome === "busy")
        throw new StoreFailure(`${object} was written by another at the same time; try again.`, {
          outcome: "none",
          passing: true,
        });
    } catch (error) {
      await rest.return(undefined);
      throw asStorageError(error, error instanceof StoreFailure ? error.outcome : "none");
    }
  }

  async get(name: string, range?: { readonly start?: number; readonly end?: number }) {
    this.#requests.assertOpen();
    const object = this.#requests.blob(name);
    const { objects } = this.#requests;
    const start = Math.max(0, range?.start ?? 0);
    const end = range?.end;
    if (end !== undefined && end <= start) {
      const stat = await this.#requests.repeated(() => objects.stat(object));
      return stat && { size: stat.size, stream: new Blob([]).stream() };
    }
    const asked = start === 0 && end === undefined ? undefined : { start, end };
    const found = await this.#requests.repeated(() => objects.open(object, asked));
    return found && { size: found.size, stream: this.#guarded(found.stream) };
  }

  async delete(name: string): Promise<void> {
    this.#requests.assertOpen();
    checkBlobName(name);
    await this.#requests.repeated(() => this.#requests.objects.delete(this.#requests.blob(name)));
  }

  async *list(after = ""): AsyncGenerator<string> {
    this.#requests.assertOpen();
    yield* this.#requests.names(this.#requests.blob(""), after);
  }

  /** A stream whose failures are errors of the contract. */
  #guarded(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            this.#requests.assertOpen();
            const { value, done } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            await reader.cancel(error).catch(() => {});
            throw asStorageError(error, "none");
          }
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

function taken(name: string): TooLarge {
  return new TooLarge(`The blob ${name} exists; a name is used once.`);
}

/** Bytes as copies of `PART_BYTES` each, but for the last; `seen` is called with each piece that came. */
async function* partsOf(
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  seen: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    seen(piece);
    for (let at = 0; at < piece.length; ) {
      const part = piece.slice(at, at + PART_BYTES - size);
      held.push(part);
      size += part.length;
      at += part.length;
      if (size < PART_BYTES) continue;
      yield joined(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield joined(held);
}
