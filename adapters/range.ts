// Where the range of a listing begins and ends, in key order, and which bytes a range of a blob means.

import type { Key, Range } from "../src/storage/storage";

/** The keys from `from` on, up to but not including `to`; `undefined`: there is no end. */
export interface KeySpan {
  readonly from: Key;
  readonly to: Key | undefined;
}

/** The span of the keys that a range may hold. */
export function bounds({ under, after, before }: Range): KeySpan {
  // Nothing lies between a key and the same key with a zero byte behind it.
  const from = after === undefined || after < under ? under : `${after}\x00`;
  const end = pastPrefix(under);
  return { from, to: end === undefined || (before !== undefined && before < end) ? before : end };
}

/** The first key after all that begin with `prefix`: the last byte that can grow, grown by one. */
export function pastPrefix(prefix: Key): Key | undefined {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const byte = prefix.charCodeAt(at);
    if (byte < 255) return prefix.slice(0, at) + String.fromCharCode(byte + 1);
  }
  return undefined;
}

/** The first byte and the one past the last, never outside of a blob of `size` bytes. */
export function byteRange(
  size: number,
  range: { readonly start?: number; readonly end?: number } = {},
): { readonly start: number; readonly end: number } {
  const end = Math.max(0, Math.min(range.end ?? size, size));
  return { start: Math.min(Math.max(0, range.start ?? 0), end), end };
}
