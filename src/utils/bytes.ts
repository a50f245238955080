// Concatenates and collects bytes.

/** Bytes, or a source that unpacks them into a new array each time that they are needed. */
export type ByteChunk = Uint8Array | { readonly length: number; unpack(): Uint8Array };

/** Returns the bytes of all chunks in a new array. */
export function concatBytes(chunks: readonly ByteChunk[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk instanceof Uint8Array ? chunk : chunk.unpack(), offset);
    offset += chunk.length;
  }
  return bytes;
}

/**
 * Collects bytes that arrive in chunks in one array that grows. Holding the chunks until all have arrived would take twice
 * the memory of a large body.
 */
export class ByteBuilder {
  #buffer: Uint8Array<ArrayBuffer> = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const requiredBytes = this.#length + chunk.length;
    if (requiredBytes > this.#buffer.length) {
      const buffer = new Uint8Array(Math.max(requiredBytes, 2 * this.#buffer.length));
      buffer.set(this.toBytes());
      this.#buffer = buffer;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = requiredBytes;
  }

  /** Returns a view of the bytes that were appended so far. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const utf8 = new TextEncoder();

/** Returns the number of bytes of a value as JSON. */
export function getJsonSize(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).length;
}
