// Numbers and texts as bytes.

/** Numbers in seven bits a byte, the lowest first; texts in UTF-8 after their length. */
export class Writer {
  length = 0;
  #room = new Uint8Array(1024);

  number(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#room[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#room[this.length++] = rest;
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.number(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#room.set(bytes, this.length);
    this.length += bytes.length;
  }

  done(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#room.length) return;
    const room = new Uint8Array((this.length + more) * 2);
    room.set(this.done());
    this.#room = room;
  }
}

/** Reads what a `Writer` wrote. After the end it gives zeros. */
export class Bytes {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let byte = this.#bytes[this.#at++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  text(): string {
    const length = this.number();
    this.#at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#at - length, this.#at));
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}
