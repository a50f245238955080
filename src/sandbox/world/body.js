// What Request and Response have in common: a body that is read once, in any of its forms. All of it is there from the
// beginning; `body` is a stream in form only.

import { Blob, bytesOfBlob } from "./blob.js";
import { decode, encode, viewOf } from "./bytes.js";
import { FormData } from "./form-data.js";
import { readMultipart, writeMultipart } from "./multipart.js";
import { URLSearchParams } from "./url-search-params.js";

let takeFrom;
let peekInto;

/** The bytes of a body that has not been read, which then counts as read; an empty array for none. */
export const takeBytes = (body) => takeFrom(body);

/** The bytes of a body that has not been read, or null for none, without reading it. */
export const peekBytes = (body) => peekInto(body);

export class Body {
  #bytes;
  #stream;
  #isUsed = false;

  static {
    takeFrom = (body) => body.#take();
    peekInto = (body) => body.#peek();
  }

  constructor(bytes) {
    this.#bytes = bytes;
    this.#stream = bytes === null ? null : new BodyStream(() => this.#take());
  }

  get body() {
    return this.#stream;
  }

  get bodyUsed() {
    return this.#isUsed;
  }

  async arrayBuffer() {
    return this.#take().slice().buffer;
  }

  async bytes() {
    return this.#take().slice();
  }

  async text() {
    return decode(this.#take());
  }

  async json() {
    return JSON.parse(decode(this.#take()));
  }

  async blob() {
    return new Blob([this.#take()], { type: this.headers.get("content-type") ?? "" });
  }

  async formData() {
    const type = this.headers.get("content-type") ?? "";
    const boundary = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
    if (boundary) return readMultipart(this.#take(), boundary[1] ?? boundary[2]);
    if (!/^application\/x-www-form-urlencoded\b/i.test(type)) throw new TypeError("The body is not a form.");
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(decode(this.#take()))) form.append(name, value);
    return form;
  }

  #peek() {
    if (this.#isUsed) throw new TypeError("The body has been read already.");
    return this.#bytes;
  }

  #take() {
    const bytes = this.#peek() ?? new Uint8Array(0);
    this.#isUsed = this.#bytes !== null;
    return bytes;
  }
}

/** A body as a stream of one piece. */
class BodyStream {
  #take;
  #isLocked = false;

  constructor(take) {
    this.#take = take;
  }

  get locked() {
    return this.#isLocked;
  }

  async cancel() {
    this.#take();
  }

  getReader() {
    if (this.#isLocked) throw new TypeError("The stream has a reader already.");
    this.#isLocked = true;
    const pieces = this[Symbol.asyncIterator]();
    return {
      read: () => pieces.next(),
      cancel: () => pieces.return(),
      releaseLock: () => {
        this.#isLocked = false;
      },
    };
  }

  async *[Symbol.asyncIterator]() {
    const bytes = this.#take();
    if (bytes.length > 0) yield bytes.slice();
  }

  static bytesOf(stream) {
    return stream.#take();
  }
}

/** The bytes of what may be given as a body, and the type that goes with it. */
export function bodyOf(value) {
  if (value === null || value === undefined) return { bytes: null, type: null };
  if (value instanceof Blob) return { bytes: bytesOfBlob(value), type: value.type || null };
  if (value instanceof FormData) return writeMultipart(value);
  if (value instanceof URLSearchParams)
    return { bytes: encode(value), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (value instanceof BodyStream) return { bytes: BodyStream.bytesOf(value), type: null };
  const view = viewOf(value);
  return view ? { bytes: view.slice(), type: null } : { bytes: encode(value), type: "text/plain;charset=UTF-8" };
}
