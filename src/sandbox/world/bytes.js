// Bytes and texts: UTF-8 and other encodings (by the host, which has them), and base64.

import { DOMException } from "./exceptions.js";
import { ask, askValue } from "./host.js";

/** The bytes of a text in UTF-8. */
export function encode(text) {
  return new Uint8Array(ask("encode", `${text}`));
}

/** The text of bytes in UTF-8, without a byte order mark. */
export function decode(bytes) {
  return askValue("decode", { label: "utf-8" }, exactly(bytes)).text;
}

/** A view of what a buffer or a view holds; undefined for anything else. */
export function viewOf(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return undefined;
}

/** A buffer with these bytes and no others. */
export function exactly(bytes) {
  const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? bytes.buffer : bytes.slice().buffer;
}

/** Several pieces as one, which is a copy. */
export function joined(pieces) {
  const out = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** A text with one character a byte. */
export function binary(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096));
  return text;
}

export class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(text = "") {
    return encode(text);
  }

  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of `${text}`) {
      const bytes = encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

const nothing = new Uint8Array(0);

/** How many bytes at the end of a piece belong to a character that is not complete. */
const incomplete = {
  "utf-8": (bytes) => {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back];
      if ((byte & 0xc0) === 0x80) continue;
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > back ? back : 0;
    }
    return 0;
  },
  "utf-16le": (bytes) => incompleteUtf16(bytes, 1),
  "utf-16be": (bytes) => incompleteUtf16(bytes, 0),
};

/** `high` is the place of the byte in a pair that tells a surrogate. */
function incompleteUtf16(bytes, high) {
  const odd = bytes.length % 2;
  const last = bytes[bytes.length - odd - 2 + high];
  return last >= 0xd8 && last <= 0xdb ? odd + 2 : odd;
}

/** Encodings whose characters have a byte each. */
const isSingle = (encoding) => /^(windows-|iso-8859-|koi8-|macintosh$|ibm866$|x-mac-)/.test(encoding);

export class TextDecoder {
  #settings;
  /** Bytes of a character that is not complete, while a text is decoded in pieces. */
  #waiting = nothing;
  /** Whether a part of that text has been decoded. */
  #hasBegun = false;

  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    this.#settings = { label: `${label}`, fatal: Boolean(fatal), ignoreBOM: Boolean(ignoreBOM) };
    this.#settings.label = this.#ask(nothing).encoding;
  }

  get encoding() {
    return this.#settings.label;
  }

  get fatal() {
    return this.#settings.fatal;
  }

  get ignoreBOM() {
    return this.#settings.ignoreBOM;
  }

  decode(input = nothing, { stream = false } = {}) {
    const piece = viewOf(input);
    if (!piece) throw new TypeError("TextDecoder.decode takes a buffer.");
    const bytes = this.#waiting.length > 0 ? joined([this.#waiting, piece]) : piece;
    const hasBegun = this.#hasBegun;
    this.#waiting = nothing;
    this.#hasBegun = false;
    const end = stream ? bytes.length - this.#left(bytes) : bytes.length;
    const { text } = this.#ask(bytes.subarray(0, end), hasBegun);
    if (stream) {
      this.#waiting = bytes.slice(end);
      this.#hasBegun = hasBegun || end > 0;
    }
    return text;
  }

  #left(bytes) {
    const { label } = this.#settings;
    if (Object.hasOwn(incomplete, label)) return incomplete[label](bytes);
    if (isSingle(label)) return 0;
    throw new DOMException(`Text in ${label} cannot be decoded in pieces here.`, "NotSupportedError");
  }

  /** In a further piece, a byte order mark is a character like others. */
  #ask(bytes, isFurther = false) {
    const settings = isFurther ? { ...this.#settings, ignoreBOM: true } : this.#settings;
    const answer = askValue("decode", settings, exactly(bytes));
    if (answer.error === "label") throw new RangeError(`The encoding "${this.#settings.label}" is not known.`);
    if (answer.error === "bytes") throw new TypeError("The bytes are not valid in this encoding.");
    return answer;
  }
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values = new Map([...alphabet].map((character, value) => [character, value]));

export function btoa(input) {
  const text = `${input}`;
  let out = "";
  for (let at = 0; at < text.length; at += 3) {
    const codes = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    if (codes.some((code) => code > 255))
      throw new DOMException("btoa takes characters of one byte each.", "InvalidCharacterError");
    const group = (codes[0] << 16) | ((codes[1] || 0) << 8) | (codes[2] || 0);
    out += alphabet[group >> 18] + alphabet[(group >> 12) & 63];
    out += at + 1 < text.length ? alphabet[(group >> 6) & 63] : "=";
    out += at + 2 < text.length ? alphabet[group & 63] : "=";
  }
  return out;
}

export function atob(input) {
  let text = `${input}`.replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/==?$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text))
    throw new DOMException("The text is not base64.", "InvalidCharacterError");
  let out = "";
  for (let at = 0; at < text.length; at += 4) {
    const part = text.slice(at, at + 4);
    let group = 0;
    for (let place = 0; place < 4; place++) group = (group << 6) | (values.get(part[place]) ?? 0);
    out += String.fromCharCode(group >> 16, (group >> 8) & 255, group & 255).slice(0, part.length - 1);
  }
  return out;
}
