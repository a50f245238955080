// Keys: tuples encoded as ordered bytes, one byte per character. Tuples sort part by part (null, then numbers, then texts). The
// key of a tuple is a prefix of the keys of all tuples that start with it, so a listing by prefix lists those tuples.

import type { Key } from "./storage";

export type KeyPart = string | number | null;

const NULL = "\x01";
const NUMBER = "\x02";
const TEXT = "\x03";
const END = "\x00";
const utf8 = new TextEncoder();
const plain = /^[\x02-\x7f]*$/;
const bits = new DataView(new ArrayBuffer(8));

export function encodeKey(...parts: readonly KeyPart[]): Key {
  let bytes = "";
  for (const part of parts) {
    if (part === null) bytes += NULL;
    else if (typeof part === "number") {
      // Eight bytes that sort numerically: the sign bit is flipped, and so are all bits of a negative number.
      bits.setFloat64(0, part === 0 ? 0 : part);
      const isNegative = bits.getInt32(0) < 0;
      const high = bits.getInt32(0) ^ (isNegative ? -1 : 0x80000000);
      const low = bits.getInt32(4) ^ (isNegative ? -1 : 0);
      bytes += NUMBER;
      for (const word of [high, low])
        bytes += String.fromCharCode(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255);
    } else if (plain.test(part)) bytes += TEXT + part + END;
    else {
      // UTF-8. Bytes 0 and 1 are escaped, preserving the order, so that no text contains the byte that ends it.
      bytes += TEXT;
      for (const byte of utf8.encode(part))
        bytes += byte < 2 ? `\x01${byte === 0 ? "\x01" : "\x02"}` : String.fromCharCode(byte);
      bytes += END;
    }
  }
  return bytes;
}

export function decodeKey(bytes: Key): KeyPart[] {
  const tuple: KeyPart[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tag = bytes[offset++];
    if (tag === NULL) tuple.push(null);
    else if (tag === NUMBER) {
      const isNegative = (bytes.charCodeAt(offset) & 0x80) === 0;
      for (let i = 0; i < 8; i++) {
        const byte = bytes.charCodeAt(offset + i);
        bits.setUint8(i, isNegative ? ~byte & 0xff : i === 0 ? byte ^ 0x80 : byte);
      }
      tuple.push(bits.getFloat64(0));
      offset += 8;
    } else if (tag === TEXT) {
      const end = bytes.indexOf(END, offset);
      if (end < 0) throw new Error(`Not a key: a text without an end in ${JSON.stringify(bytes)}.`);
      let text = bytes.slice(offset, end);
      if (!plain.test(text)) {
        const raw = text.replace(/\x01([\x01\x02])/g, (_, escaped) => (escaped === "\x01" ? "\x00" : "\x01"));
        text = new TextDecoder().decode(Uint8Array.from(raw, (c) => c.charCodeAt(0)));
      }
      tuple.push(text);
      offset = end + 1;
    } else throw new Error(`Not a key: byte ${offset - 1} of ${JSON.stringify(bytes)}.`);
  }
  return tuple;
}
