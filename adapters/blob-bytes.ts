// What adapters that keep blobs have in common: bytes cut into chunks, and the refusal of a name that was used.

import { TooLarge } from "../src/storage/storage";

/** Bytes as copies of `size` each, except for the last. */
export async function* chunksOf(
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size);
  let filled = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + size - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < size) continue;
      yield chunk;
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.slice(0, filled);
}

/** The refusal of a blob under a name that is there. */
export function blobTaken(name: string): TooLarge {
  return new TooLarge(`The blob ${name} exists; a name is used once.`);
}
