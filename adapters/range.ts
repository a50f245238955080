// Resolves the range of a listing to keys, and the range of a blob to bytes.

import type { Key, Range } from "../src/storage/storage";

/** The keys from `from` up to but not including `to`. If `to` is undefined, the span has no end. */
export interface KeySpan {
  readonly from: Key;
  readonly to: Key | undefined;
}

export function getKeySpan({ under, after, before }: Range): KeySpan {
  // The key that directly follows another one is that key with a zero byte appended.
  const from = after === undefined || after < under ? under : `${after}\x00`;
  const end = getPrefixEnd(under);
  return { from, to: end === undefined || (before !== undefined && before < end) ? before : end };
}

/** Returns the first key after all keys that start with `prefix`; undefined if there is none. The last byte below 255 is incremented. */
export function getPrefixEnd(prefix: Key): Key | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix.charCodeAt(i);
    if (byte < 255) return prefix.slice(0, i) + String.fromCharCode(byte + 1);
  }
  return undefined;
}

/** Returns the start and the exclusive end of a range of bytes, limited to a blob of `size` bytes. */
export function clampByteRange(
  size: number,
  range: { readonly start?: number; readonly end?: number } = {},
): { readonly start: number; readonly end: number } {
  const end = Math.max(0, Math.min(range.end ?? size, size));
  return { start: Math.min(Math.max(0, range.start ?? 0), end), end };
}
