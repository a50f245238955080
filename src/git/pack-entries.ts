// A pack as a list of entries. An entry has a head, for some deltas the base, and a deflated stream. Only the inflated
// size is stated, so the end of a stream is known only after inflating it.

import pako from "pako";
import type { Breaks } from "./effort";
import { GitRefused } from "./refused";

/** The first entry begins here, after the signature, the version and the number of entries. */
export const FIRST_ENTRY = 12;
/** The digest at the end of the pack. */
export const TRAILER = 20;
export const MARK = 0x5041434b;
export const VERSION = 2;

/** The types of objects in a repository. */
export type ObjectType = "commit" | "tree" | "blob" | "tag";

export const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const NAMES = new Map<number, ObjectType>(Object.entries(TYPES).map(([name, type]) => [type, name as ObjectType]));
const OFS_DELTA = 6;
const REF_DELTA = 7;
/** Sizes above this are not read to their end. */
const ABSURD = 2 ** 40;
/** Extra room in the buffer. Without it the last bytes of an object are inflated slowly. */
const SPARE = 512;

export interface PackEntry {
  readonly start: number;
  /** Undefined for a delta, which has the type of its base. */
  readonly type: ObjectType | undefined;
  /** The base of a delta: the offset of an entry, or the oid of an object. */
  readonly base: number | string | undefined;
  /** The inflated size of the object or the delta. */
  readonly size: number;
  /** The offset of the deflated stream. */
  readonly from: number;
}

/** The number of entries, as the pack states it. */
export function countOf(pack: Uint8Array): number {
  if (pack.length < FIRST_ENTRY + TRAILER) throw damaged();
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  if (view.getUint32(0) !== MARK || view.getUint32(4) !== VERSION) throw damaged();
  return view.getUint32(8);
}

/** The entry at an offset. */
export function entryAt(pack: Uint8Array, start: number): PackEntry {
  const first = byteAt(pack, start);
  const number = (first >> 4) & 7;
  const { value: size, next } =
    first < 128 ? { value: first & 15, next: start + 1 } : sizeAt(pack, start + 1, first & 15, 16);
  if (number === OFS_DELTA) {
    const { base, from } = baseBefore(pack, start, next);
    return { start, type: undefined, base, size, from };
  }
  if (number === REF_DELTA) {
    const from = next + 20;
    return { start, type: undefined, base: hex(pack.subarray(next, from)), size, from };
  }
  const type = NAMES.get(number);
  if (type === undefined) throw damaged();
  return { start, type, base: undefined, size, from: next };
}

/**
 * An offset: seven bits a byte, the highest first. Each further byte adds one, so every number has exactly one
 * encoding.
 */
function baseBefore(pack: Uint8Array, start: number, at: number): { base: number; from: number } {
  let from = at;
  let byte = byteAt(pack, from++);
  let back = byte & 127;
  while (byte & 128) {
    byte = byteAt(pack, from++);
    back = (back + 1) * 128 + (byte & 127);
    if (back > start) throw damaged();
  }
  return { base: start - back, from };
}

/** A size: seven bits a byte, the lowest first. Its first bits may have been read already. */
export function sizeAt(bytes: Uint8Array, start: number, begun = 0, factor = 1): { value: number; next: number } {
  let value = begun;
  for (let at = start, times = factor; ; times *= 128) {
    const byte = byteAt(bytes, at++);
    value += (byte & 127) * times;
    if (value > ABSURD) throw new GitRefused("too_large", "The repository holds an object of an absurd size.");
    if (byte < 128) return { value, next: at };
  }
}

/** Larger contents are inflated in pieces, so that others get their turn. */
const LARGE = 512 * 1024;
/** A compressed piece of this size inflates to at most two megabytes. */
const PIECE = 2 * 1024;

/**
 * The inflated content of an entry, and the offset of the next entry. Refuses a stream whose size differs from the
 * stated one.
 */
export async function inflated(
  pack: Uint8Array,
  { size, from }: PackEntry,
  breaks: Breaks,
): Promise<{ bytes: Uint8Array; next: number }> {
  let bytes = new Uint8Array();
  // The buffer has the stated size, so a stream that inflates to more does not fit.
  const inflate = new pako.Inflate({ chunkSize: size + SPARE }) as pako.Inflate & Ended;
  inflate.onData = (chunk) => {
    bytes = chunk as Uint8Array<ArrayBuffer>;
  };
  const step = size > LARGE ? PIECE : pack.length;
  for (let at = from; !inflate.ended; at += step) {
    const piece = pack.subarray(at, at + step);
    if (piece.length === 0 || !inflate.push(piece, at + step >= pack.length)) break;
    if (inflate.ended) {
      if (bytes.length !== size) break;
      return { bytes, next: at + piece.length - inflate.strm.avail_in };
    }
    await breaks.take();
  }
  throw damaged();
}

/** What the types of pako do not say. */
interface Ended {
  readonly ended: boolean;
  readonly strm: { readonly avail_in: number };
}

export function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw damaged();
  return byte;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function damaged(): GitRefused {
  return new GitRefused("damaged", "What the Git server sent is damaged.");
}
