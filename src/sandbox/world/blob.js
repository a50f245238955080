// Blob and File: bytes with a type, and with a name.

import { decode, encode, joined, viewOf } from "./bytes.js";
import { streamOf } from "./streams.js";

let contentOf;

/** The bytes of a blob, not to be changed. */
export const bytesOfBlob = (blob) => contentOf(blob);

export class Blob {
  #bytes;
  #type;

  static {
    contentOf = (blob) => blob.#bytes;
  }

  constructor(parts = [], { type = "" } = {}) {
    this.#bytes = joined([...parts].map(partOf));
    this.#type = /^[\x20-\x7e]*$/.test(type) ? `${type}`.toLowerCase() : "";
  }

  get size() {
    return this.#bytes.length;
  }

  get type() {
    return this.#type;
  }

  async arrayBuffer() {
    return this.#bytes.slice().buffer;
  }

  async bytes() {
    return this.#bytes.slice();
  }

  async text() {
    return decode(this.#bytes);
  }

  stream() {
    return streamOf(this.#bytes);
  }

  slice(from = 0, to = this.size, type = "") {
    return new Blob([this.#bytes.slice(from, to)], { type });
  }
}

export class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, { type = "", lastModified = Date.now() } = {}) {
    super(parts, { type });
    this.#name = `${name}`;
    this.#lastModified = Number(lastModified);
  }

  get name() {
    return this.#name;
  }

  get lastModified() {
    return this.#lastModified;
  }
}

function partOf(part) {
  if (part instanceof Blob) return bytesOfBlob(part);
  return viewOf(part) ?? encode(part);
}
