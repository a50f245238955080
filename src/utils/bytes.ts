// Puts bytes together.

/** Bytes, or what gives them in an array of their own each time that they are needed. */
export type ByteChunk = Uint8Array | { readonly length: number; unpack(): Uint8Array };

/** The bytes of a piece, which whoever gets them may change. */
export function copyBytes(piece: ByteChunk): Uint8Array {
  return piece instanceof Uint8Array ? piece.slice() : piece.unpack();
}

/** All pieces in a new array. */
export function concatBytes(pieces: readonly ByteChunk[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece instanceof Uint8Array ? piece : piece.unpack(), at);
    at += piece.length;
  }
  return whole;
}

/** Bytes that come piece by piece, in one array that grows. If the pieces were held until all are there, much would take its
 * memory twice. */
export class ByteBuilder {
  #room: Uint8Array<ArrayBuffer> = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#room.length) {
      const room = new Uint8Array(Math.max(needed, 2 * this.#room.length));
      room.set(this.toBytes());
      this.#room = room;
    }
    this.#room.set(piece, this.#length);
    this.#length = needed;
  }

  /** Everything so far. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#room.subarray(0, this.#length);
  }
}
