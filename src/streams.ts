// Streams of bytes read into memory, never beyond a limit.

/** Reads a stream to its end. As soon as it is longer than the limit, it is cancelled, and the result is undefined. */
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
        await reader.cancel();
        return undefined;
      }
      chunks.push(next.value);
    }
  }
  return joined(chunks, size);
}

/** Chunks as one array. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
