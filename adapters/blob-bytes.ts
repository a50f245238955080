// Shared by adapters that store blobs: splits bytes into chunks, streams chunks, and creates the error for a name that is already used.

import { TooLarge } from "../src/storage/storage";

/** Yields copies of the bytes in chunks of `size` bytes. Only the last one may be shorter. */
export async function* splitIntoChunks(
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size);
  let filled = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let offset = 0; offset < piece.length; ) {
      const part = piece.subarray(offset, offset + size - filled);
      chunk.set(part, filled);
      filled += part.length;
      offset += part.length;
      if (filled < size) continue;
      yield chunk;
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.slice(0, filled);
}

/** Streams the bytes from `start` to `end`. `readPiece` returns those of one chunk, from an offset at the longest to the end. */
export function streamChunks(
  { start, end }: { readonly start: number; readonly end: number },
  readPiece: (offset: number) => Promise<Uint8Array>,
): ReadableStream<Uint8Array> {
  let offset = start;
  return new ReadableStream(
    {
      async pull(controller) {
        if (offset < end) {
          const piece = await readPiece(offset);
          controller.enqueue(piece);
          offset += piece.length;
        }
        if (offset >= end) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Creates the error for putting a blob under a name that already exists. */
export function createBlobExistsError(name: string): TooLarge {
  return new TooLarge(`The blob ${name} exists; a name is used once.`);
}
