// Reads streams of bytes into memory, up to a limit, and creates streams of chunks and of JSON lines.

import { ByteBuilder, type ByteChunk, concatBytes } from "./bytes";

/** Observes and cancels the reading of a stream. */
export interface StreamWatcher {
  /** Ends the reading: it throws the reason, and the stream is canceled. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes of each chunk that arrives. */
  readonly onBytes: (count: number) => void;
}

/** Reads a stream to its end. Returns undefined, and cancels the stream, as soon as it exceeds the limit. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  watcher?: StreamWatcher,
): Promise<Uint8Array | undefined> {
  const bytes = new ByteBuilder();
  if (!stream) return bytes.toBytes();
  const reader = stream.getReader();
  // Canceling ends a pending read.
  watcher?.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (bytes.length + next.value.length > maxBytes) {
      // Errors of the canceled rest do not matter.
      await reader.cancel().catch(() => {});
      return undefined;
    }
    bytes.append(next.value);
    watcher?.onBytes(next.value.length);
  }
  watcher?.signal.throwIfAborted();
  return bytes.toBytes();
}

/** Reads at most the first `maxBytes` bytes of a stream, and cancels the rest. */
export async function readStreamStart(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  if (!stream) return concatBytes(chunks);
  let remainingBytes = maxBytes;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value.subarray(0, remainingBytes));
    remainingBytes -= next.value.length;
    if (remainingBytes <= 0) {
      await reader.cancel().catch(() => {});
      break;
    }
  }
  return concatBytes(chunks);
}

/**
 * Creates a stream of chunks that other responses may share. Each chunk is copied or unpacked when it is read, so the reader
 * may change it. `yieldToOthers` runs before each chunk, because a reader in the same process never waits.
 */
export function streamChunks(
  chunks: readonly ByteChunk[],
  yieldToOthers: () => Promise<void>,
): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        await yieldToOthers();
        const chunk = chunks[index++];
        if (chunk) controller.enqueue(chunk instanceof Uint8Array ? chunk.slice() : chunk.unpack());
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

const JSON_LINES_PER_CHUNK = 200;

/** Creates a stream of values as lines of JSON. The values are read while the stream is sent, so there may be many. */
export function streamJsonLines(
  values: AsyncGenerator<unknown, void>,
  yieldToOthers: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      for (let i = 0; i < JSON_LINES_PER_CHUNK; i++) {
        await yieldToOthers();
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
