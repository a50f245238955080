// What goes over the wire. Every parameter and every column is text, so that all client libraries send and read the same.

import type { Key } from "../adapter";

/**
 * A key as text that has the same order. Text of PostgreSQL holds no byte 0, so bytes 0 and 1 are written as two. Above
 * 127 a byte takes two bytes of UTF-8, which has the order of its characters.
 */
export function keyText(key: Key): string {
  return key.replace(/[\x00\x01]/g, (byte) => (byte === "\x00" ? "\x01\x01" : "\x01\x02"));
}

/** The key of a text. */
export function keyOf(text: string): Key {
  return text.replace(/\x01([\x01\x02])/g, (_, second) => (second === "\x01" ? "\x00" : "\x01"));
}

/** An array of PostgreSQL, as it is written. */
export function arrayText(items: readonly (string | number | null)[]): string {
  const quoted = items.map((item) => (item === null ? "NULL" : `"${String(item).replace(/["\\]/g, "\\$&")}"`));
  return `{${quoted.join(",")}}`;
}

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  // In parts, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The bytes of base64, which PostgreSQL breaks into lines. */
export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
