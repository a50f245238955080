// Streams of bytes read into memory, never beyond a limit.

import { joined } from "./bytes";

/** Reads a stream to its end; undefined, and the stream is let go, as soon as it is longer than the limit. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (stream) {
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > limit) {
        // What is wrong with the rest is of no interest any more.
        await reader.cancel().catch(() => {});
        return undefined;
      }
      chunks.push(next.value);
    }
  }
  return chunks.length === 1 ? chunks[0]! : joined(chunks);
}
