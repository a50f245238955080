// Encodes numbers and texts as bytes: numbers with seven bits a byte, the lowest first; texts in UTF-8 after their length.

/** Writes bytes into a growing buffer. */
export class ByteWriter {
  length = 0;
  #buffer = new Uint8Array(1024);

  writeNumber(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.length++] = rest;
  }

  writeText(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.writeNumber(bytes.length);
    this.writeBytes(bytes);
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Returns the bytes as a view of the buffer. */
  getBytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  #reserve(byteCount: number): void {
    if (this.length + byteCount <= this.#buffer.length) return;
    const buffer = new Uint8Array((this.length + byteCount) * 2);
    buffer.set(this.getBytes());
    this.#buffer = buffer;
  }
}

/** Reads the output of a `ByteWriter`. After the end it returns zeros. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readNumber(): number {
    let byte = this.#bytes[this.#position++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.#bytes[this.#position++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  readText(): string {
    const length = this.readNumber();
    this.#position += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#position - length, this.#position));
  }

  readRest(): Uint8Array {
    return this.#bytes.subarray(this.#position);
  }
}
