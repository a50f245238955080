// Keys: tuples encoded to ordered bytes, one byte a character. Tuples sort part by part (null, then numbers, then
// texts), and the key of a tuple is a prefix of the keys of the tuples that begin with it, so a listing is a prefix.

import type { Key } from "./storage";

export type KeyPart = string | number | null;

const NULL = "\x01";
const NUMBER = "\x02";
const TEXT = "\x03";
const END = "\x00";
const utf8 = new TextEncoder();
const plain = /^[\x02-\x7f]*$/;
const bits = new DataView(new ArrayBuffer(8));

/** The key of a tuple. */
export function encodeKey(...parts: readonly KeyPart[]): Key {
  let bytes = "";
  for (const part of parts) {
    if (part === null) bytes += NULL;
    else if (typeof part === "number") bytes += NUMBER + encodeSortableFloat(part);
    else bytes += TEXT + (plain.test(part) ? part : encodeText(part)) + END;
  }
  return bytes;
}

/** The tuple of a key. */
export function decodeKey(bytes: Key): KeyPart[] {
  const tuple: KeyPart[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at++];
    if (tag === NULL) tuple.push(null);
    else if (tag === NUMBER) {
      tuple.push(decodeSortableFloat(bytes.slice(at, at + 8)));
      at += 8;
    } else if (tag === TEXT) {
      const end = endOfText(bytes, at);
      tuple.push(decodeText(bytes.slice(at, end)));
      at = end + 1;
    } else throw new Error(`Not a key: byte ${at - 1} of ${JSON.stringify(bytes)}.`);
  }
  return tuple;
}

/** UTF-8 bytes as characters. Bytes 0 and 1 are escaped, in order, so that no text holds the byte that ends it. */
function encodeText(text: string): string {
  let bytes = "";
  for (const byte of utf8.encode(text))
    bytes += byte < 2 ? `\x01${byte === 0 ? "\x01" : "\x02"}` : String.fromCharCode(byte);
  return bytes;
}

function decodeText(bytes: string): string {
  if (plain.test(bytes)) return bytes;
  const raw = bytes.replace(/\x01([\x01\x02])/g, (_, escaped) => (escaped === "\x01" ? "\x00" : "\x01"));
  return new TextDecoder().decode(Uint8Array.from(raw, (c) => c.charCodeAt(0)));
}

function endOfText(bytes: string, from: number): number {
  const end = bytes.indexOf(END, from);
  if (end < 0) throw new Error(`Not a key: a text without an end in ${JSON.stringify(bytes)}.`);
  return end;
}

/** Eight bytes that sort as the numbers do: the sign bit is flipped, and all bits of a negative number. */
function encodeSortableFloat(number: number): string {
  bits.setFloat64(0, number === 0 ? 0 : number);
  const high = bits.getInt32(0);
  const low = bits.getInt32(4);
  return high < 0
    ? toByteCharacters(~high) + toByteCharacters(~low)
    : toByteCharacters(high ^ 0x80000000) + toByteCharacters(low);
}

function toByteCharacters(bits: number): string {
  return String.fromCharCode(bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255);
}

function decodeSortableFloat(bytes: string): number {
  const negative = (bytes.charCodeAt(0) & 0x80) === 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes.charCodeAt(i);
    bits.setUint8(i, negative ? ~byte & 0xff : i === 0 ? byte ^ 0x80 : byte);
  }
  return bits.getFloat64(0);
}
