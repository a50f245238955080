// What goes over the wire. Every parameter and every column is text, so that all client libraries send and read the same.

import type { Key } from "../adapter";

/**
 * A key as text that has the same order. Text of PostgreSQL holds no byte 0, so bytes 0 and 1 are written as two. Above
 * 127 a byte takes two bytes of UTF-8, which has the order of its characters.
 */
export function encodeKeyText(key: Key): string {
  return key.replace(/[\x00\x01]/g, (byte) => (byte === "\x00" ? "\x01\x01" : "\x01\x02"));
}

/** The key of a text. */
export function decodeKeyText(text: string): Key {
  return text.replace(/\x01([\x01\x02])/g, (_, second) => (second === "\x01" ? "\x00" : "\x01"));
}

/** An array of PostgreSQL, as it is written. */
export function encodeArray(items: readonly (string | number | null)[]): string {
  const written = items.map((item) => {
    if (typeof item === "string") return `"${item.replace(/["\\]/g, "\\$&")}"`;
    return item === null ? "NULL" : String(item);
  });
  return `{${written.join(",")}}`;
}

/** Most runtimes have Node's class, which is many times as fast as what browsers have. */
const { Buffer: Fast } = globalThis as { readonly Buffer?: typeof Buffer };

/** Bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  if (Fast) return Fast.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  let text = "";
  // In parts, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The bytes of base64, which PostgreSQL breaks into lines. */
export function decodeBase64(base64: string): Uint8Array {
  return Fast ? new Uint8Array(Fast.from(base64, "base64")) : Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
}
