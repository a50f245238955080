// Streams of bytes: read into memory, up to a limit, and made of what is there.

import { ByteBuilder, type ByteChunk, concatBytes, copyBytes } from "./bytes";

/** Who watches over the reading of a stream. */
export interface StreamWatcher {
  /** Ends the reading: it throws the reason, and the stream is cancelled. */
  readonly signal: AbortSignal;
  /** Hears how many bytes have come. */
  readonly onBytes: (count: number) => void;
}

/** Reads a stream to its end. Returns undefined, and cancels the stream, as soon as it exceeds the limit. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  watching?: StreamWatcher,
): Promise<Uint8Array | undefined> {
  const bytes = new ByteBuilder();
  if (stream) {
    const reader = stream.getReader();
    // Cancelling ends the read that waits.
    watching?.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (bytes.length + next.value.length > limit) {
        // Errors of the canceled rest do not matter.
        await reader.cancel().catch(() => {});
        return undefined;
      }
      bytes.append(next.value);
      watching?.onBytes(next.value.length);
    }
    watching?.signal.throwIfAborted();
  }
  return bytes.toBytes();
}

/** Reads the beginning of a stream, up to a number of bytes, and cancels the rest. */
export async function readStreamStart(stream: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let left = most;
  if (stream) {
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value.subarray(0, left));
      left -= next.value.length;
      if (left <= 0) {
        await reader.cancel().catch(() => {});
        break;
      }
    }
  }
  return concatBytes(chunks);
}

/** A stream of pieces that others may be sent as well: each is copied or unpacked when its turn comes, so whoever reads it may
 * change it. `turn` gives others theirs: a reader in the same process never waits. */
export function streamChunks(pieces: readonly ByteChunk[], turn: () => Promise<void>): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        await turn();
        const piece = pieces[next++];
        if (piece) controller.enqueue(copyBytes(piece));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lines of JSON that are sent together. */
const LINES = 200;

/** A stream of values as lines of JSON. They are read while it is sent, so there may be many. */
export function streamJsonLines(
  values: AsyncGenerator<unknown, void>,
  turn: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      for (let i = 0; i < LINES; i++) {
        await turn();
        const { done, value } = await values.next();
        if (done) break;
        text += `${JSON.stringify(value)}\n`;
      }
      if (text === "") controller.close();
      else controller.enqueue(utf8.encode(text));
    },
    async cancel() {
      await values.return();
    },
  });
}
