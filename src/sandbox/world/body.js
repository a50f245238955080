// What Request and Response have in common: a body that is read once, in any of its forms. It is bytes, or a stream that
// a script has made. A stream of bytes is made when somebody asks for it.

import { Blob, bytesOfBlob } from "./blob.js";
import { decode, encode, viewOf } from "./bytes.js";
import { FormData } from "./form-data.js";
import { readMultipart, writeMultipart } from "./multipart.js";
import { isDisturbed, ReadableStream, readAll, streamOf } from "./streams.js";
import { URLSearchParams } from "./url-search-params.js";

let readFrom;
let moveFrom;
let copyFrom;

/** The bytes of a body that has not been read, which then counts as read; null for none. */
export const readBytes = (body) => readFrom(body);

/** A body that has not been read, for another object; it then counts as read here. */
export const moveBody = (body) => moveFrom(body);

/** A second body with the same content as one that has not been read, to be given where a body is; null for none. */
export const copyBody = (body) => copyFrom(body);

export class Body {
  /** Null: there is no body. Undefined: only the stream has it. */
  #bytes;
  #stream;
  #isUsed = false;

  static {
    readFrom = (body) => body.#read();
    moveFrom = (body) => body.#move();
    copyFrom = (body) => body.#copy();
  }

  constructor({ bytes, stream }) {
    this.#bytes = bytes;
    this.#stream = stream;
  }

  get body() {
    if (this.#bytes === null) return null;
    if (this.#stream === undefined) {
      this.#stream = this.#isUsed ? usedUp() : streamOf(this.#bytes);
      this.#bytes = undefined;
    }
    return this.#stream;
  }

  get bodyUsed() {
    return this.#isUsed || (this.#stream !== undefined && isDisturbed(this.#stream));
  }

  async arrayBuffer() {
    return (await this.#all()).slice().buffer;
  }

  async bytes() {
    return (await this.#all()).slice();
  }

  async text() {
    return decode(await this.#all());
  }

  async json() {
    return JSON.parse(decode(await this.#all()));
  }

  async blob() {
    return new Blob([await this.#all()], { type: this.headers.get("content-type") ?? "" });
  }

  async formData() {
    const type = this.headers.get("content-type") ?? "";
    const boundary = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
    if (boundary) return readMultipart(await this.#all(), boundary[1] ?? boundary[2]);
    if (!/^application\/x-www-form-urlencoded\b/i.test(type)) throw new TypeError("The body is not a form.");
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(decode(await this.#all()))) form.append(name, value);
    return form;
  }

  async #all() {
    return (await this.#read()) ?? new Uint8Array(0);
  }

  async #read() {
    const { bytes, stream } = this.#move();
    return stream ? readAll(stream) : bytes;
  }

  #move() {
    this.#needsUnread();
    this.#isUsed = this.#bytes !== null;
    return { bytes: this.#bytes, stream: this.#stream };
  }

  #copy() {
    this.#needsUnread();
    if (this.#bytes === null) return null;
    if (this.#stream === undefined) return new Copied({ bytes: this.#bytes });
    const [first, second] = this.#stream.tee();
    this.#stream = first;
    return new Copied({ stream: second });
  }

  #needsUnread() {
    if (this.bodyUsed) throw new TypeError("The body has been read already.");
    if (this.#stream?.locked) throw new TypeError("The body is being read.");
  }
}

/** The body of a clone. */
class Copied {
  #content;

  constructor(content) {
    this.#content = content;
  }

  static contentOf(copied) {
    return copied.#content;
  }
}

/** The stream of a body that was read before anybody asked for the stream. */
function usedUp() {
  const stream = streamOf(new Uint8Array(0));
  stream.cancel();
  stream.getReader();
  return stream;
}

/** What may be given as a body, as bytes or as a stream, and the type that goes with it. */
export function bodyOf(value) {
  if (value === null || value === undefined) return { bytes: null, type: null };
  if (value instanceof Copied) return { ...Copied.contentOf(value), type: null };
  if (value instanceof Blob) return { bytes: bytesOfBlob(value), type: value.type || null };
  if (value instanceof FormData) return writeMultipart(value);
  if (value instanceof URLSearchParams)
    return { bytes: encode(value), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (value instanceof ReadableStream) return { stream: unread(value), type: null };
  const view = viewOf(value);
  return view ? { bytes: view.slice(), type: null } : { bytes: encode(value), type: "text/plain;charset=UTF-8" };
}

function unread(stream) {
  if (stream.locked || isDisturbed(stream)) throw new TypeError("The stream is being read, or has been read.");
  return stream;
}
