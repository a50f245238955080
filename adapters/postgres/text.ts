// Encodes parameters and decodes columns. All of them are text, so that all client libraries transfer them in the same way.

import type { Key } from "../adapter";

/**
 * A key as text with the same order. Text in PostgreSQL cannot contain byte 0, so bytes 0 and 1 are written as two characters. A byte
 * above 127 takes two bytes of UTF-8, which preserves the order of characters.
 */
export const keyText = {
  encode: (key: Key): string => key.replace(/[\x00\x01]/g, (byte) => (byte === "\x00" ? "\x01\x01" : "\x01\x02")),
  decode: (text: string): Key =>
    text.replace(/\x01([\x01\x02])/g, (_, second) => (second === "\x01" ? "\x00" : "\x01")),
};

/** Encodes an array literal of PostgreSQL. */
export function encodeArray(items: readonly (string | number | null)[]): string {
  const written = items.map((item) => {
    if (typeof item === "string") return `"${item.replace(/["\\]/g, "\\$&")}"`;
    return item === null ? "NULL" : String(item);
  });
  return `{${written.join(",")}}`;
}

/** Node's class, which most runtimes have. It is many times as fast as the functions of browsers. */
const { Buffer: NodeBuffer } = globalThis as { readonly Buffer?: typeof Buffer };

export const base64 = {
  encode(bytes: Uint8Array): string {
    if (NodeBuffer) return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    let text = "";
    // In chunks, because the number of arguments of a call is limited.
    for (let start = 0; start < bytes.length; start += 8192)
      text += String.fromCharCode(...bytes.subarray(start, start + 8192));
    return btoa(text);
  },
  /** Decodes base64, which PostgreSQL breaks into lines. */
  decode: (text: string): Uint8Array =>
    NodeBuffer
      ? new Uint8Array(NodeBuffer.from(text, "base64"))
      : Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
};
